/* SPDX-License-Identifier: Apache-2.0
 *
 * What the timeline draws alike: the regions and MPI functions with most time over all runs of a
 * report, so that a colour means the same in each of them; the others are two groups of their own.
 */
#ifndef ANALYSIS_REPORT_LEGEND_H
#define ANALYSIS_REPORT_LEGEND_H

#include "analysis/report/report_input.h"

/* As many as colours that people with any kind of sight tell apart. */
#define LEGEND_REGIONS 6
#define LEGEND_CALLS 7

struct legend_entry {
    const char *name;
    bool is_region, is_rest;
    double total_ns;
};

struct legend {
    struct arena arena;
    struct legend_entry entries[LEGEND_REGIONS + LEGEND_CALLS + 2];
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

json_t *legend_to_json(const struct legend *legend);

#endif
