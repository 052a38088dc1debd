/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path: the chain of activities, over all ranks, that the run could not have been
 * shorter than.
 *
 * It is walked backwards from the end of the last event. Where a call had to wait, the path goes on
 * at the rank that it waited for, at the moment when that one came (D. Böhme et al., "Identifying
 * the root causes of wait states in large-scale parallel applications", ACM TOPC 3(2), 2016; F.
 * Schmitt et al. for the backward walk). What a call takes after that is on the path as
 * communication. The parts add up to the time from the first begin to the last end.
 */
#pragma once

#include "analysis/views/run_view.h"

/* A stretch of the path on one rank, in one event. */
struct path_step {
    int rank;
    uint32_t site; /* VIEW_NONE: outside of all events */
    int64_t begin_ns, end_ns;
};

struct critical_path {
    VEC(struct path_step) steps; /* by time; neighbours on one rank and site are one */
    int64_t *sites_ns;           /* of each site */
    int64_t *ranks_ns;           /* of each rank */
    int64_t outside_ns;
};

/* *out is the caller's (critical_path_dispose). */
void critical_path_make(struct critical_path *out, const struct run_view *view);
void critical_path_dispose(struct critical_path *path);
