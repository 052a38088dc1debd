/* SPDX-License-Identifier: Apache-2.0
 *
 * From recorded runs to a model of the program, and what was found on the way.
 */
#pragma once

#include "base/error.h"
#include "synthesis/learn/hypotheses.h"
#include "synthesis/learn/peer_hypotheses.h"

/* What a hypothesis is about. */
enum learned_kind {
    LEARNED_ITERATIONS,
    LEARNED_PRESENCE,
    LEARNED_RUN,
    LEARNED_COMMUNICATOR,
    LEARNED_TAG,
    LEARNED_SIZE,
    LEARNED_REQUESTS,
    LEARNED_PEER,
    LEARNED_GROUP,
    LEARNED_KINDS
};

const char *learned_kind_name(enum learned_kind kind);

struct learned_count {
    size_t exact, inexact; /* expressions */
    double right, rows;    /* rows that they give, of all */
};

/* An expression that was learned, where others are as simple; or that does not give all rows. */
struct learned_doubt {
    enum learned_kind kind;
    const struct synth_node *node; /* NULL: of a group */
    double right;
    bool is_peer;
    struct hypotheses numbers;
    struct peer_hypotheses peers;
};

struct learned_region {
    uint32_t node; /* of the tree: a call */
    enum synth_visit visit;
    int first;      /* the region of the node, of which it may be a part */
    int apart_from; /* a region whose condition holds of its ranks (ranks_apart.h); -1: none */
};

struct learned_program {
    struct synth_model model;
    struct program_tree tree;
    struct sightings sightings;
    struct learned_count counts[LEARNED_KINDS];
    VEC(struct learned_doubt) doubts;
    VEC(struct learned_region) regions; /* by number */
    size_t misplaced; /* calls that the structure does not hold: 0, if it is right */
};

/* 0, or -1: runs that do not go together (other communicators on some ranks). To be disposed of in
 * either case. */
int learned_program_make(struct learned_program *out, const struct recorded_runs *runs,
                         struct error *error);
void learned_program_dispose(struct learned_program *program);
