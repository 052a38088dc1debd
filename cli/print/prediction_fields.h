/* SPDX-License-Identifier: Apache-2.0
 *
 * The members of the report of `mpiskel run`, and which of them are rows of its CSV.
 */
#pragma once

#include "cli/print/prediction_rows.h"
#include "cli/print/verdict_print.h"

/* The loop that iterates as a formula says. */
struct loop_row {
    const struct region *region;
    double share, error; /* error: NaN: not known */
};

/* What no profiling run varied. */
struct unvaried_row {
    const struct region *region;
    const char *feature, *meaning;
    double profiled, seen_min, seen_max;
};

/* Why the interval is as wide as it is. */
struct reason_row {
    const char *text;
    double above_s; /* by how much the time may be longer, for this reason alone */
};

struct untold_row {
    const struct region *region;
    double count, error;
};

struct efficiencies {
    double parallel, load_balance, serialisation, transfer;
};

struct run_report {
    struct prediction of; /* borrowed */
    double wall_s;        /* of the simulation */
    long long peak_memory_kib;
    const char *engine, *engine_lacks;       /* NULL: not told */
    double reference_s;                      /* NaN: it was not timed */
    const struct traffic *messages, *bursts; /* NULL: not known */

    const struct run_report *skeleton; /* this one; NULL: the rest is not there, for an original */
    struct prediction_rows rows;
    struct interval interval;   /* NaN where it is not known */
    struct reason_row *reasons; /* the largest first; those that add nothing are left out */
    size_t reason_count;
    struct loop_row loop_row;
    const struct loop_row *loop; /* NULL: there is none */
    struct unvaried_row unvaried_row;
    const struct unvaried_row *unvaried; /* NULL: there is none that matters */
    struct verdict_report verdict;
    struct untold_row *untold;
    size_t untold_count;
    const struct run_report *attributed; /* this one; NULL: was not asked for */
    struct efficiencies efficiencies;
};

/* In the order of the JSON. */
extern const struct report_field run_fields[];

/* Parts of it that are rows in CSV. */
extern const struct report_field makespan_fields[], network_fields[], change_fields[],
    spread_fields[], message_fields[], file_fields[], interval_fields[], unknown_share_fields[],
    noise_fields[], interrupted_fields[];

void run_report_make(struct run_report *out, const struct prediction *prediction,
                     const struct process_result *cost);
void run_report_dispose(struct run_report *report);
