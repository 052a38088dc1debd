/* SPDX-License-Identifier: Apache-2.0
 *
 * The summary of a run (BSIM_STATS, docs/reference/run-files.md), read into plain arrays.
 *
 * In: the JSON file that the runtime writes when the last rank finalizes. Out: struct run_stats,
 * all of it in its arena. Anything missing, of a wrong type, negative or not finite is an error
 * that names the file and the member. Members that are not known are ignored.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"

#include <stddef.h>

struct rank_stats {
    double end_s, compute_s, mpi_s, calls;
    double device_s;                    /* in calls for devices; 0: there were none */
    double interrupted_s;               /* of compute_s, by the machine's noise; 0: not told */
    const struct call_stats *functions; /* if they were asked for */
    size_t function_count;
};

/* Seconds, executions, counts and bytes are sums over ranks. */
struct region_stats {
    size_t index;
    double executions, seconds;
    double most_seconds;   /* of the rank that spent most; 0: not told */
    double unseen_seconds; /* where terms of the formula have unseen shares (model/eval/eval.h) */
    /* What its time would be multiplied with by formulas that tell the samples as well; 0: none. */
    double others_min, others_max;
    size_t feature_count;
    const double *features_min, *features_max;
    size_t run_number_count; /* that its model goes by (model/eval/eval_run_factor.h) */
    const double *run_numbers_min, *run_numbers_max;
};

/* A loop whose number of iterations is of no profiling run (value regions). */
struct doubtful_loop {
    size_t index;
    double seconds; /* in it, of the rank that was there longest */
    double factor;  /* by which what it goes by leaves what was seen; 1: it does not */
};

/* A value of which numbers were given that models do not tell to within a tenth. */
struct untold_count {
    size_t index;
    double count; /* of such numbers, on all ranks */
};

/* A number that a value goes by, which was the same in all profiling runs, and is another here. */
struct unvaried_value {
    size_t index;
    size_t place; /* of the features, and behind them of what the model knows of the run */
    double profiled, seen;
};

struct call_stats {
    const char *name;
    const char *file; /* NULL in `calls` */
    size_t line;
    double count, seconds, bytes;
    double
        waiting_s; /* of the seconds, on an ideal network (attribution.h); not read from a file */
};

struct run_stats {
    struct arena arena;
    size_t ranks, finalized;
    double makespan_s;
    struct rank_stats *per_rank; /* `ranks` of them */
    struct region_stats *regions;
    struct doubtful_loop *doubtful_loops;
    struct untold_count *untold_values;
    struct unvaried_value *unvaried_values;
    struct call_stats *calls, *sites;
    size_t region_count, doubtful_loop_count, untold_count, unvaried_count, call_count, site_count;
};

/* Of all regions on all ranks. */
double run_stats_region_seconds(const struct run_stats *stats);

int run_stats_read(struct run_stats *out, const char *path, struct error *error);
void run_stats_dispose(struct run_stats *stats);

/* Calls at the lines of the application's source instead of the skeleton's; those of one place are
 * one. */
int run_stats_tell_lines(struct run_stats *stats, const char *regions_file, struct error *error);
