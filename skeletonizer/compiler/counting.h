/* SPDX-License-Identifier: Apache-2.0
 *
 * How programs are compiled and linked whose clock counts what they execute (runtime/counted): by
 * clang, which calls a function at each basic block, and with COUNTING_ACCESSES at each access to
 * memory. It does that behind its optimizations, so that what counts is what runs. The options go
 * to clang's compiler proper: its driver would link the library of a sanitizer for them.
 */
#pragma once

#include "base/error.h"
#include "skeletonizer/compiler/replacement.h"

enum counting { COUNTING_NOT, COUNTING_BLOCKS, COUNTING_ACCESSES };

/* "blocks", "accesses"; NULL: nothing is counted. */
const char *counting_name(enum counting counting);

/* `name`: the first word of a compile command. Fails where there is no clang. */
int counting_choose(struct replacement *out, struct arena *arena, const char *name,
                    struct error *error);

void counting_add_options(compiler_words *out, enum counting counting);

/* `libraries`: the directory of the library that counts. */
int counting_add_link(compiler_words *out, struct arena *arena, const char *libraries,
                      struct error *error);
