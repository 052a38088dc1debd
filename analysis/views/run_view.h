/* SPDX-License-Identifier: Apache-2.0
 *
 * The events of one run in memory, rank by rank, and which of them belong together: what all views
 * are computed from.
 *
 * In: events of a trace, those of each rank in the order of time. Out: where each rank begins, the
 * other end of each message, and the members of each collective. Both are found by sorting pairs of
 * an id and a position. Ends without a counterpart (a trace that is cut) stay alone; an id that
 * comes a third time belongs to nobody.
 *
 * Memory is about 100 bytes an event. Times are nanoseconds.
 */
#pragma once

#include "analysis/writer/trace_event.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "mpi/roles.h"

#include <stdbool.h>
#include <stddef.h>

#define VIEW_NONE UINT32_MAX /* no event, no collective */

/* Where a device does one operation after the other. */
struct view_lane {
    const char *name;
    struct trace_lane of;
    size_t first; /* position in run_view.operations */
    size_t count;
};

/* The calls that are one collective operation. */
struct collective_instance {
    enum mpi_pattern shape;
    uint32_t first, count; /* positions in run_view.members */
    uint32_t root;         /* event of the root; VIEW_NONE: it has none */
    uint32_t last;         /* event that began last */
};

struct run_view {
    struct arena arena; /* owns all texts */
    const char *program;
    int ranks;
    VEC(struct trace_site) sites;
    VEC(struct trace_event) events; /* by rank, then time; parts behind their call */
    size_t *rank_first;             /* `ranks` + 1 positions: those of a rank, and the end */
    uint32_t *other_end;            /* of a message, for each event; VIEW_NONE: none */
    uint32_t *collective_of;        /* position in instances, for each event */
    uint32_t *members;              /* events, instance by instance, by rank */
    uint32_t *latest_before; /* of each member: of those before it the event that began last */
    VEC(struct collective_instance) instances;
    enum mpi_pattern *shapes; /* of each site */
    int64_t begin_ns, end_ns; /* of the first and the last event; equal: there are none */

    /* What devices do: by lane, then time. They are none of the events. */
    VEC(struct view_lane) lanes;
    VEC(struct trace_event) operations;
};

/* An empty view of a run on so many ranks, to which sites and events are added. */
void run_view_init(struct run_view *out, const char *program, int ranks);
void run_view_dispose(struct run_view *view);

/* Its number; texts are copied. */
uint32_t run_view_add_site(struct run_view *view, const struct trace_site *site);

/* Events of each rank have to come in the order of time, parts directly behind their call; ranks
 * may take turns. */
void run_view_add_event(struct run_view *view, const struct trace_event *event);

/* A lane, and its operations in the order of time until the next lane comes. */
void run_view_add_lane(struct run_view *view, const char *name, struct trace_lane of);
void run_view_add_operation(struct run_view *view, const struct trace_event *event);

/* After the last event: makes everything else. An event with a rank or site that is not there, or
 * that ends before it begins, is an error. */
int run_view_finish(struct run_view *view, struct error *error);

/* Of a member of a collective: of the members on lower ranks the event that began last; VIEW_NONE:
 * there is none. */
uint32_t run_view_latest_before(const struct run_view *view, uint32_t event);

/* The call that a part belongs to, or the event itself. */
uint32_t run_view_call_of(const struct run_view *view, uint32_t event);

/* Is it a call that completes requests: MPI_Wait, MPI_Test and their kin? */
bool run_view_completes_requests(const struct run_view *view, uint32_t event);

/* From the begin of the first event to the end of the last one. */
int64_t run_view_duration_ns(const struct run_view *view);
