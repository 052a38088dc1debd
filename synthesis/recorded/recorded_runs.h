/* SPDX-License-Identifier: Apache-2.0
 *
 * Recorded runs of one program, as the learner wants them: call paths of all runs as one tree,
 * communicators numbered alike on all ranks, requests by their position among the outstanding ones.
 *
 * In: directories of `mpiskel record` (recorded_load.h), or texts in tests. Polls are none of the
 * calls; their time belongs to the next call.
 */
#pragma once

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/vec.h"
#include "synthesis/eval/synth_model.h"
#include "synthesis/eval/synth_world.h"

#include <stdbool.h>
#include <stdint.h>

struct recorded_call {
    double compute_s; /* of the processor since the call before */
    double time_s;    /* in the call */
    long long bytes, other_bytes;
    long long colour, key; /* of MPI_Comm_split; colour of MPI_Cart_sub: bits */
    uint32_t frame;        /* the call path without the call: in struct recorded_runs */
    int16_t call;          /* enum synth_call */
    int16_t group, made;   /* communicators, numbered as in synth_situation.h; made -1: none */
    int peer, other_peer;  /* ranks of the communicator, or SYNTH_NOBODY */
    int tag, other_tag;
    int completes, first; /* outstanding requests that end, and the position of the first */
    bool completes_all;   /* none is outstanding afterwards */
};

struct recorded_rank {
    VEC(struct recorded_call) calls;
};

/* How a group was made. */
struct recorded_making {
    enum synth_making making;
    int parent;
    long long *colours, *keys; /* by world rank; colour -1: not in it */
    long long *bits;           /* of a subgrid: of the dimensions that remain */
};

struct recorded_run {
    const char *name; /* its directory */
    int ranks;
    const double *parameters; /* as many as struct recorded_runs says */
    struct recorded_rank *by_rank;
    struct synth_world world;
    struct synth_group groups[SYNTH_GROUPS_MOST];
    struct recorded_making makings[SYNTH_GROUPS_MOST];
    double elapsed_s;
    const char *clock; /* of compute_s, as samples name it (docs/reference/samples.md) */
};

struct recorded_frame {
    uint32_t parent;
    const char *name; /* as messages tell it */
    const char *key;  /* MODULE+OFFSET: the same in all runs */
    uint64_t offset;  /* in its module: the order in the program */
};

struct recorded_runs {
    struct arena arena;
    int parameter_count;
    const char *parameter_names[SYNTH_PARAMETERS_MOST];
    VEC(struct recorded_run *) items;
    VEC(struct recorded_frame) frames; /* number 0: outside of all */
    struct hash_table by_frame;        /* parent and key: number */
    struct synth_pool pool;            /* of groups */
    int assumed_groups;                /* from number 2, which no call makes (assumed_grid.h) */
};

void recorded_runs_init(struct recorded_runs *out);
void recorded_runs_dispose(struct recorded_runs *runs);

/* The number of this frame; a new one if it was not known. Texts are copied. */
uint32_t recorded_frame(struct recorded_runs *runs, uint32_t parent, const char *key,
                        const char *name, uint64_t offset);

/* A new run of so many ranks without calls, with MPI_COMM_WORLD and MPI_COMM_SELF. */
struct recorded_run *recorded_run_add(struct recorded_runs *runs, const char *name, int ranks,
                                      const double *parameters);

/* Adds the next group, which came of splitting its parent as MPI_Comm_split does it; dimensions are
 * the caller's. -1: there are too many. */
int recorded_group_add(struct recorded_runs *runs, struct recorded_run *run,
                       const struct recorded_making *making);

/* The place of a call: its run's world, its rank; loops are the caller's. */
struct synth_situation recorded_situation(const struct recorded_run *run, int rank);
