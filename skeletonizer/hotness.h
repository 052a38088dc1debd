/* SPDX-License-Identifier: Apache-2.0
 *
 * Which statements are hot: executed so often that a skeleton should do without them.
 */
#ifndef SKELETONIZER_HOTNESS_H
#define SKELETONIZER_HOTNESS_H

#include "skeletonizer/counts.h"
#include "skeletonizer/weigh.h"

struct hotness {
    const struct counts
        *counts;            /* of a scout run; if they know nothing, executions are estimated */
    struct weights weights; /* the estimate */
    bool *quiet;            /* by node: see quiet.h; with the estimate only */
    double limit;           /* from which on a statement is hot */
};

/* `slice` tells what stays now. max_kept: hot is what has to go for at most this share of all
 * executions to stay; negative: not asked for. */
void hotness_init(struct hotness *out, const struct slice *slice, const struct counts *counts,
                  double max_kept);
void hotness_dispose(struct hotness *hotness);

bool hotness_is_estimated(const struct hotness *hotness);

/* Of the node, or of the lines that it shares with its function's other instances. */
long long hotness_executions(const struct hotness *hotness, const struct node *node);

/* Executed often itself; its value cannot be given. */
bool hotness_is_frequent(const struct hotness *hotness, const struct node *node);

/* That, or it calls a library's kernel. */
bool hotness_is_hot(const struct hotness *hotness, const struct node *node);

/* Executions of all statements. */
double hotness_of_program(const struct hotness *hotness, const struct program *program);

/* Executions of the statements that a slice keeps whole. */
double hotness_of_slice(const struct hotness *hotness, const struct slice *slice);

#endif
