/* SPDX-License-Identifier: Apache-2.0
 *
 * A heap of four children per node (Johnson, "Priority queues with update and finding minimum
 * spanning trees", Information Processing Letters 4(3), 1975), in which each flow knows its place.
 */
#include "base/arena.h"
#include "engine/flows/flow_parts.h"

#define CHILDREN 4

/* Equal times: the one that was set first, as in SimGrid's stable heap. Numbers wrap around. */
static bool is_before(const struct flow_event *a, const struct flow_event *b) {
    return a->at_s < b->at_s || (a->at_s == b->at_s && (int32_t)(a->order - b->order) < 0);
}

static void put(struct flows *flows, uint32_t at, struct flow_event event) {
    flows->heap[at] = event;
    flows->heap_at[event.flow] = at;
}

static void move_up(struct flows *flows, uint32_t at, struct flow_event event) {
    while (at > 0 && is_before(&event, &flows->heap[(at - 1) / CHILDREN])) {
        put(flows, at, flows->heap[(at - 1) / CHILDREN]);
        at = (at - 1) / CHILDREN;
    }
    put(flows, at, event);
}

static uint32_t least_child(const struct flows *flows, uint32_t at) {
    uint32_t first = CHILDREN * at + 1, least = first;
    for (uint32_t child = first + 1; child < first + CHILDREN && child < flows->heap_count; child++)
        if (is_before(&flows->heap[child], &flows->heap[least]))
            least = child;
    return least;
}

static void move_down(struct flows *flows, uint32_t at, struct flow_event event) {
    while (CHILDREN * at + 1 < flows->heap_count) {
        uint32_t child = least_child(flows, at);
        if (!is_before(&flows->heap[child], &event))
            break;
        put(flows, at, flows->heap[child]);
        at = child;
    }
    put(flows, at, event);
}

static void place(struct flows *flows, uint32_t at, struct flow_event event) {
    if (at > 0 && is_before(&event, &flows->heap[(at - 1) / CHILDREN]))
        move_up(flows, at, event);
    else
        move_down(flows, at, event);
}

void flow_heap_set(struct flows *flows, uint32_t flow, double at_s) {
    struct flow_event event = {at_s, flows->order++, flow};
    uint32_t at = flows->heap_at[flow];
    if (at == FLOW_NONE) {
        if (flows->heap_count == flows->heap_capacity) {
            flows->heap_capacity = 2 * flows->heap_capacity + 64;
            flows->heap = xrealloc(flows->heap, flows->heap_capacity * sizeof *flows->heap);
        }
        at = flows->heap_count++;
    }
    place(flows, at, event);
}

void flow_heap_remove(struct flows *flows, uint32_t flow) {
    uint32_t at = flows->heap_at[flow];
    if (at == FLOW_NONE)
        return;
    flows->heap_at[flow] = FLOW_NONE;
    struct flow_event last = flows->heap[--flows->heap_count];
    if (last.flow != flow)
        place(flows, at, last);
}
