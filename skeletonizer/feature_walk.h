/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of features share: the features of one region while they are being found.
 */
#ifndef SKELETONIZER_FEATURE_WALK_H
#define SKELETONIZER_FEATURE_WALK_H

#include "skeletonizer/counts.h"
#include "skeletonizer/expression.h"

#define FEATURES_MAX_SIZES 3
#define FEATURE_FACE (-2.0) /* the rank of a kernel's face (kernel_cost.h) */

/* What may become a feature: a loop or a kernel that the walk came to. */
struct feature_candidate {
    const char *expression; /* NULL: not known where the region begins */
    const char *plain;      /* without numbers of loops */
    double rank; /* the more of it, the more it tells; below 0: FEATURE_FACE, or no feature */
    bool chosen;
};

struct walk {
    struct slice *slice;
    struct plan_region *region;
    const struct counts *counts;
    VEC(struct feature_candidate) candidates; /* in the order of the walk */
    bool chooses;                             /* they have been found and chosen among: */
    size_t next;                              /* the one that the walk comes to now */
    int loops_around;                         /* of those that are known */
    int unknown_loops, inside_unknown;
    /* Executions that the scout run counted, of loops; `unknown`: or they are in such a loop. */
    double busiest_known, busiest_unknown;
    size_t size_limit; /* features that there may be once sizes are among them */
};

/* Nothing is added twice, nor beyond a limit. */
void features_add(struct walk *walk, const char *expression, const char *meaning);

/* The expression without numbers of loops: "bsim_trips_of(3, 0, n, 1)" is "bsim_trips(0, n, 1)". */
const char *features_plain(struct arena *arena, const char *expression);

/* Notes loops that iterate as often as others, and so are no features of their own. */
void features_tie(struct walk *walk);
/* Notes a loop, or all of a function, of which the features do not tell how often they iterate. */
void features_note_gap(struct walk *walk, struct plan_gap gap);

/* Marks the candidates that tell most, as many as a region may have features. */
void features_choose(struct walk *walk);

/* The expression is the variable, perhaps cast, or with an operator in front of it. */
bool features_is_reference(const struct ast *ast, const void *object);

/* Of a value that is an argument: which element of an array it is, where these are a few, and
 * whether it is sent to another rank. */
void features_add_places(struct walk *walk, const struct frame *frame);
/* Integers of the function, and integers of the records that the region reads, up to the limit of
 * sizes. */
void features_add_sizes(struct walk *walk, const struct frame *frame);
void features_add_members(struct walk *walk, const struct frame *frame);

#endif
