/* SPDX-License-Identifier: Apache-2.0
 *
 * Flows that wait for their latency; see flow_parts.h. Those that wait for the same one end in the
 * order in which they came, so that a list does what a heap would do.
 */
#include "engine/flows/flow_parts.h"

static struct flow_queue *queue_of(struct flows *flows, double latency_s) {
    for (size_t i = 0; i < flows->queue_count; i++)
        if (flows->queues[i].latency_s == latency_s)
            return &flows->queues[i];
    if (flows->queue_count == FLOW_QUEUES)
        return NULL;
    struct flow_queue *queue = &flows->queues[flows->queue_count++];
    *queue = (struct flow_queue){latency_s, FLOW_NONE, FLOW_NONE};
    return queue;
}

bool flow_queue_add(struct flows *flows, uint32_t flow, double latency_s) {
    struct flow_queue *queue = queue_of(flows, latency_s);
    if (queue == NULL)
        return false;
    flows->flow[flow].is_queued = true;
    flows->flow[flow].next = FLOW_NONE;
    if (queue->first == FLOW_NONE)
        queue->first = flow;
    else
        flows->flow[queue->last].next = flow;
    queue->last = flow;
    return true;
}

struct flow_queue *flow_queue_next(struct flows *flows) {
    struct flow_queue *next = NULL;
    for (size_t i = 0; i < flows->queue_count; i++) {
        struct flow_queue *queue = &flows->queues[i];
        if (queue->first != FLOW_NONE &&
            (next == NULL || flows->flow[queue->first].since_s < flows->flow[next->first].since_s))
            next = queue;
    }
    return next;
}

void flow_queue_remove(struct flows *flows, struct flow_queue *queue, uint32_t flow) {
    uint32_t before = FLOW_NONE;
    for (uint32_t at = queue->first; at != flow; at = flows->flow[at].next)
        before = at;
    uint32_t next = flows->flow[flow].next;
    if (before == FLOW_NONE)
        queue->first = next;
    else
        flows->flow[before].next = next;
    if (queue->last == flow)
        queue->last = before;
    flows->flow[flow].is_queued = false;
}
