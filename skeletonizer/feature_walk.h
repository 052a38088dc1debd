/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of features share: the features of one region while they are being found.
 */
#ifndef SKELETONIZER_FEATURE_WALK_H
#define SKELETONIZER_FEATURE_WALK_H

#include "skeletonizer/expression.h"

#define FEATURES_MAX_CHOICES 12
#define FEATURES_MAX_SIZES 3

struct walk {
    struct slice *slice;
    struct plan_region *region;
    struct choice *choices[FEATURES_MAX_CHOICES];
    int choice_count;
    int unknown_loops;
    size_t size_limit; /* features that there may be once sizes are among them */
};

/* Nothing is added twice, nor beyond a limit. */
void features_add(struct walk *walk, const char *expression, const char *meaning);

/* Operations of a library kernel: where there are too many, the last other one makes room. */
void features_add_kernel(struct walk *walk, const char *expression, const char *meaning);

/* Integers of the function, and integers of the records that the region reads, up to the limit of
 * sizes. */
void features_add_sizes(struct walk *walk, const struct frame *frame);
void features_add_members(struct walk *walk, const struct frame *frame);

#endif
