/* SPDX-License-Identifier: Apache-2.0
 *
 * Run time over the number of ranks, learned from a few points and carried on to more ranks.
 *
 * In: points (ranks, seconds, and where known the part of them that is computation). Of points with
 * equal ranks the fastest counts, for what slows a run down is not the program. Out: a curve
 * (scaling_form.h) for the whole time, or one for the computation and one for the rest, which are
 * added. Which of them is decided by held-out points: the smaller k of n points predict all larger
 * ones, for k from half of them on (at least 3); with fewer than 5 points each is left out once.
 * The error is the mean of |ln(predicted / measured)|. Held-back points cannot show what only the
 * last points do (time that begins to rise again), so the deviation of all points from the curve
 * that is fitted to all counts as well, twice. Of forms that are nearly as good as the best the
 * simplest is taken.
 * The band around a prediction is twice the deviation that held-out points had, which grows with
 * the logarithm of how far beyond the points one looks; it holds as well what other forms say that
 * pass the points as closely. It is no guarantee: a program may change its behaviour where nobody
 * looked. Not handled: times that depend on more than the number of ranks (grids that are not
 * square, sizes that do not divide); such steps count as errors.
 */
#pragma once

#include "base/error.h"
#include "base/vec.h"
#include "model/scaling/scaling_form.h"

#include <stdbool.h>
#include <stddef.h>

struct scaling_point {
    double ranks, time_s;
    double computation_s; /* NaN: not known. The rest of the time is communication and waiting */
};

typedef VEC(struct scaling_point) scaling_point_list;

struct scaling_candidate {
    bool separate; /* computation + communication */
    struct scaling_curve whole, computation, communication;
    double error; /* mean |ln(predicted / measured)| of held-out points; NaN: none was held out */
    double residual; /* deviation of the points from the curve that was fitted to all */
    double score;    /* of both: the less the better; NaN where the error is */
    double growth;   /* of the deviation, for each factor e beyond the points */
    double noise;    /* deviation within the points */
};

struct scaling {
    scaling_point_list points; /* ascending, one for each number of ranks */
    bool leave_one_out;
    VEC(struct scaling_candidate) candidates; /* the simplest first */
    const struct scaling_candidate *chosen;
};

/* At least two numbers of ranks; everything finite, ranks >= 1, times > 0, computation within 0 and
 * the time. Otherwise an error. */
int scaling_fit(struct scaling *out, const struct scaling_point *points, size_t count,
                struct error *error);
void scaling_dispose(struct scaling *scaling);

double scaling_time_s(const struct scaling *scaling, double ranks);
/* False: nothing was held out, so that nothing is known. */
bool scaling_band(double *out_low_s, double *out_high_s, const struct scaling *scaling,
                  double ranks);

/* The number of ranks with the least time, more than the first point has; 0: the time falls up to
 * SCALING_RANKS_MAX. */
#define SCALING_RANKS_MAX 1e7
double scaling_turn(const struct scaling *scaling);

/* Time, speed-up and efficiency are relative to the first point; with `weak` the work grows with
 * the ranks. */
double scaling_speedup(const struct scaling *scaling, double ranks, double time_s, bool weak);
double scaling_efficiency(const struct scaling *scaling, double ranks, double time_s, bool weak);
/* The first number of ranks where the curve's efficiency is below `wanted`; 0: none up to
 * SCALING_RANKS_MAX. */
double scaling_efficiency_end(const struct scaling *scaling, double wanted, bool weak);
