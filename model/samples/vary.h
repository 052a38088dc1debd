/* SPDX-License-Identifier: Apache-2.0
 *
 * Argument lists with other numbers in them: which numbers there are among a program's arguments
 * (model/eval/program_numbers.h), and the same arguments with some of them scaled. A number written
 * with digits only stays an integer of at least 1, another one is written with six digits; what is
 * not greater than zero is left as it is.
 */
#pragma once

#include "base/arena.h"
#include "model/eval/program_numbers.h"

#include <stdbool.h>

struct words {
    const char *const *items;
    size_t count;
};

/* The numbers greater than zero, from the arena. */
size_t vary_find(struct bsim_argument **out, struct arena *arena, struct words words);

/* The words with the number of each argument of `numbers` whose bit is set in `which` multiplied by
 * `factor`; from the arena. */
struct words vary_scale(struct arena *arena, struct words words,
                        const struct bsim_argument *numbers, size_t count, unsigned long long which,
                        double factor);

bool words_equal(struct words one, struct words other);
