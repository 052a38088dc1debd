/* SPDX-License-Identifier: Apache-2.0
 *
 * How sure a predicted time is: its 95 % interval, from the errors of the models.
 *
 * In: the summary of the run, the models' spreads (model/latency/spread.h), and what is known of
 * its communication. Each part is a
 * standard deviation of the logarithm, or seconds by which the time may be longer or shorter; parts
 * are independent, so the squares of their seconds add up, above and below the predicted time T
 * each for itself. With q = 1.96, a deviation d of a time t gives t * (exp(q d) - 1) above and t *
 * (1 - exp(-q d)) below.
 *
 * models: a region is off by one factor in all its executions on all ranks, with the deviation of
 * its model at the factor by which the run's features, or its own numbers, leave the trained range,
 * and for the part of its time by which terms of its formula have larger shares than in training.
 * Regions are independent of each other. t is the larger one of the region's share of all
 * computation times T', and its time on the rank that spends most in it. T' is what computation can
 * make longer: T on an ideal network, where that was simulated. For T is the longest of all paths
 * of computations and messages, each rank's own and from rank to rank; with computations longer by
 * a part e, no path is longer by more than e times its computations, which are at most T'. They are
 * also at most those of all ranks together.
 * alike: what other numbers of the run, which tell the samples as well as the one that was taken,
 * say of the region's time.
 * runs: what all regions of a run are off by together, TYPICAL_RUN of it; t = T'. So the interval
 * is one of typical times, and single runs of a machine that is not quiet lie outside more often.
 * network: what the network's description is off by, from its calibration, which is one for all
 * messages; t = T - T', or, where no ideal network was simulated, the mean time of a rank in MPI.
 * loops: a loop whose number of iterations is that of a formula, and of no profiling run. t is the
 * time that a rank is in it, d = 1.25 e sqrt(1 + ln(f)^2), for the mean error e of runs that were
 * left out (1.25: the standard deviation of a normal distribution over its mean deviation) and the
 * factor f by which what it goes by leaves the trained range.
 * values: other given values that no profiling run had and models tell to within a tenth at best.
 * They say how much is communicated, or how often: t is the mean time of a rank in MPI, d = 1.25 e.
 * executions, ranks: what ranks wait for each other since executions differ by chance, and ranks by
 * more than features tell. If ranks met after each execution, the slowest of n would be above the
 * mean by w = sum of t * d * z(n), with d the region's execution or rank spread and z(n) the
 * expected largest of n normal numbers. That is in T already, as far as ranks do meet. But few
 * ranks tell little of the spread, and nothing of its tail, so w counts as known to within
 * WAIT_UNSURE, and not by more than ranks are in MPI. Of a region that no rank executes often
 * enough for draws nothing is in T, so q w is added above. unvaried: what a feature may cost that
 * no profiling run varied (unvaried.h). others: what no model of this program knows,
 * INTERVAL_FLOOR; t = T. For programs that count it is INTERVAL_FLOOR_COUNTED, and besides
 * INTERVAL_FLOOR for what a rank is longer in MPI than it computes: there it is kept code between
 * calls, of which a mean is known, that decides which messages meet on a link.
 *
 * A region of which nothing is known counts as d = 1: from a seventh to seven times its time. Where
 * such regions have more than INTERVAL_UNKNOWN_MAX of the computation there is no interval; nor
 * where an unvaried feature may cost more than INTERVAL_UNVARIED_MAX of T. More than d = 2, a
 * factor of 50, counts as 2: that a region without weight may take days is no information.
 *
 * Not handled: a network that is not the one of the description, or whose error nobody measured.
 */
#pragma once

#include "model/eval/eval.h"
#include "model/findings/unexplained.h"
#include "model/samples/region.h"
#include "simulator/prediction/unvaried.h"
#include "simulator/run/stats.h"

#include <stdbool.h>

#define INTERVAL_UNKNOWN_MAX 0.05
#define INTERVAL_UNVARIED_MAX 0.5
#define INTERVAL_FLOOR 0.04
#define INTERVAL_FLOOR_COUNTED 0.01 /* a clock that counts has no noise (runtime/counted) */

enum interval_part {
    INTERVAL_MODELS,
    INTERVAL_ALIKE,
    INTERVAL_RUNS,
    INTERVAL_NETWORK,
    INTERVAL_LOOPS,
    INTERVAL_VALUES,
    INTERVAL_EXECUTIONS,
    INTERVAL_RANKS,
    INTERVAL_UNVARIED,
    INTERVAL_OTHERS,
    INTERVAL_PARTS
};

struct interval {
    bool known;
    double low_s, high_s;
    double parts_s[INTERVAL_PARTS]; /* above, if there were no others */
    double factor;                  /* the largest of any region, 1: nothing was extrapolated */
    const struct region *widest;    /* whose model adds most to the models' part; NULL: none does */
    double unknown_share;           /* of computation: regions of whose error nothing is known */
    const struct region *unknown;   /* the one of them with most time; NULL: there is none */
    struct unvaried unvaried;       /* its region is NULL where it does not matter */
    const struct region *loop; /* that iterates as a formula says, with most time; NULL: none */
    double loop_share;         /* of the predicted time that a rank is in it */
    double loop_error;         /* e; negative: not known */
    const char *not_known; /* arguments (model/varied): there is no interval; set by the caller */
};

/* What a region contributes. */
struct region_error {
    bool known;
    double deviation;       /* of the logarithm; 1 where it is not known */
    double run;             /* from run to run, on top of it */
    double execution, rank; /* of single executions, by chance; of ranks */
    double factor;          /* by which its features leave the trained range; 1: they do not */
};

/* `fitted`: NULL where there is no model. */
struct region_error region_error_of(const struct region_stats *seen,
                                    const struct bsim_region_model *fitted, bool is_synthesised);

/* What is known of the communication besides the summary. */
struct interval_basis {
    double ideal_share;   /* of the predicted time, on an ideal network; 0: not simulated */
    double network_error; /* deviation of the logarithm of messages' times; 0: not known */
};

/* `model` may be NULL if there are no regions, `basis` if nothing is known. */
void interval_make(struct interval *out, const struct run_stats *stats,
                   const struct regions *regions, const struct bsim_model *model,
                   const struct interval_basis *basis);

/* Half the width of a 95 % interval, above, as a part: exp(1.96 * deviation) - 1. */
double deviation_part(double deviation);

/* What profiling runs spent in kept code is missing in the prediction: its interval goes up to the
 * time of which regions and MPI calls have the same share as they had in the profiling runs. The
 * lower end stays, since nothing says that there is as much kept code in this run. Nothing changes
 * where it does not matter. */
void interval_widen(struct interval *interval, const struct unexplained *unexplained);
