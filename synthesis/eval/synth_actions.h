/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of a rank, in order, as a model says them for a run; and whether those of all ranks fit
 * together.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_ACTIONS_H
#define SYNTHESIS_EVAL_SYNTH_ACTIONS_H

#include "synthesis/eval/synth_world.h"

#define SYNTH_ACTIONS_MOST 100000000 /* of all ranks: what memory there is for, about 8 GB */

struct synth_action {
    const struct synth_node *node; /* call and call path */
    int region;                    /* of the computation before it; -1: none */
    const double *features;        /* of the region; NULL: it has none */
    long long bytes, other_bytes;
    long long volume;     /* of a collective, once matched: what all members agree on */
    int group;            /* of its communicator */
    int peer, other_peer; /* ranks in it: receiver, sender, or root; SYNTH_NOBODY */
    int tag, other_tag;
    int completes, first; /* how many outstanding requests end, from which */
    int made;             /* the group that it makes; -1: none */
    int iteration;        /* of the outermost loop around it */
};

struct synth_actions {
    struct synth_action *items;
    size_t count;
};

struct synth_run {
    struct synth_pool pool; /* features */
    const struct synth_model *model;
    struct synth_made_world world;
    struct synth_actions *ranks; /* world.world.ranks of them */
};

/* What is asked, in which situation: an expression of a node, or a peer among a group. */
struct synth_question {
    const struct synth_situation *at;
    const struct synth_node *node;
    const struct synth_expression *of; /* NULL: a peer */
    const struct synth_peer *peer;
    int group;
};

struct synth_visitor {
    void (*visit)(void *context, const struct synth_question *question);
    void *context;
};

/* The same as bsim_synth_run_make; `visitor` may be NULL. */
int bsim_synth_run_visit(struct synth_run *out, const struct synth_model *model, int ranks,
                         const double *parameters, const struct synth_visitor *visitor,
                         char *error_text, size_t error_size);

/* 0, or -1 with error_text. To be disposed of in either case. */
int bsim_synth_run_make(struct synth_run *out, const struct synth_model *model, int ranks,
                        const double *parameters, char *error_text, size_t error_size);
void bsim_synth_run_dispose(struct synth_run *run);

/* How many times beyond what was recorded a run may be. Of ten, sizes of messages that were learned
 * from a factor of two between runs are extrapolated by more than three times that. */
#define SYNTH_BEYOND_MOST 10

/* 0, or -1 with error_text: ranks or parameters are too far from those of the recorded runs. */
int bsim_synth_range_check(const struct synth_model *model, int ranks, const double *parameters,
                           char *error_text, size_t error_size);

/* Goes through all calls as MPI would, without time: each message is received by the receive that
 * it matches, which gets its bytes; each collective is made by all members alike; nothing waits for
 * ever and nothing is left. 0, or -1: the first call that is not matched, with rank and call path.
 */
int bsim_synth_run_match(struct synth_run *run, char *error_text, size_t error_size);

#endif
