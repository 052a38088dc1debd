/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of features share: the features of one region while they are being found.
 */
#pragma once

#include "skeletonizer/features/always_executed.h"
#include "skeletonizer/features/expression.h"
#include "skeletonizer/features/origins.h"
#include "skeletonizer/features/region_writes.h"
#include "skeletonizer/hot/counts.h"

#define FEATURES_MAX_SIZES 3
#define FEATURES_MAX_SOURCES 12
#define FEATURE_FACE (-2.0) /* the rank of a kernel's face (kernel_cost.h) */

/* A loop of which it is not known how often it iterates, as the walk came to it. */
struct unknown_loop {
    double executions; /* of its condition, or how deep it lies (features.c) */
    double inside;     /* the most of a loop in it whose length is known */
    int outer;         /* the next one around it; -1: there is none */
    bool wanted;       /* what it goes by */
};

/* What may become a feature: a loop or a kernel that the walk came to. */
struct feature_candidate {
    const char *expression; /* NULL: not known where the region begins */
    bool may_differ;        /* in the first round of a loop: see `begins` of a frame */
    const char *plain;      /* without numbers of loops */
    double rank; /* the more of it, the more it tells; below 0: FEATURE_FACE, or no feature */
    bool chosen;
    bool is_repeated; /* one before has the same plain one, */
    bool is_copy;     /* and the same expression */
};

struct walk {
    struct slice *slice;
    struct code_region *region;
    const struct counts *counts;
    VEC(struct feature_candidate) candidates; /* in the order of the walk */
    bool chooses;                             /* they have been found and chosen among: */
    size_t next;                              /* the one that the walk comes to now */
    int loops_around;                         /* of those that are known */
    int uses_of_begins;                       /* see struct frame */
    bool may_differ;                          /* the candidate that was printed last */
    int unknown_loops, inside_unknown;
    /* Executions that the scout run counted, or as loops lie in each other, of loops; `unknown`: or
     * they are in such a loop. */
    double busiest_known, busiest_unknown;
    struct always_executed certain;
    struct region_writes reached;
    VEC(struct unknown_loop) unknown; /* like the candidates */
    size_t next_unknown;
    int outer_unknown;      /* -1: none */
    struct origins sources; /* of those that are wanted */
    const char *around;    /* the product of what is known around the busiest of them; NULL: none */
    double busiest_around; /* its executions */
    size_t size_limit;     /* features that there may be once sizes are among them */
};

void features_walk_dispose(struct walk *walk);

/* Nothing is added twice, nor beyond a limit. */
void features_add(struct walk *walk, const char *expression, const char *meaning);

/* The expression without numbers of loops: "bsim_trips_of(3, 0, n, 1)" is "bsim_trips(0, n, 1)". */
const char *features_plain(struct arena *arena, const char *expression);

/* Notes loops that iterate as often as others, and so are no features of their own. */
void features_tie(struct walk *walk);
/* Notes a loop, or all of a function, of which the features do not tell how often they iterate. */
void features_note_gap(struct walk *walk, struct region_gap gap);

/* Marks the candidates that tell most, as many as a region may have features. */
void features_choose(struct walk *walk);

/* The expression is the variable, perhaps cast, or with an operator in front of it. */
bool features_is_reference(const struct ast *ast, const void *object);

/* Of a value that is an argument: which element of an array it is, where these are a few, and
 * whether it is sent to another rank. */
void features_add_places(struct walk *walk, const struct frame *frame);
/* Of a value that an element of an array gets: which one it is, where a loop goes through a few. */
void features_add_elements(struct walk *walk, const struct frame *frame);
/* Of a value that `+=` adds in a loop: how often that iterates. */
void features_add_summed(struct walk *walk, const struct frame *frame);
/* The node of a loop's condition; NULL: it has none. */
const struct node *features_condition_of(const struct tree *loop);
/* How often a loop's condition was evaluated; where nothing was counted, each loop around is taken
 * for ten times. */
double features_counted(const struct walk *walk, const struct tree *loop);
/* The walk came to the loop, whose trip count is known or not. */
void features_note_executions(struct walk *walk, const struct tree *loop, bool known);

/* Marks the loops that are executed most, and those around them, if no loop that is known is
 * executed more. */
void features_want_unknown(struct walk *walk);
/* What these go by, of the busiest ones first. */
void features_add_origins(struct walk *walk);
/* Where the loops of a region, of which so many are of unknown length, tell too little: integers of
 * the function, and integers of the records that the region reads, up to the limit of sizes. */
void features_add_guessed_sizes(struct walk *walk, const struct frame *frame, int unknown_loops);

/* Of a region that stays and reads: what is known only where it ends; false: nothing is. */
bool features_add_late(struct walk *walk, const struct frame *frame);

/* A number of ranks, no size: other ranks, and those of larger runs, have other ones. `is_same`: an
 * argument is the subject. */
bool features_is_rank(const struct function *function,
                      bool (*is_same)(const struct ast *ast, const void *subject),
                      const void *subject);

/* What one rank does under this condition, and the others do not: reading the input, say, of which
 * no size is known. */
bool features_tell_ranks_apart(const struct walk *walk, const struct frame *frame,
                               const struct tree *tree, const struct ast *condition);

/* Loops under the condition, from candidate `first` on, are known, and it is a part of them. */
bool features_follow_from_loops(const struct walk *walk, size_t first, int unknown_loops);
