/* SPDX-License-Identifier: Apache-2.0
 *
 * What devices do, and what ranks do meanwhile.
 *
 * A lane is busy from the begin to the end of each of its operations, and idle else. A device is
 * busy while one of its lanes is, and overlaps with itself while several are. For each rank: how
 * long an operation that it asked for was under way, and of that how long the rank was in MPI,
 * computed, or was in calls of the device's library, where it waits. Several operations at a time
 * count once.
 */
#pragma once

#include "analysis/views/run_view.h"

struct lane_use {
    uint64_t operations;
    int64_t busy_ns;
};

struct device_sum {
    int32_t device;
    int64_t busy_ns, several_ns; /* several_ns: of it, in which several lanes are busy */
};

/* Of the time that operations of the rank are under way. */
struct rank_overlap {
    int64_t under_way_ns;
    int64_t mpi_ns, computation_ns, calls_ns; /* the rest: nothing that the trace tells */
};

struct device_use {
    struct lane_use *lanes; /* of each of the view's */
    struct device_sum *devices;
    size_t device_count;
    struct rank_overlap *ranks; /* of each rank; no time: it asked for nothing */
};

/* *out is the caller's (device_use_dispose). */
void device_use_make(struct device_use *out, const struct run_view *view);
void device_use_dispose(struct device_use *use);
