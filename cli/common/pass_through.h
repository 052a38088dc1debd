/* SPDX-License-Identifier: Apache-2.0
 *
 * Command lines of commands that start `mpiskel run`: their own options, and those that they hand
 * on without knowing them.
 *
 * In: the words before the first `--`, and the table of the command's own options. Out: the
 * words of these options, for argp, and all others as they are, in their order. Long options may be
 * `--name value` or `--name=value`, not shortened; short ones `-j 4` or `-j4`.
 */
#pragma once

#include "base/vec.h"
#include "cli/common/command_option.h"

struct pass_through {
    VEC(char *) own;          /* begins with argv[0]; NULL behind the last */
    VEC(const char *) others; /* options of run and its arguments */
};

void pass_through_divide(struct pass_through *out, int argc, char **argv,
                         const struct command_option *rows);
void pass_through_dispose(struct pass_through *divided);
