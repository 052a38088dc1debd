/* SPDX-License-Identifier: Apache-2.0
 *
 * What recorded runs show of each node of a program: a row for each thing that is to be learned,
 * with the situation in which it was so.
 */
#pragma once

#include "synthesis/learn/program_tree.h"

struct sighting {
    uint32_t run;
    int rank;
    size_t loops;                     /* in struct sightings */
    const struct recorded_call *call; /* NULL: of no call */
    long long value;
};

struct sighting_rows {
    int depth; /* loops of each */
    VEC(struct sighting) of;
};

struct node_sightings {
    struct sighting_rows presence;    /* in each iteration of its part: 0 or 1 */
    struct sighting_rows in_a_row;    /* of a call: how often it comes */
    struct sighting_rows calls;       /* of a call: each, the last loop is the run */
    struct sighting_rows *iterations; /* of a frame: by part */
};

struct sightings {
    const struct recorded_runs *runs;
    const struct program_tree *tree;
    struct node_sightings *nodes; /* by number */
    VEC(struct synth_iteration) loops;
    size_t misplaced; /* calls behind a part that comes later: 0, if the structure is right */
};

struct iteration_clock;

/* `clock`: numbers of iterations for all ranks together, iterations that a rank has not are there
 * without calls; NULL: each rank's own. */
void sightings_make(struct sightings *out, const struct recorded_runs *runs,
                    const struct program_tree *tree, const struct iteration_clock *clock);
void sightings_dispose(struct sightings *sightings);

struct synth_situation sighting_situation(const struct sightings *sightings,
                                          const struct sighting_rows *rows,
                                          const struct sighting *row);
