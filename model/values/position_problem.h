/* SPDX-License-Identifier: Apache-2.0
 *
 * How ranks that did the same differ (value_position.h): groups of them, the ranks of one run with
 * the same features, whose numbers count in relation to each other only, and the density over the
 * box that tells these relations best. Scales of groups and the density are found in
 * turn; what groups see at the same place is taken together.
 */
#ifndef MODEL_VALUES_POSITION_PROBLEM_H
#define MODEL_VALUES_POSITION_PROBLEM_H

#include "model/samples/sample.h"
#include "model/values/position_density.h"

#include <stddef.h>

struct position_observation {
    size_t place;
    double number, weight; /* the mean, and of how many executions */
    const struct sample *sample;
};

/* Observations [begin, end), the number of ranks, and what the numbers are relative to. */
struct position_group {
    size_t begin, end;
    int length;
    double scale;
};

struct position_place {
    int at, length; /* the rank, and how many there are */
    double factor;
};

struct position_problem {
    VEC(struct position_observation) observations; /* by group */
    VEC(struct position_group) groups;
    VEC(struct position_place) places;
};

/* Of the samples of one value, sorted by features, those whose feature `split` is `number`; -1:
 * all. They have to outlive the problem. */
void position_problem_make(struct position_problem *out, const struct samples *all,
                           const struct sample *samples, size_t count, int split, double number);
void position_problem_dispose(struct position_problem *problem);

/* Whether ranks had the same numbers, other than where the box mirrors itself in its middle. */
bool position_may_have_to_agree(const struct position_problem *problem);

/* Without the groups of as many ranks (0: with all). False: they say nothing. */
bool position_fit(double *density, struct position_problem *problem,
                  const struct density_kind *kind, int without);

/* Sum of differences in groups of so many ranks, their sums being known; density NULL: all ranks
 * are alike. */
double position_error(struct position_problem *problem, const struct density_kind *kind,
                      const double *density, int length);

/* About the least that any density leaves: each place has a factor of its own. */
double position_least_error(struct position_problem *problem);

#endif
