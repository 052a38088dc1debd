/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a call is made: which rank of a run, in which iterations of the loops around it. All that
 * is learned is a function of this.
 *
 * An axis is where a rank lies among others: in a communicator (SYNTH_AXIS(group, 0)), or in a
 * dimension of its Cartesian topology (SYNTH_AXIS(group, 1) is dimension 0). Groups are the
 * communicators of a run in the order in which each rank makes them; group 0 is MPI_COMM_WORLD,
 * group 1 MPI_COMM_SELF. A rank that has no part in a group is at position -1 of 0.
 */
#ifndef SYNTHESIS_EVAL_SYNTH_SITUATION_H
#define SYNTHESIS_EVAL_SYNTH_SITUATION_H

#include <stdbool.h>

#define SYNTH_LOOPS_MOST 24
#define SYNTH_DIMENSIONS_MOST 6
#define SYNTH_GROUPS_MOST 64
#define SYNTH_PARAMETERS_MOST 32

#define SYNTH_AXIS(group, dimension) ((group) * 8 + (dimension))
#define SYNTH_AXIS_GROUP(axis) ((axis) / 8)
#define SYNTH_AXIS_DIMENSION(axis) ((axis) % 8 - 1) /* -1: the communicator itself */
#define SYNTH_AXES_MOST (SYNTH_GROUPS_MOST * 8)

struct synth_place { /* of a rank on an axis */
    int position, size;
};

struct synth_group {
    const struct synth_place *places; /* by world rank */
    const int *const *members;        /* by world rank: world ranks by rank in the communicator */
    int dimension_count;
    int dimensions[SYNTH_DIMENSIONS_MOST];
};

struct synth_world {
    int ranks;
    int parameter_count, group_count;
    const double *parameters;
    const struct synth_group *groups;
};

struct synth_iteration {
    int index, count;
};

struct synth_situation {
    const struct synth_world *world;
    int rank; /* in MPI_COMM_WORLD */
    int depth;
    struct synth_iteration loops[SYNTH_LOOPS_MOST]; /* outermost first */
};

struct synth_place bsim_synth_place(const struct synth_situation *at, int axis);

/* The rank of a communicator at these coordinates, row-major; -1: beyond the edge. */
int bsim_synth_rank_at(const struct synth_group *group, const int *coordinates);
void bsim_synth_coordinates(int *out, const struct synth_group *group, int rank);

/* As MPI_Dims_create makes them, largest first; `rising`: the same, largest last. */
void bsim_synth_balanced(int *out, int count, int ranks, bool rising);

/* How a call is come to, which decides what was computed before it: first; since the innermost loop
 * has come around; or since the call before is the same one. The last loop of a call is how often
 * it comes in a row. */
enum synth_visit { SYNTH_FIRST_VISIT, SYNTH_AGAIN, SYNTH_IN_A_ROW, SYNTH_VISITS };

static inline enum synth_visit synth_visit(const struct synth_situation *at) {
    return at->depth > 0 && at->loops[at->depth - 1].index > 0   ? SYNTH_IN_A_ROW
           : at->depth > 1 && at->loops[at->depth - 2].index > 0 ? SYNTH_AGAIN
                                                                 : SYNTH_FIRST_VISIT;
}

#endif
