/* SPDX-License-Identifier: Apache-2.0
 *
 * What the compiler of a build predefines: it is asked itself, with the options of the build, since
 * programs go by __GNUC__, __clang__, __OPTIMIZE__ or __AVX2__, and the parser's own are others.
 */
#pragma once

#include "base/hash_table.h"
#include "frontend/commands/compile_commands.h"

/* Of one compiler with certain options. */
struct predefined_macros {
    bool is_known;                    /* the compiler answered */
    bool is_gcc;                      /* and is no clang, nor another one that claims to be gcc */
    struct compile_arguments options; /* for the parser, in place of what it predefines */
};

/* Answers so far, by command; of zeroes: none. */
struct predefined_answers {
    struct arena arena;
    struct hash_table by_command;
};

/* Asks only for options that were not asked for before. Lives as long as the answers. */
const struct predefined_macros *predefined_macros_of(struct predefined_answers *answers,
                                                     const struct compile_command *command);
void predefined_answers_dispose(struct predefined_answers *answers);
