/* SPDX-License-Identifier: Apache-2.0
 *
 * What `generate` tells of a bundle: how much of the program there is, and how much of it stays.
 */
#pragma once

#include "skeletonizer/hot/hotness.h"
#include "skeletonizer/plan/plan.h"

struct generate_summary {
    int units, functions, functions_kept;
    int statements, statements_kept;
    double executions, executions_kept; /* of statements, in the scout run; 0: not known */
    double work, work_kept;             /* by estimate (work_estimate.h) */
    int mpi_calls, scratch_buffers, live_payloads, regions, features;
    bool is_one_rank; /* the program makes no MPI call */
    int values;       /* that models give: so many of the regions */
    int units_parsed, objects,
        objects_compiled; /* the others were taken over from an older bundle */
    bool is_taken_over;   /* nothing had changed: the analysis is that of the older bundle */
    double analysis_s, total_s;
};

/* Adds to *out, which was zero, what the plan shows: not is_one_rank, units_parsed, objects, what
 * was taken over and times. `counted`: the executions were counted, in a scout run. */
void summarize(struct generate_summary *out, const struct plan *plan, const struct hotness *hotness,
               bool counted);
