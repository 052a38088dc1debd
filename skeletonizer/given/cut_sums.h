/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements that sum up.
 */
#ifndef SKELETONIZER_GIVEN_CUT_SUMS_H
#define SKELETONIZER_GIVEN_CUT_SUMS_H

#include "skeletonizer/hot/hotness.h"

/* It adds to a variable that it defines: t += dt. */
bool cut_sum_adds(const struct node *node);

/* It multiplies or divides, as `sum /= count` does, and adds nothing. */
bool cut_sum_scales(const struct node *node);

/* What the assignment or variable in the node is given is what it had before and something more:
 * `t = t + dt`, also by way of another variable (`next = t + dt; t = next`); not `dt = sqrt(dt)`.
 */
bool cut_sum_goes_on(const struct node *node, const struct ast *holder);

#define CUT_ALL_SIDES (~0u)

/* The sides of a decision's comparisons (bits) on which it looks at a variable; all of them where
 * that is not known. `both`: both sides of a comparison are one. */
unsigned cut_sides_of(const struct node *decision, int object, bool both);

/* It gives a variable what another one or a member has: t = domain->t. */
bool cut_sum_copies(const struct node *node);

/* By node, for the caller to free: it adds to a sum that does not begin anew time and again, as
 * that of a dot product does: simulated time. */
bool *cut_sums_find(const struct program *program, const struct hotness *hotness);

/* The part of the node is a sum up to a place that another sum in the same loop decides, as what
 * lies in the buckets up to the one that fills a share: how much that is goes with where it ends.
 * The numbers that are summed up, which do not, could be given instead. `parts`: by node, what
 * could be given. */
bool cut_sum_is_split(const struct node *node, const struct ast *const *parts,
                      const struct hotness *hotness);

#endif
