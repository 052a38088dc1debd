/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts and ends flows; see flows.h. What SimGrid 3.32's model does at each of them is told where
 * it is done; the numbers are its.
 */
#include "engine/flows/flows.h"

#include "base/arena.h"
#include "base/error.h"
#include "engine/flows/flow_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SimGrid 3.32's settings where nobody says anything, with SMPI's model. */
#define DEFAULT_BANDWIDTH_FACTOR                                                                   \
    "65472:0.940694;15424:0.697866;9376:0.58729;5776:1.08739;3484:0.77493;1426:0.608902;"          \
    "732:0.341987;257:0.338112;0:0.812084"
#define DEFAULT_LATENCY_FACTOR                                                                     \
    "65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;"  \
    "257:1.95341;0:2.01467"
#define DEFAULT_WEIGHT_S 8775
#define DEFAULT_GAMMA 4194304
#define DEFAULT_PRECISION_S 1e-9

static int read_number(double *out, const struct host_network *network, const char *key,
                       double by_default, struct error *error) {
    const char *text = host_network_setting(network, key);
    char *end;
    *out = by_default;
    if (text == NULL)
        return 0;
    *out = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*out) || *out < 0)
        return error_set(error, "the setting %s takes a number, not '%s'", key, text);
    return 0;
}

static int read_factors(struct piecewise *out, const struct host_network *network, const char *key,
                        const char *by_default, struct error *error) {
    const char *text = host_network_setting(network, key);
    return piecewise_parse(out, text != NULL ? text : by_default, 1, error);
}

