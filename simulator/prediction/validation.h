/* SPDX-License-Identifier: Apache-2.0
 *
 * Predictions against what was measured: the report of `mpiskel validate`.
 *
 * A configuration (ranks and arguments) has the skeleton's predicted time with its interval, the
 * time of the original under SMPI, the time of real runs where there were any, and, where the
 * profiling build ran at that configuration, each region's time beside the predicted one, those
 * that are off by most seconds first. Error: predicted / measured - 1. Where something was measured
 * repeatedly its median counts.
 */
#pragma once

#include "base/vec.h"
#include "model/findings/findings.h"
#include "model/samples/told_again.h"
#include "simulator/noise/disturbance.h"
#include "simulator/prediction/interval.h"
#include "simulator/prediction/prediction.h"
#include "simulator/run/stats.h"

#include <stdbool.h>

/* An interruption of some milliseconds, which comes once in a while, is a tenth of it. */
#define VALIDATION_SHORT_S 0.02

struct times {
    size_t count; /* 0: not measured */
    double median_s, min_s, max_s;
    double standard_error; /* of the mean, as a share of it; NAN: of one */
    double processor_s;    /* of real runs, the median; of a rank, with start and end; 0: unknown */
};

/* Whether a measured time lies in the interval, as far as its own error allows to say so. */
enum validation_verdict {
    VERDICT_NO_INTERVAL,
    VERDICT_ONE_RUN,   /* whose error nobody knows */
    VERDICT_DISTURBED, /* others used the machine, and it is with all interruptions */
    VERDICT_TOO_NEAR,  /* to an end of the interval, for its error */
    VERDICT_INSIDE,
    VERDICT_OUTSIDE,
};

struct validated_region {
    const struct region *region;
    double predicted_s, measured_s; /* of all ranks together */
    struct region_error error;
};

/* Calls of an MPI function and their bytes, on all ranks together. */
struct validated_function {
    const char *name;
    double skeleton_calls, synthesised_calls, skeleton_bytes, synthesised_bytes;
};

/* The same run by the other way, that without source. */
struct validated_synthesis {
    bool is_known;
    double predicted_s;
    VEC(struct validated_function) functions;
    struct validated_function all; /* their sum */
};

struct validated {
    size_t ranks;
    const char *arguments; /* as one text */
    const char *network;   /* on which skeleton and original were simulated, in words */
    double predicted_s;
    struct interval interval;
    struct times original, real;
    struct times as_it_comes;    /* the original with all interruptions of the machine */
    bool is_corrected;           /* `original` is without these; else the two are the same */
    const char *original_caches; /* "warm", "cold": what the original finds */
    const char *model_caches;    /* ... what the models were trained with; "mixed"; NULL: unknown */
    bool is_unsettled;           /* its standard error is larger than asked for */
    bool is_counted;             /* by clocks that take the same time in each run */
    bool is_disturbed;           /* others used the machine meanwhile */
    bool is_crowded;             /* the real ranks shared processors: their time is no measure */
    struct validated_synthesis synthesis;
    VEC(struct validated_region) regions;
    struct counted_parts
        parts;                /* of the measured regions' time on all ranks, as the clock counts */
    const char *regions_from; /* what measured the regions; or, if there are none, why */
    struct findings findings; /* what makes the measured times doubtful */
};

struct validation {
    const char *program, *launcher; /* launcher: of the real runs; NULL: none were asked for */
    VEC(struct validated) items;
};

/* The times' order is changed; count is at least 1. */
struct times times_of(double *seconds, size_t count);

enum validation_verdict validation_verdict_of(const struct validated *one,
                                              const struct times *times);

/* What the run of the skeleton says; region_s: measured seconds per region of the bundle, NULL: not
 * measured. */
void validated_add_regions(struct validated *out, const struct prediction *prediction,
                           const double *region_s);

/* Of the kinds "short" (an original of less than VALIDATION_SHORT_S) and "disturbed". */
void validated_find_doubts(struct validated *out, const struct disturbance *disturbance);

double error_of(double predicted_s, double measured_s); /* infinite if nothing was measured */

/* What both ways call; names are copied. */
void validated_add_functions(struct validated_synthesis *out, const struct run_stats *skeleton,
                             const struct run_stats *synthesised, struct arena *arena);

/* The largest absolute error of any configuration, of original and real runs, and difference of the
 * two ways. */
double validation_largest_error(const struct validation *validation);

void validation_dispose(struct validation *validation);
