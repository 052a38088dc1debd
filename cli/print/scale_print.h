/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel scale`. Its CSV can be given to `mpiskel scale` again: rows of the kind
 * `point` are its points.
 */
#pragma once

#include "base/output_format.h"
#include "base/vec.h"
#include "model/scaling/scaling.h"

#include <stdbool.h>

/* One simulation. */
struct scale_run {
    size_t ranks;
    bool wanted; /* false: `why` tells why it is not made */
    bool done;   /* the numbers below are there */
    double time_s, computation_s, wall_s, peak_memory_kib;
    const char *why; /* not done: a line; in the arena */
};

struct scale_target {
    double ranks, time_s, low_s, high_s;
    bool has_band;
    const struct scale_run *run; /* NULL: was not to be simulated */
};

struct scale_report {
    bool is_weak, is_simulated; /* is_simulated: points come from simulations, not from files */
    const struct scaling *scaling;
    const char *program;
    const char *arguments;         /* NULL: not known */
    size_t repeated, without_time; /* points that did not count */
    VEC(struct scale_target) targets;
    size_t compared; /* targets that were simulated */
    double median_error, largest_error;
    double turn_ranks;  /* 0: no point shows one, */
    double shown_ranks; /* up to so many */
    double half_ranks;  /* 0: none */
};

/* On the standard output. `top`: forms of the curve in text. */
void scale_print(const struct scale_report *report, enum output_format format, size_t top);
