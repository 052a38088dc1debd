/* SPDX-License-Identifier: Apache-2.0 */
#include "built_run.h"
#include "tests/unit/unit.h"

static const char *const names[SITE_COUNT] = {
    "work",        "solve",        "MPI_Send",  "MPI_Recv",   "MPI_Isend",
    "MPI_Waitall", "MPI_Sendrecv", "MPI_Bcast", "MPI_Reduce", "MPI_Allreduce",
    "MPI_Barrier", "MPI_Scan",     "MPI_Probe", "MPI_Iprobe"};

void built_run_init(struct run_view *out, int ranks) {
    run_view_init(out, "built", ranks);
    for (int i = 0; i < SITE_COUNT; i++) {
        struct trace_site site = {.kind = i <= SITE_SOLVE ? TRACE_REGION : TRACE_CALL,
                                  .line = 10 + i,
                                  .function = names[i],
                                  .file = "built.c"};
        run_view_add_site(out, &site);
    }
}

static struct trace_event event_of(int rank, enum built_site site, int64_t begin_ns,
                                   int64_t end_ns) {
    struct trace_event event = trace_event_of(rank, site, begin_ns, end_ns);
    event.communicator = 0;
    event.kind = site <= SITE_SOLVE ? TRACE_REGION : TRACE_CALL;
    return event;
}

void built_region(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                  int64_t end_ns) {
    struct trace_event event = event_of(rank, site, begin_ns, end_ns);
    run_view_add_event(out, &event);
}

void built_call(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                int64_t end_ns) {
    built_region(out, rank, site, begin_ns, end_ns);
}

void built_send(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                int64_t end_ns, uint64_t id, int to, int64_t bytes) {
    struct trace_event event = event_of(rank, site, begin_ns, end_ns);
    event.message = id;
    event.peer = to;
    event.bytes = bytes;
    event.direction = TRACE_SENDS;
    run_view_add_event(out, &event);
}

void built_receive(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                   int64_t end_ns, uint64_t id, int from) {
    struct trace_event event = event_of(rank, site, begin_ns, end_ns);
    event.message = id;
    event.peer = from;
    event.direction = TRACE_RECEIVES;
    run_view_add_event(out, &event);
}

void built_part(struct run_view *out, bool receives, uint64_t id, int other) {
    struct trace_event event = out->events.items[out->events.count - 1];
    event.kind = TRACE_PART;
    event.message = id;
    event.peer = other;
    event.direction = receives ? TRACE_RECEIVES : TRACE_SENDS;
    run_view_add_event(out, &event);
}

void built_collective(struct run_view *out, int rank, enum built_site site, int64_t begin_ns,
                      int64_t end_ns, uint64_t id, int root) {
    struct trace_event event = event_of(rank, site, begin_ns, end_ns);
    event.collective = id;
    event.root = root;
    run_view_add_event(out, &event);
}

void built_run_finish(struct run_view *run) {
    struct error error = {0};
    if (run_view_finish(run, &error) != 0)
        fail_msg("%s", error.text);
}
