/* SPDX-License-Identifier: Apache-2.0
 *
 * Segmented regression: y of x as pieces, each base + slope * x with base and slope >= 0, where the
 * places at which one piece ends and the next begins are found and not given.
 *
 * In: points (x, y), each with the scale that its error is relative to. Out: the pieces, which need
 * not join. Among all ways to cut the points the one with the least sum of squared relative errors
 * is found for each number of pieces by dynamic programming (R. Bellman, "On the approximation of
 * curves by line segments using dynamic programming", CACM 4(6), 1961), which is exact; the number
 * of pieces is the one with the least sum of squares, in units of the noise that points are known
 * to have, plus what J. Liu, S. Wu and J. Zidek ask for a piece ("On segmented multivariate
 * regression", Statistica Sinica 7, 1997): more than Schwarz, since the places are free. Points far
 * off their piece are weighted down, and all is done again. O(pieces * points^2). Not handled:
 * noise that is not independent, more than SEGMENT_POINTS_MAX points.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

#define SEGMENT_POINTS_MAX 1000

struct segment_point {
    double x, y;
    double scale; /* > 0: an error of y counts as its part of this; mostly y itself */
};

struct segment {
    double from;         /* it holds for x > from, up to the next one's; the first: -INFINITY */
    double base, slope;  /* >= 0 */
    size_t first, count; /* of the points, in their order by x */
};

struct segments {
    struct segment *items; /* at least one; in the arena */
    size_t count;
    double error; /* median of the relative errors */
};

struct segment_options {
    size_t most;        /* pieces; 0: 10 */
    size_t least;       /* points of a piece; 0: 3 */
    double noise;       /* the deviation of relative errors that points have anyway; 0: 0.01 */
    const double *cuts; /* ascending: a piece ends at these in any case (x <= cut, x > cut) */
    size_t cut_count;
};

/* An error if there is no point, or one whose x or y is not from 0 to 1e30 or its scale not from
 * 1e-30 to 1e30.
 * Points need not be sorted; equal x are fine. */
int segments_fit(struct segments *out, struct arena *arena, const struct segment_point *points,
                 size_t count, const struct segment_options *options, struct error *error);

/* The value at x. */
double segments_at(const struct segments *segments, double x);
