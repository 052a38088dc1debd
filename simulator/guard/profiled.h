/* SPDX-License-Identifier: Apache-2.0
 *
 * The configurations of which a profiled run has counted its calls.
 *
 * In: samples of a bundle. Out: one item for each number of ranks, arguments and directory (where a
 * program may read its input), with the sums of each of its runs, and what one iteration more would
 * change. Runs that ended early are left out.
 */
#pragma once

#include "base/arena.h"
#include "model/latency/latency.h"
#include "model/samples/sample.h"
#include "simulator/guard/call_sums.h"

#include <stddef.h>

struct profiled {
    int ranks;
    const char *arguments;    /* a JSON array */
    const char *const *words; /* the same, as a program takes them */
    size_t word_count;
    const char *directory;  /* where it ran; "": not told */
    double elapsed_s;       /* of the longest run; 0: not told */
    struct call_sums *sums; /* of each run */
    size_t run_count;
    /* What one execution more of a given value would add where all that communicates is in one
     * loop that it decides; 0: nothing is given, or so seldom that this is no measure. */
    double iteration_percent;
    /* What values that are drawn, as hints say, change by chance; 0: none are. */
    double chance_percent;
    const void *size; /* the same of two with the same arguments and directory */
};

struct profiled_runs {
    struct profiled *items; /* by arguments, largest last; by ranks */
    size_t count;
    size_t without_counts; /* complete runs that have no counts */
};

/* All of *out from the arena; arguments and directories from the samples. */
void profiled_make(struct profiled_runs *out, struct arena *arena, const struct samples *samples,
                   const struct regions *regions, const struct models *models);

/* From that of its runs from which the sums differ least. */
void profiled_compare(struct call_difference *out, const struct profiled *run,
                      const struct call_sums *sums);
