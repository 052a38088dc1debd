/* SPDX-License-Identifier: Apache-2.0
 *
 * From samples to points to fit: the samples of one region with the same features, on different
 * ranks and in runs that repeat each other (the same number of ranks, the same arguments, the same
 * features on each rank, and what else the context tells), become one point, so that a
 * configuration does not count more because it was measured more often. Its latency is what
 * samples->statistic says: by default the median over ranks and repetitions of their mean
 * latencies, so that a few disturbed ranks or runs do not count.
 */
#pragma once

#include "base/arena.h"
#include "model/samples/sample.h"

struct point {
    int run;                /* of repetitions the first one */
    const double *features; /* >= 0; borrowed from the samples or the arena */
    double latency_s;       /* > 0 or 0 */
    double plain_s;         /* the part of it that does not wait for caches and memory */
    double total_s;         /* time of all its executions on all ranks, in all repetitions */
    double scatter; /* relative error of latency_s, as repetitions tell; 0: nothing was repeated */
};

struct points {
    struct point *items; /* sorted by features, then run */
    size_t count;
    int run_count;         /* distinct runs among them, repetitions not counted */
    size_t distinct_count; /* distinct feature vectors */
    double total_s;
    bool are_exact;  /* they were counted: no time has noise */
    bool are_waits;  /* parts of times, for caches and memory */
    bool has_caches; /* ... by a processor without caches it has none of their effects either */
};

struct run_context;

/* For each region of the bundle its points, from the arena. Samples that were never timed give no
 * point. The samples' order is changed. `context` may be NULL. */
struct points *points_of_regions(struct arena *arena, struct samples *samples, int region_count,
                                 const struct run_context *context);

/* The order of samples that models are fitted to, for qsort_r: by region, features, run (`context`:
 * an array by run of the one that it repeats, which comes first; NULL: none is known) and rank. */
int points_compare_samples(const void *left, const void *right, void *context);

/* Compares feature vectors number by number. */
int features_compare(const double *left, const double *right, int feature_count);

/* Behind the last sample with the features of the one at `first`; sorted by features. */
size_t points_group_end(const struct sample *samples, size_t count, size_t first);
