/* SPDX-License-Identifier: Apache-2.0
 *
 * Which statements are hot: executed so often that a skeleton should do without them.
 */
#pragma once

#include "skeletonizer/hot/executions.h"

struct hotness {
    struct executions executions;
    bool *silent; /* by node: see silent_loops.h; with an estimate only */
    bool *parses; /* by node: in a loop that takes text apart, or in a helper of one */
    double limit; /* from which on a statement is hot */
};

/* `slice` tells what stays now. */
void hotness_init(struct hotness *out, const struct slice *slice, const struct counts *counts);
void hotness_dispose(struct hotness *hotness);

/* Executed often itself; its value cannot be given. */
bool hotness_is_frequent(const struct hotness *hotness, const struct node *node);

/* That, or it calls a library's kernel. */
bool hotness_is_hot(const struct hotness *hotness, const struct node *node);

/* The limit from which on only the hottest statement is hot that a slice keeps whole. */
double hotness_highest(const struct hotness *hotness, const struct slice *slice);

/* Executions of all statements. */
double hotness_of_program(const struct hotness *hotness, const struct program *program);

/* How often the program was started: on so many ranks. */
double hotness_starts(const struct hotness *hotness, const struct program *program);

/* Executions of the statements that a slice keeps whole. */
double hotness_of_slice(const struct hotness *hotness, const struct slice *slice);
