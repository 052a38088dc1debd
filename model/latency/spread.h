/* SPDX-License-Identifier: Apache-2.0
 *
 * How far the latencies of a region may be from what its model says: struct bsim_spread, standard
 * deviations of the logarithm of measured / predicted (0.05 is about 5 %), docs/reference/model.md.
 *
 * model: one factor for the region as a whole. From configurations that were left out of the fit in
 * turn, each of their runs for itself, since what features do not tell is an error in each of them:
 * r, the logarithm of its measured over its predicted time, and x, the logarithm of the
 * factor by which their features, or the run's numbers that the model has a factor for, leave the
 * range of the others (0 inside of it). The mean square of
 * r, less the variance of measuring a configuration (repeated_times.h), each weighted by the square
 * root of its time and divided by 1 + x^2, since a configuration
 * that had to be extrapolated to counts for less; times Student's quantile over the normal one, so
 * that few configurations give a wide interval and not a wrong one.
 * beyond: how fast the error grows outside of the range of the samples. Besides those left out one
 * by one the upper half of the configurations, by latency, is left out at once; the excess of r^2
 * over model^2 against x^2, at least model, at least BEYOND_UNMEASURED where nothing was far enough
 * out to measure it. At a factor e out of the range the deviation is
 *   sqrt(model^2 + (beyond * ln e)^2 + model * u),
 * with u the part of the time by which terms have larger shares than at any point. The samples tell
 * a sum in the mixtures that they had; in another one, with each feature in range, what is above
 * may be a coefficient that made up for a form that is not quite right (points outside of the hull
 * of the regressors: D. Montgomery, E. Peck, G. Vining, Introduction to Linear Regression Analysis,
 * on hidden extrapolation). A form that is exact has none; one that is not may be off by all of u,
 * but hardly is. Hence the geometric mean of model and u.
 * run: one factor for all regions of a run, of two variances: of runs of the same configuration,
 * and of what whole configurations are off by when they are left out, beyond what the regions' own
 * errors explain if they are independent (regions that wait for the same memory are wrong
 * together), and beyond what runs differ by. rank: one factor per rank, by what comes back at equal
 * features when a run is repeated (rank_spread.h). execution: one per execution, the parameter of a
 * log-normal distribution: from runs that repeat each other (jitter.h); where there are none, from
 * the samples' sums of squares less what contexts explain where the model has a ratio for them.
 *
 * Not handled: errors that all configurations of the training have in common (a machine that
 * behaves differently with many ranks on a node), errors of values that a skeleton takes as given.
 */
#pragma once

#include "model/eval/eval.h"
#include "model/latency/run_factor.h"
#include "model/samples/points.h"
#include "model/samples/repetition.h"

#include <stdbool.h>

/* Of each configuration of a program's runs, over all regions that have left-out errors: what was
 * measured and what was predicted when it was left out. */
struct run_errors {
    int run_count;
    int *configuration; /* per run: the first one that it repeats */
    double *measured_s, *predicted_s,
        *distance_s; /* per configuration; distance: weighted by time */
    double *squares; /* of seconds, if regions err independently */
};

void run_errors_init(struct run_errors *out, const struct samples *samples,
                     const struct works *works);
void run_errors_dispose(struct run_errors *errors);

/* The points of a region, the configuration of each, and a way to fit the model anew. */
struct spread_question {
    const struct points *points;
    const int *configuration; /* per point, from 0 */
    int configuration_count, feature_count;
    const struct run_scale *scale; /* whose numbers have ranges like features; NULL: none */
    /* Writes the latency of every point of a configuration that is marked in `left_out`, as the
     * model has it when it is fitted to the points of the others. */
    void (*refit)(double *out_s, const bool *left_out, const void *context);
    const void *context;
    double least_error;      /* the model is off by so much at least: a mean of absolute errors */
    struct run_errors *runs; /* to be added to; NULL: not asked for */
};

/* `samples`: those of the region, sorted by features, then run (points.h). False: there is only one
 * configuration and one run, so that nothing is known of the model's error, and *out is not set. */
bool spread_of_region(struct bsim_spread *out, const struct spread_question *question,
                      const struct sample *samples, size_t sample_count);

/* Whether a configuration was profiled more than once. */
bool samples_have_repetitions(const struct samples *samples, const struct regions *regions);

/* What all regions of a run are off by together: what differs from run to run, and what whole
 * configurations were off by when they were left out of all regions. 0 where neither is known: no
 * complete run was repeated, or nothing is told of the runs, and there are fewer than two
 * configurations. Values are left out. */
double spread_of_runs(const struct samples *samples, const struct works *works,
                      const struct run_errors *errors);
