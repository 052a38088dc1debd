/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements that sum up.
 */
#ifndef SKELETONIZER_CUT_SUMS_H
#define SKELETONIZER_CUT_SUMS_H

#include "skeletonizer/hotness.h"

/* It adds to what it defines: t += dt. */
bool cut_sum_adds(const struct node *node);

/* The sum begins anew time and again, as a dot product does; `starts`: processes. */
bool cut_sum_restarts(const struct node *node, const struct hotness *hotness, double starts);

/* The part of the node is a sum up to a place that another sum in the same loop decides, as what
 * lies in the buckets up to the one that fills a share: how much that is goes with where it ends.
 * The numbers that are summed up, which do not, could be given instead. `parts`: by node, what
 * could be given. */
bool cut_sum_is_split(const struct node *node, const struct ast *const *parts,
                      const struct hotness *hotness);

#endif
