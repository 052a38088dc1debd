/* SPDX-License-Identifier: Apache-2.0
 *
 * How sure a predicted time is: its 95 % interval, from the errors of the models.
 *
 * In: the summary of the run and the models' spreads (model/latency/spread.h). A region whose model
 * has the deviation d (at the factor by which the run's features, or its own numbers, leave the
 * trained range) is taken to be off by the same factor in all its executions on all ranks, regions
 * to be off independently of each other, and the run-to-run spread to be common to all. With q
 * = 1.96 and t the time that the region has in the predicted time T, above T: sqrt(sum of (t *
 * (exp(q d) - 1))^2 + (T * (exp(q run) - 1))^2) below T: sqrt(sum of (t * (1 - exp(-q d)))^2 + (T *
 * (1 - exp(-q run)))^2) Besides, how much executions differ by chance is known of the training
 * only. If ranks met after each execution, the longest of n would be above the mean by w = sum of t
 * * d_e * z(n), with d_e the deviation of executions and z(n) the expected largest of n normal
 * numbers (G. Blom, Statistical Estimates and Transformed Beta-Variables, 1958: quantile (n - 3/8)
 * / (n + 1/4)). q w goes into the sum above T; below it w, since executions cannot differ by less
 * than nothing. t is the larger one of the region's share of all computation times T, and its time
 * on the rank that spends most in it. So all of T counts as computation or as waiting for
 * computation: where the network decides, the interval is too wide (`run --distribution` simulates
 * instead). A region of which nothing is known counts as d = 1: from a seventh to seven times its
 * time. Where such regions have more than INTERVAL_UNKNOWN_MAX of the computation there is no
 * interval. More than d = 2, a factor of 50, counts as 2: that a region without weight may take
 * days is no information.
 *
 * A loop whose number of iterations is that of a formula, and of no profiling run, is one more
 * region: t is the time that a rank is in it, and d = 1.25 e sqrt(1 + ln(f)^2), for the mean error
 * e of runs that were left out (1.25: the standard deviation of a normal distribution over its mean
 * deviation) and the factor f by which what it goes by leaves the trained range.
 *
 * A feature that was the same in all profiling runs and is another one here (unvaried.h) makes the
 * interval unknown too, where more than INTERVAL_UNKNOWN_MAX of the time may depend on it.
 *
 * Not handled: errors of the network's model, and of other values that the skeleton takes as given
 * (sizes of messages, branches).
 */
#ifndef SIMULATOR_REPORT_INTERVAL_H
#define SIMULATOR_REPORT_INTERVAL_H

#include "model/eval/eval.h"
#include "model/samples/region.h"
#include "simulator/report/unvaried.h"
#include "simulator/run/stats.h"

#include <stdbool.h>

#define INTERVAL_UNKNOWN_MAX 0.05

struct interval {
    bool known;
    double low_s, high_s;
    double factor;                /* the largest of any region, 1: nothing was extrapolated */
    double unknown_share;         /* of computation: regions of whose error nothing is known */
    const struct region *unknown; /* the one of them with most time; NULL: there is none */
    struct unvaried unvaried;     /* its region is NULL where it does not matter */
    const struct region *loop;    /* that iterates as a formula says, with most time; NULL: none */
    double loop_share;            /* of the predicted time that a rank is in it */
    double loop_error;            /* e; negative: not known */
};

/* What a region contributes. */
struct region_error {
    bool known;
    double deviation; /* of the logarithm; 1 where it is not known */
    double run;       /* from run to run, on top of it */
    double execution; /* of single executions, by chance */
    double factor;    /* by which its features leave the trained range; 1: they do not */
};

/* `fitted`: NULL where there is no model. */
struct region_error region_error_of(const struct region_stats *seen,
                                    const struct bsim_region_model *fitted);

/* `model` may be NULL if there are no regions. */
void interval_make(struct interval *out, const struct run_stats *stats,
                   const struct regions *regions, const struct bsim_model *model);

/* Half the width of a 95 % interval, above, as a part: exp(1.96 * deviation) - 1. */
double deviation_part(double deviation);

#endif