static bool is_off(const char *text) {
    static const char *const words[] = {"0", "no", "off", "false"};
    for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

static double property_bytes(const struct host_network *network, const char *key) {
    const char *text = host_network_property(network, key);
    return text != NULL ? strtod(text, NULL) : 0;
}

/* The properties are mpiskel's own (simulator/network). */
static void read_connections(struct flows *flows, const struct host_network *network) {
    const char *text = host_network_property(network, "connections");
    flows->orders_connections = text != NULL && strcmp(text, "ordered") == 0;
    flows->frame_bytes = property_bytes(network, "frame");
    flows->header_bytes = property_bytes(network, "headers");
    flows->burst_bytes = property_bytes(network, "burst");
    flows->buffer_bytes = property_bytes(network, "sender-buffer");
}

static int read_settings(struct flows *flows, const struct host_network *network,
                         struct error *error) {
    flows->has_cross_traffic = !is_off(host_network_setting(network, "network/crosstraffic"));
    read_connections(flows, network);
    bool is_read =
        read_factors(&flows->bandwidth_factor, network, "smpi/bw-factor", DEFAULT_BANDWIDTH_FACTOR,
                     error) == 0 &&
        read_factors(&flows->latency_factor, network, "smpi/lat-factor", DEFAULT_LATENCY_FACTOR,
                     error) == 0 &&
        read_number(&flows->weight_s, network, "network/weight-S", DEFAULT_WEIGHT_S, error) == 0 &&
        read_number(&flows->gamma, network, "network/TCP-gamma", DEFAULT_GAMMA, error) == 0 &&
        read_number(&flows->precision_s, network, "surf/precision", DEFAULT_PRECISION_S, error) ==
            0;
    return is_read ? 0 : -1;
}

int flows_new(struct flows **out, const struct host_network *network, struct error *error) {
    struct flows *flows = xmalloc(sizeof *flows);
    *flows = (struct flows){.network = network, .free_flow = FLOW_NONE, .keeps_ties = true};
    for (size_t i = 0; i < STEP_CLASSES; i++)
        flows->free_steps[i] = FLOW_NONE;
    /* Of zeroes: pages of links that nobody uses take no memory. */
    flows->link = calloc(host_network_links(network), sizeof *flows->link);
    flows->link_tie = calloc(host_network_links(network), sizeof *flows->link_tie);
    if (flows->link == NULL || flows->link_tie == NULL)
        abort();
    flows->is_checked = invariants_are_checked();
    *out = flows;
    if (read_settings(flows, network, error) == 0)
        return 0;
    flows_free(flows);
    *out = NULL;
    return -1;
}

void flows_free(struct flows *flows) {
    if (flows == NULL)
        return;
    piecewise_dispose(&flows->bandwidth_factor);
    piecewise_dispose(&flows->latency_factor);
    route_dispose(&flows->route);
    route_dispose(&flows->back);
    free(flows->flow);
    free(flows->heap_at);
    free(flows->step);
    free(flows->link);
    free(flows->link_tie);
    free(flows->tie);
    free(flows->heap);
    free(flows->changed);
    free(flows->touched);
    free(flows->walk);
    free(flows->tied);
    connections_dispose(flows);
    free(flows);
}

void flows_tell_buffered(struct flows *flows, void (*buffered)(void *owner)) {
    flows->buffered = buffered;
}

void flows_forget_ties(struct flows *flows) {
    flows->keeps_ties = false;
}

static uint32_t new_flow(struct flows *flows) {
    uint32_t number = flows->free_flow;
    if (number != FLOW_NONE) {
        flows->free_flow = flows->flow[number].next;
        return number;
    }
    if (flows->flow_count == flows->flow_capacity) {
        if (flows->flow_capacity >= 1U << (FLOW_BITS - 1)) /* half as many more have no number */
            abort();
        flows->flow_capacity += flows->flow_capacity / 2 + 64;
        flows->flow = xrealloc(flows->flow, flows->flow_capacity * sizeof *flows->flow);
        flows->heap_at = xrealloc(flows->heap_at, flows->flow_capacity * sizeof *flows->heap_at);
        if (flows->keeps_ties)
            flows->tie = xrealloc(flows->tie, flows->flow_capacity * sizeof *flows->tie);
    }
    return flows->flow_count++;
}

static uint32_t step_class(uint32_t count) {
    uint32_t class = 0;
    while ((1U << class) < count)
        class ++;
    return class;
}

static uint32_t new_steps(struct flows *flows, uint32_t class) {
    uint32_t first = flows->free_steps[class];
    if (first != FLOW_NONE) {
        flows->free_steps[class] = flows->step[first].after;
        return first;
    }
    first = flows->step_count;
    flows->step_count += 1U << class;
    if (flows->step_count > flows->step_capacity) {
        flows->step_capacity = flows->step_count + flows->step_capacity / 2 + 64;
        flows->step = xrealloc(flows->step, flows->step_capacity * sizeof *flows->step);
    }
    return first;
}

static void release(struct flows *flows, uint32_t number) {
    struct message_flow *flow = &flows->flow[number];
    flows->step[flow->first_step].after = flows->free_steps[flow->step_class];
    flows->free_steps[flow->step_class] = flow->first_step;
    flow->state = FLOW_FREE;
    flow->next = flows->free_flow;
    flows->free_flow = number;
    flows->running--;
}

/* Rates up to the new time are those of before. */
static void go_to(struct flows *flows, double now_s) {
    if (now_s > flows->now_s && flows->changed_count + flows->touched_count + flows->walk_count > 0)
        sharing_solve(flows);
    if (now_s > flows->now_s)
        flows->now_s = now_s;
}

static void add_step(struct flows *flows, struct message_flow *flow, uint32_t link,
                     enum flow_part part) {
    struct flow_step *step = &flows->step[flow->first_step + flow->steps++];
    *step = (struct flow_step){.link = link, .part = part};
    step->flow = (uint32_t)(flow - flows->flow) & ((1U << FLOW_BITS) - 1);
}

/* A link that each flow has for itself is a limit of the flow's, and no step. */
static void add_links(struct flows *flows, struct message_flow *flow) {
    const struct route *route = &flows->route;
    for (size_t i = 0; i < route->count; i++) {
        bool is_fatpipe = host_network_is_fatpipe(flows->network, route->links[i]);
        add_step(flows, flow, route->links[i], is_fatpipe ? PART_NONE : PART_MESSAGE);
        if (!is_fatpipe)
            continue;
        double limit = host_network_bandwidth(flows->network, route->links[i]) / flow->weight;
        if (limit < flow->limit)
            flow->limit = limit;
    }
}

/* Acknowledgements, on the way back. */
static void add_back_link(struct flows *flows, struct message_flow *flow, uint32_t link) {
    if (host_network_is_fatpipe(flows->network, link))
        return;
    for (uint32_t i = 0; i < flow->steps; i++) {
        struct flow_step *step = &flows->step[flow->first_step + i];
        if (step->link == link && step->part == PART_MESSAGE) {
            step->part = PART_BOTH;
            return;
        }
    }
    add_step(flows, flow, link, PART_ACKNOWLEDGEMENTS);
}

/* One over what SimGrid calls the sharing penalty, which is 1 for flows without latency. */
static double weight_of(const struct flows *flows, double latency_s) {
    double penalty = flows->route.latency_s;
    for (size_t i = 0; i < flows->route.count; i++)
        penalty += flows->weight_s / host_network_bandwidth(flows->network, flows->route.links[i]);
    return latency_s > 0 && penalty > 0 ? 1 / penalty : 1;
}

/* TCP's window per round trip. */
static double window_rate(const struct flows *flows) {
    return flows->route.latency_s > 0 ? flows->gamma / (2 * flows->route.latency_s) : INFINITY;
}

static void find_routes(struct flows *flows, uint32_t from, uint32_t to) {
    host_network_route(&flows->route, flows->network, from, to);
    flows->back.count = 0;
    if (flows->has_cross_traffic)
        host_network_route(&flows->back, flows->network, to, from);
}

void flow_begin(struct flows *flows, uint32_t number) {
    if (flows->orders_connections)
        connections_begin(flows, number);
    flows->flow[number].state = FLOW_SENDS;
    flows->flow[number].since_s = flows->now_s;
    sharing_join(flows, number);
}

static void begin(struct flows *flows, uint32_t number) {
    if (!flows->orders_connections || connections_may_send(flows, number))
        flow_begin(flows, number);
}

void flow_wait(struct flows *flows, uint32_t number, double latency_s) {
    flows->flow[number].since_s = flows->now_s + latency_s;
    if (!flow_queue_add(flows, number, latency_s))
        flow_heap_set(flows, number, flows->now_s + latency_s);
}

static uint32_t start(struct flows *flows, double now_s, const struct flow_message *message,
                      bool has_ranks, void *owner) {
    double bytes = message->bytes;
    assert(owner != NULL);
    go_to(flows, now_s);
    find_routes(flows, message->from_host, message->to_host);
    double latency_s = flows->route.latency_s * piecewise_at(&flows->latency_factor, bytes);
    double factor = piecewise_at(&flows->bandwidth_factor, bytes);
    double weight = weight_of(flows, latency_s);
    uint32_t class = step_class((uint32_t)(flows->route.count + flows->back.count));
    uint32_t number = new_flow(flows);
    flows->flow[number] = (struct message_flow){.owner = owner,
                                                .left_bytes = bytes / factor,
                                                .weight = weight,
                                                .limit = window_rate(flows) / weight,
                                                .first_step = new_steps(flows, class),
                                                .state = FLOW_WAITS,
                                                .step_class = (uint8_t)class,
                                                .is_touched = false};
    flows->heap_at[number] = FLOW_NONE;
    if (flows->keeps_ties)
        flows->tie[number] = (struct flow_tie){0};
    struct message_flow *flow = &flows->flow[number];
    add_links(flows, flow);
    for (size_t i = 0; i < flows->back.count; i++)
        add_back_link(flows, flow, flows->back.links[i]);
    sharing_note(flows, number);
    flows->started++;
    flows->running++;
    if (flows->orders_connections)
        connections_add(flows, number, has_ranks ? message : NULL, factor);
    if (latency_s > 0)
        flow_wait(flows, number, latency_s);
    else
        begin(flows, number);
    return number;
}

uint32_t flows_start(struct flows *flows, double now_s, uint32_t from_host, uint32_t to_host,
                     double bytes, void *owner) {
    const struct flow_message message = {0, 0, from_host, to_host, bytes, false, 0, -INFINITY};
    return start(flows, now_s, &message, false, owner);
}

uint32_t flows_start_message(struct flows *flows, double now_s, const struct flow_message *message,
                             void *owner) {
    return start(flows, now_s, message, true, owner);
}

static void *end(struct flows *flows, uint32_t number) {
    void *owner = flows->flow[number].owner;
    flow_heap_remove(flows, number);
    if (flows->flow[number].state == FLOW_SENDS)
        sharing_leave(flows, number);
    if (flows->orders_connections)
        connections_end(flows, number);
    release(flows, number);
    return owner;
}

static void leave_queue(struct flows *flows, uint32_t number) {
    for (size_t i = 0; flows->flow[number].is_queued && i < flows->queue_count; i++)
        for (uint32_t at = flows->queues[i].first; at != FLOW_NONE; at = flows->flow[at].next)
            if (at == number) {
                flow_queue_remove(flows, &flows->queues[i], number);
                break;
            }
}

void flows_cancel(struct flows *flows, double now_s, uint32_t flow) {
    go_to(flows, now_s);
    leave_queue(flows, flow);
    end(flows, flow);
}

#define LOOKS_ALL 256 /* at first each time, then at each power of two */

static void check(struct flows *flows) {
    struct error error = {0};
    uint32_t look = flows->looks++;
    if (look < LOOKS_ALL || (look & (look - 1)) == 0)
        invariant_require("flows_check", flows_check(flows, &error), &error);
}

double flows_next_s(struct flows *flows) {
    sharing_solve(flows);
    if (flows->is_checked)
        check(flows);
    double next_s = flows->heap_count > 0 ? flows->heap[0].at_s : INFINITY;
    const struct flow_queue *queue = flow_queue_next(flows);
    double begin_s = queue != NULL ? flows->flow[queue->first].since_s : INFINITY;
    return begin_s < next_s ? begin_s : next_s;
}

static void begin_to_send(struct flows *flows) {
    struct flow_queue *queue;
    while ((queue = flow_queue_next(flows)) != NULL &&
           flows->flow[queue->first].since_s - flows->now_s < flows->precision_s) {
        uint32_t number = queue->first;
        flow_queue_remove(flows, queue, number);
        begin(flows, number);
    }
}

static bool ends_now(const struct flows *flows) {
    return flows->heap_count > 0 && flows->heap[0].at_s - flows->now_s < flows->precision_s;
}

static struct flow_event take_first(struct flows *flows) {
    struct flow_event first = flows->heap[0];
    flow_heap_remove(flows, first.flow);
    return first;
}

static void keep_tied(struct flows *flows, struct flow_event event) {
    if (flows->tied_count == flows->tied_capacity) {
        flows->tied_capacity = 2 * flows->tied_capacity + 64;
        flows->tied = xrealloc(flows->tied, flows->tied_capacity * sizeof *flows->tied);
    }
    flows->tied[flows->tied_count++] = event;
}

/* All that end now, before any of them leaves its links. */
static void take_those_that_end(struct flows *flows) {
    uint32_t first = 0;
    flows->tied_first = flows->tied_count = 0;
    while (ends_now(flows)) {
        struct flow_event event = take_first(flows);
        if (flows->flow[event.flow].state == FLOW_WAITS)
            begin(flows, event.flow);
        else
            keep_tied(flows, event);
    }
    for (uint32_t i = 1; i <= flows->tied_count && flows->keeps_ties; i++) {
        if (i < flows->tied_count && flows->tied[i].at_s == flows->tied[first].at_s)
            continue;
        if (i - first > 1)
            flow_ties_sort(flows, &flows->tied[first], i - first);
        first = i;
    }
}

/* The rest of it is sent from the sender's buffer. */
static void go_on_buffered(struct flows *flows, uint32_t number) {
    struct message_flow *flow = &flows->flow[number];
    flow->left_bytes = flows->turn[number].buffered_bytes;
    flow->since_s = flows->now_s;
    flows->turn[number].buffered_bytes = 0;
    flow_heap_set(flows, number, flows->now_s + flow->left_bytes / flow->rate);
    if (flows->buffered != NULL)
        flows->buffered(flow->owner);
}

/* As in SimGrid, what would happen within its precision happens now. */
void *flows_ended(struct flows *flows, double now_s) {
    go_to(flows, now_s);
    if (flows->tied_first == flows->tied_count) {
        begin_to_send(flows);
        take_those_that_end(flows);
    }
    while (flows->tied_first < flows->tied_count) {
        uint32_t number = flows->tied[flows->tied_first++].flow;
        if (!flows->orders_connections || !(flows->turn[number].buffered_bytes > 0))
            return end(flows, number);
        go_on_buffered(flows, number);
    }
    return NULL;
}

/* Each one's acknowledgements go beside the other one. */
double flows_exchange_s(struct flows *flows, uint32_t from_host, uint32_t to_host, double bytes) {
    double share = flows->has_cross_traffic ? 1 / (1 + CROSS_TRAFFIC) : 1;
    find_routes(flows, from_host, to_host);
    double rate = window_rate(flows);
    for (size_t i = 0; i < flows->route.count; i++) {
        double bandwidth = host_network_bandwidth(flows->network, flows->route.links[i]) * share;
        if (bandwidth < rate)
            rate = bandwidth;
    }
    return flows->route.latency_s * piecewise_at(&flows->latency_factor, bytes) +
           bytes / (rate * piecewise_at(&flows->bandwidth_factor, bytes));
}

uint64_t flows_count(const struct flows *flows) {
    return flows->running;
}

uint64_t flows_started(const struct flows *flows) {
    return flows->started;
}
