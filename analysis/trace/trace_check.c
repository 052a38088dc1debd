/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass by time, in which both ends of a message have to agree: it ends no earlier than it was
 * sent, and no more of it arrives than was sent. Of a rank the pass keeps when its last event
 * began, of a message its first end until the other one comes. Does not look at what the reader
 * refuses (numbers out of the tables), nor at calls that overlap since they stand in callbacks of
 * other calls.
 */
#include "analysis/trace/trace_check.h"

#include "analysis/trace/trace_pass.h"
#include "analysis/writer/trace_settings.h"
#include "analysis/writer/trace_table.h"
#include "base/arena.h"

struct message_end {
    struct trace_node node; /* its hash is the id */
    struct trace_event event;
};

struct checking {
    struct trace_table open;
    int32_t ranks;
    int64_t *begin_ns; /* by rank and lane: of its last event */
    uint64_t events;
};

static int event_error(const struct trace_event *event, const char *what, struct error *error) {
    return error_set(error, "rank %d from %lld to %lld ns: %s", event->rank,
                     (long long)event->begin_ns, (long long)event->end_ns, what);
}

static const char *fault_of(const struct checking *of, const struct trace_event *event) {
    if (event->begin_ns > event->end_ns)
        return "it ends before it begins";
    if (event->begin_ns < of->begin_ns[event->rank])
        return "it begins before the event in front of it";
    if (event->waited_ns < 0 || event->waited_ns > event->end_ns - event->begin_ns)
        return "it waits longer than it takes";
    return NULL;
}

static const char *fault_of_message(const struct trace_event *one,
                                    const struct trace_event *other) {
    const struct trace_event *send = one->direction == TRACE_SENDS ? one : other;
    const struct trace_event *receive = send == one ? other : one;
    if (send->direction != TRACE_SENDS || receive->direction != TRACE_RECEIVES)
        return "both ends of its message send, or both receive";
    if (receive->end_ns < send->begin_ns)
        return "its message is received before it is sent";
    if (receive->bytes > send->bytes)
        return "more of its message is received than sent";
    return NULL;
}

static const char *take_message(struct checking *of, const struct trace_event *event) {
    struct trace_node *node = trace_table_find(&of->open, event->message);
    if (node != NULL) {
        const char *fault = fault_of_message(&((struct message_end *)node)->event, event);
        trace_table_remove(&of->open, node);
        free(node);
        return fault;
    }
    struct message_end *end = xmalloc(sizeof *end);
    end->event = *event;
    if (!trace_table_add(&of->open, &end->node, event->message))
        abort();
    return NULL;
}

static int take(void *context, const struct trace_event *event, struct error *error) {
    struct checking *of = context;
    const char *fault = fault_of(of, event);
    if (fault == NULL && event->message != 0)
        fault = take_message(of, event);
    of->begin_ns[event->rank] = event->begin_ns;
    of->events += event->rank < of->ranks;
    return fault == NULL ? 0 : event_error(event, fault, error);
}

int trace_check(const struct trace *trace, struct error *error) {
    struct trace_settings settings;
    struct checking of = {0};
    if (!trace_has_waits(trace))
        return 0;
    trace_settings_init(&settings);
    of.ranks = trace_ranks(trace);
    int32_t rows = of.ranks + trace_lane_count(trace);
    of.begin_ns = xmalloc((size_t)rows * sizeof *of.begin_ns);
    for (int32_t i = 0; i < rows; i++)
        of.begin_ns[i] = INT64_MIN;
    int result = trace_pass(trace, &settings, take, &of, error);
    if (result == 0 && of.events != trace_stored_events(trace))
        result =
            error_set(error, "%llu of %llu events come out of it", (unsigned long long)of.events,
                      (unsigned long long)trace_stored_events(trace));
    trace_table_dispose(&of.open, NULL);
    free(of.begin_ns);
    return result;
}

void trace_check_written(const char *path) {
    struct trace *trace;
    struct error error = {0};
    if (path == NULL || !invariants_are_checked())
        return;
    int result = trace_open(&trace, path, &error);
    if (result == 0) {
        result = trace_check(trace, &error);
        trace_close(trace);
    }
    invariant_require("trace_check", result, &error);
}
