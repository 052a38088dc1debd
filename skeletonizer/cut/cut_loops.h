/* SPDX-License-Identifier: Apache-2.0
 *
 * All decisions that end one loop are one vertex of the cut: what is given for them is how many of
 * their tests pass until one ends it.
 */
#ifndef SKELETONIZER_CUT_CUT_LOOPS_H
#define SKELETONIZER_CUT_CUT_LOOPS_H

#include "skeletonizer/cut/cut_vetoes.h"

struct cut_loop {
    const struct tree *tree;
    const struct function *function;
    long long price;
};

struct cut_loops {
    VEC(struct cut_loop) items;
    int *of; /* by demand: the loop that it ends, -1: it ends none or is not given */
};

/* `allowed`, by demand: it may be given. */
void cut_loops_find(struct cut_loops *out, const struct cut_candidates *candidates,
                    const bool *allowed);
void cut_loops_dispose(struct cut_loops *loops);

#endif
