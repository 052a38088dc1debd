/* SPDX-License-Identifier: Apache-2.0
 *
 * What a finished run says: the contents of the report of `mpiskel run` (cli/print prints it).
 *
 * In: the summary of the run, the regions, and the model with its trained ranges. Out: the
 * predicted time, the spread of computation and MPI time over the ranks, regions, MPI functions and
 * call sites by time, for each feature that left its trained range by how much (the extrapolation
 * factor), and how sure the time is (interval.h). Equal times are ordered by name, so that the same
 * run gives the same report.
 */
#pragma once

#include "base/process.h"
#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/findings/findings.h"
#include "model/samples/region.h"
#include "model/verdict/verdict.h"
#include "simulator/changes/changes.h"
#include "simulator/noise/machine_noise.h"
#include "simulator/prediction/attribution.h"
#include "simulator/prediction/interval.h"
#include "simulator/prediction/noise.h"
#include "simulator/prediction/own_time.h"
#include "simulator/run/scenario.h"
#include "simulator/run/stats.h"
#include "simulator/run/traffic.h"

struct extremes {
    double min, mean, max;
};

/* What a run says of the machine's noise: whose it was, and how much of the ranks' time it took.
 * What others waited for is not told apart. */
struct interrupted {
    struct machine_noise noise;
    unsigned long long seed;
    double share;         /* of the time of a core that computes, as it was measured */
    double interrupted_s; /* the mean of the ranks, in this run */
};

/* A feature, or a number of the run, outside the range that the region's model was fitted on. */
struct extrapolation {
    const struct region *region;
    const char *name, *meaning;
    double seen_min, seen_max, trained_min, trained_max;
    double factor; /* > 1; infinite where the trained bound is 0 */
};

/* A value of which the skeleton was given numbers that its model does not tell to within a tenth.
 */
struct untold_region {
    const struct region *region;
    double count, error; /* of such numbers on all ranks; 0.5: off by up to 50 % */
};

/* What MPI-IO reads, or writes, on all ranks: the bytes that the calls ask for. */
struct file_access {
    const char *name; /* "read", "write" */
    double count, bytes, seconds_per_rank;
};

struct prediction {
    const char *program;
    const char *rough; /* what models say that were not learned on their machine; NULL: they were */
    bool original;     /* the application itself was simulated, not its skeleton */
    const struct run_stats *stats;
    const struct regions *regions;
    double rank_seconds; /* sum of all ranks' end times: what shares refer to */
    struct extremes compute_s, mpi_s, calls;
    const struct extremes *device_s;       /* NULL: the program has no device */
    struct region_stats *regions_by_time;  /* stats->region_count */
    struct region_error *errors;           /* likewise, in the same order */
    struct interval interval;              /* not of an original */
    struct untold_region *untold;          /* stats->untold_count, the largest error first */
    const char **unvaried_names;           /* stats->unvaried_count: of what each value goes by */
    const struct noise *noise;             /* NULL: was not asked for; set by the caller */
    const struct interrupted *interrupted; /* likewise: by the machine's noise */
    const struct scenario *scenario;       /* likewise: what was changed */
    const struct attribution *attribution; /* likewise */
    const struct verdict *verdict;         /* likewise: of the guard; NULL: of an original */
    const char *network;                   /* likewise: on which it was simulated, in words */
    const char *processor;        /* likewise: that counted the models' times, in one line */
    const char *engine;           /* likewise: `own` or `smpi`; NULL: nobody asks */
    const char *engine_lacks;     /* likewise: why it was SMPI where the engine was asked for */
    const char *const *arguments; /* likewise: of the application */
    size_t argument_count;
    struct traffic messages;         /* likewise */
    const struct findings *findings; /* likewise: what makes it doubtful (run_findings.h) */
    const struct iteration_report *iterations; /* NULL: all were simulated; set by the caller */
    struct own_times own_times;                /* likewise: between two places */
    const struct clock_pair *untold_clock;     /* likewise: of too many ranks to be told; or NULL */
    struct call_stats *calls_by_time, *sites_by_time;
    struct file_access *files; /* two of them, if there are any */
    size_t file_count;
    VEC(struct extrapolation) extrapolations; /* the farthest first */
};

/* The arrays above are sorted copies in stats->arena. `model` may be NULL if there are no regions,
 * or for a run of the original; `basis` as interval_make says. A summary that does not fit the
 * regions or the model is an error. */
int prediction_make(struct prediction *out, struct run_stats *stats, const struct regions *regions,
                    const struct bsim_model *model, const struct interval_basis *basis,
                    bool original, struct error *error);
void prediction_dispose(struct prediction *prediction);

/* Noise and seed are there. */
void interrupted_sum_up(struct interrupted *interrupted, const struct run_stats *stats);
