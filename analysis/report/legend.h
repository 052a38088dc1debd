/* SPDX-License-Identifier: Apache-2.0
 *
 * What the timeline draws alike: the regions, MPI functions and operations of devices with most
 * time over all runs of a report, so that a colour means the same in each of them; the others are a
 * group of their own for each kind. Calls of a device's library are among the operations.
 */
#pragma once

#include "analysis/report/report_input.h"

/* As many as colours that people with any kind of sight tell apart. */
#define LEGEND_REGIONS 6
#define LEGEND_CALLS 7
#define LEGEND_OPERATIONS 5

struct legend_entry {
    const char *name;
    enum trace_kind kind; /* TRACE_CALL, TRACE_REGION, TRACE_OPERATION */
    bool is_rest;
    double total_ns;
};

struct legend {
    struct arena arena;
    struct legend_entry entries[LEGEND_REGIONS + LEGEND_CALLS + LEGEND_OPERATIONS + 3];
    size_t count;
};

void legend_make(struct legend *out, const struct report_input *input);
void legend_dispose(struct legend *legend);

/* The group of each site of the view, view->sites.count of them, the caller's (free). */
unsigned char *legend_groups(const struct legend *legend, const struct run_view *view);

/* "main.c:48 integrate", "MPI_Send"; UTF-8, from the arena. */
const char *legend_name(struct arena *arena, const struct trace_site *site);

/* "main.c:48", "main+0x226" where no line is known, ""; from the arena. */
const char *legend_place(struct arena *arena, const struct trace_site *site);

/* "computation", "MPI", "device". */
const char *legend_kind(const struct legend_entry *entry);

json_t *legend_to_json(const struct legend *legend);
