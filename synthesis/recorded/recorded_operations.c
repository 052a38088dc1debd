/* SPDX-License-Identifier: Apache-2.0
 *
 * See recorded_operations.h. Numbers are a file's: those beyond what a rank can have are left out.
 */
#include "synthesis/recorded/recorded_operations.h"

#define NUMBER_MOST 100000000

static void add(struct recorded_operations *out, const struct trace *trace,
                const struct trace_event *event) {
    if (event->number == 0 || event->number > NUMBER_MOST)
        return;
    while (out->of.count < event->number)
        vec_push(&out->of, (struct recorded_operation){0});
    out->of.items[event->number - 1] = (struct recorded_operation){
        trace_site(trace, event->site)->function, 1e-9 * (double)(event->end_ns - event->begin_ns)};
}

static int load_lane(struct recorded_operations *out, const struct trace *trace, int32_t lane,
                     struct error *error) {
    struct trace_cursor *cursor;
    struct trace_event event;
    int result;
    if (trace_cursor_open(&cursor, trace, trace_ranks(trace) + lane, TRACE_FROM_START, TRACE_TO_END,
                          error) != 0)
        return -1;
    while ((result = trace_cursor_next(&event, cursor, error)) == 1)
        add(out, trace, &event);
    trace_cursor_close(cursor);
    return result;
}

int recorded_operations_load(struct recorded_operations *out, const struct trace *trace, int rank,
                             struct error *error) {
    int result = 0;
    for (int32_t lane = 0; lane < trace_lane_count(trace) && result == 0; lane++)
        if (trace_lane(trace, lane)->device == rank)
            result = load_lane(out, trace, lane, error);
    return result;
}

void recorded_operations_dispose(struct recorded_operations *operations) {
    vec_dispose(&operations->of);
}

const struct recorded_operation *
recorded_operations_find(const struct recorded_operations *operations, uint64_t number) {
    if (number == 0 || number > operations->of.count)
        return NULL;
    const struct recorded_operation *found = &operations->of.items[number - 1];
    return found->name != NULL ? found : NULL;
}
