/* SPDX-License-Identifier: Apache-2.0
 *
 * Weighted max-min shares, found locally: each link works out its own level from the rates at which
 * the other links of its flows hold them back, and tells its flows' other links when that changes
 * something for them, until nothing does (Charny, Clark and Jain, "Congestion control with explicit
 * rate indication", ICC 1995; that it ends at the max-min shares is proved there, link by link from
 * the lowest level on). Only links that a change reaches are looked at, which is what makes large
 * networks affordable; SimGrid's solver goes through all flows that are connected.
 */
#include "base/arena.h"
#include "engine/flows/flow_parts.h"

#include <math.h>

/* Relative changes of a level that are smaller are not passed on. At 1e-3 the test against SimGrid
 * fails; smaller numbers than this one change no time by a part in a million. */
#define LEVEL_PRECISION 1e-6
#define RATE_PRECISION 1e-9

static void mark_changed(struct flows *flows, uint32_t number) {
    struct flow_link *link = &flows->link[number];
    if (link->is_changed)
        return;
    link->is_changed = true;
    if (flows->changed_count == flows->changed_capacity) {
        uint32_t old = flows->changed_capacity;
        flows->changed_capacity = 2 * old + 64;
        flows->changed = xrealloc(flows->changed, flows->changed_capacity * sizeof *flows->changed);
        for (uint32_t i = 0; i < flows->changed_first; i++)
            flows->changed[old + i] = flows->changed[i];
    }
    uint32_t at = flows->changed_first + flows->changed_count++;
    flows->changed[at < flows->changed_capacity ? at : at - flows->changed_capacity] = number;
}

static uint32_t next_changed(struct flows *flows) {
    uint32_t number = flows->changed[flows->changed_first++];
    if (flows->changed_first == flows->changed_capacity)
        flows->changed_first = 0;
    flows->changed_count--;
    flows->link[number].is_changed = false;
    return number;
}

static void touch(struct flows *flows, uint32_t number) {
    if (flows->flow[number].is_touched)
        return;
    flows->flow[number].is_touched = true;
    if (flows->touched_count == flows->touched_capacity) {
        flows->touched_capacity = 2 * flows->touched_capacity + 64;
        flows->touched = xrealloc(flows->touched, flows->touched_capacity * sizeof *flows->touched);
    }
    flows->touched[flows->touched_count++] = number;
}

/* The level at which all but that link hold the flow back. */
static double level_elsewhere(const struct message_flow *flow, uint32_t link) {
    double level = flow->slowest == link ? flow->second : flow->least;
    return level < flow->limit ? level : flow->limit;
}

static void find_slowest(const struct flows *flows, struct message_flow *flow) {
    const struct flow_step *steps = &flows->step[flow->first_step];
    flow->least = flow->second = INFINITY;
    flow->slowest = FLOW_NONE;
    for (uint32_t i = 0; i < flow->steps; i++) {
        double level = flows->link[steps[i].link].level;
        if (level < flow->least) {
            flow->second = flow->least;
            flow->least = level;
            flow->slowest = steps[i].link;
        } else if (level < flow->second) {
            flow->second = level;
        }
    }
}

static struct flow_link *link_of(struct flows *flows, uint32_t number) {
    struct flow_link *link = &flows->link[number];
    if (link->bandwidth == 0) {
        link->bandwidth = host_network_bandwidth(flows->network, number);
        link->level = INFINITY;
        link->first = FLOW_NONE;
    }
    return link;
}

static void add_to_link(struct flows *flows, uint32_t number) {
    struct flow_step *step = &flows->step[number];
    struct flow_link *link = link_of(flows, step->link);
    step->before = FLOW_NONE;
    step->after = link->first;
    if (link->first != FLOW_NONE)
        flows->step[link->first].before = number;
    link->first = number;
}

static void take_from_link(struct flows *flows, uint32_t number) {
    struct flow_step *step = &flows->step[number];
    if (step->before != FLOW_NONE)
        flows->step[step->before].after = step->after;
    else
        flows->link[step->link].first = step->after;
    if (step->after != FLOW_NONE)
        flows->step[step->after].before = step->before;
    if (step->part != PART_NONE && flows->link[step->link].first != FLOW_NONE)
        mark_changed(flows, step->link);
    else
        flows->link[step->link].level = INFINITY;
}

static void walk_by(struct flows *flows, uint32_t number) {
    if (!flows->keeps_ties)
        return;
    struct flow_link_tie *tie = &flows->link_tie[number];
    if (tie->is_walked)
        return;
    link_of(flows, number);
    tie->is_walked = true;
    tie->seed_solve = flows->solves + 1;
    tie->seed_order = flows->walk_count;
    if (flows->walk_count == flows->walk_capacity) {
        flows->walk_capacity = 2 * flows->walk_capacity + 64;
        flows->walk = xrealloc(flows->walk, flows->walk_capacity * sizeof *flows->walk);
    }
    flows->walk[flows->walk_count++] = number;
}

void sharing_note(struct flows *flows, uint32_t number) {
    const struct message_flow *flow = &flows->flow[number];
    for (uint32_t i = 0; i < flow->steps && flows->keeps_ties; i++)
        walk_by(flows, flows->step[flow->first_step + i].link);
}

/* Has it each of its links for itself? */
static bool is_alone(const struct flows *flows, const struct message_flow *flow) {
    for (uint32_t i = 0; i < flow->steps; i++) {
        const struct flow_step *step = &flows->step[flow->first_step + i];
        if (flows->link[step->link].first != flow->first_step + i || step->after != FLOW_NONE)
            return false;
    }
    return true;
}

/* What update_link would come to, link by link, where no other flow is concerned: the slowest links
 * have a level, unless the flow's own limit holds it back. */
static void set_levels_alone(struct flows *flows, const struct message_flow *flow) {
    const struct flow_step *steps = &flows->step[flow->first_step];
    double least = flow->limit;
    for (uint32_t i = 0; i < flow->steps; i++) {
        struct flow_link *link = &flows->link[steps[i].link];
        link->level = steps[i].part != PART_NONE
                          ? link->bandwidth / (flow->weight * flow_parts[steps[i].part])
                          : INFINITY;
        least = link->level < least ? link->level : least;
    }
    for (uint32_t i = 0; i < flow->steps; i++)
        if (flows->link[steps[i].link].level > least)
            flows->link[steps[i].link].level = INFINITY;
}

static void mark_links(struct flows *flows, const struct message_flow *flow) {
    for (uint32_t i = 0; i < flow->steps; i++)
        if (flows->step[flow->first_step + i].part != PART_NONE)
            mark_changed(flows, flows->step[flow->first_step + i].link);
}

void sharing_join(struct flows *flows, uint32_t number) {
    struct message_flow *flow = &flows->flow[number];
    if (flows->keeps_ties) {
        flows->tie[number].joined_solve = flows->solves + 1;
        flows->tie[number].joined_order = flows->walk_count;
    }
    for (uint32_t i = 0; i < flow->steps; i++)
        add_to_link(flows, flow->first_step + i);
    if (flow->steps > 0) /* from the first link on SimGrid finds the others, unless it was there */
        walk_by(flows, flows->step[flow->first_step].link);
    if (is_alone(flows, flow))
        set_levels_alone(flows, flow);
    else
        mark_links(flows, flow);
    find_slowest(flows, flow);
    touch(flows, number);
}

void sharing_leave(struct flows *flows, uint32_t number) {
    struct message_flow *flow = &flows->flow[number];
    if (flows->keeps_ties && flow->steps > 0 &&
        !flows->link_tie[flows->step[flow->first_step].link].is_walked)
        sharing_note(flows, number);
    for (uint32_t i = 0; i < flow->steps; i++)
        take_from_link(flows, flow->first_step + i);
}

/* Fills up the link: flows that other links hold back below the level leave theirs to the rest. */
static double level_of(const struct flows *flows, uint32_t number) {
    const struct flow_link *link = &flows->link[number];
    double level = 0, before;
    do {
        double left = link->bandwidth, weights = 0;
        before = level;
        for (uint32_t at = link->first; at != FLOW_NONE; at = flows->step[at].after) {
            const struct flow_step *step = &flows->step[at];
            const struct message_flow *flow = &flows->flow[step->flow];
            double elsewhere = level_elsewhere(flow, number);
            if (elsewhere < before)
                left -= flow->weight * flow_parts[step->part] * elsewhere;
            else
                weights += flow->weight * flow_parts[step->part];
        }
        if (weights == 0)
            return INFINITY;
        level = left / weights;
    } while (level > before * (1 + 1e-12));
    return level;
}

/* Whether a link, at its level, notices that a flow is held back elsewhere at another one. One that
 * holds back nobody only minds more. */
static bool is_noticed(double level, double before, double after) {
    if (level == INFINITY)
        return after > before;
    double was = before < level ? before : level, is = after < level ? after : level;
    return fabs(is - was) > LEVEL_PRECISION * level;
}

static void tell_links(struct flows *flows, const struct message_flow *before,
                       const struct message_flow *flow) {
    for (uint32_t i = 0; i < flow->steps; i++) {
        uint32_t link = flows->step[flow->first_step + i].link;
        if (!flows->link[link].is_changed &&
            is_noticed(flows->link[link].level, level_elsewhere(before, link),
                       level_elsewhere(flow, link)))
            mark_changed(flows, link);
    }
}

static bool is_same(double before, double after) {
    return before == after || (before != INFINITY && after != INFINITY &&
                               fabs(after - before) <= LEVEL_PRECISION * after);
}

static void update_link(struct flows *flows, uint32_t number) {
    struct flow_link *link = &flows->link[number];
    double level = link->first != FLOW_NONE ? level_of(flows, number) : INFINITY;
    if (is_same(link->level, level))
        return;
    link->level = level;
    for (uint32_t at = link->first; at != FLOW_NONE; at = flows->step[at].after) {
        struct message_flow *flow = &flows->flow[flows->step[at].flow], before = *flow;
        find_slowest(flows, flow);
        touch(flows, flows->step[at].flow);
        tell_links(flows, &before, flow);
    }
}

static void set_rate(struct flows *flows, uint32_t number) {
    struct message_flow *flow = &flows->flow[number];
    flow->is_touched = false;
    if (flow->state != FLOW_SENDS)
        return;
    double level = flow->least < flow->limit ? flow->least : flow->limit;
    double rate = flow->weight * level;
    if (flows->heap_at[number] != FLOW_NONE && fabs(rate - flow->rate) <= RATE_PRECISION * rate)
        return;
    flow->left_bytes -= flow->rate * (flows->now_s - flow->since_s);
    if (flow->left_bytes < 0)
        flow->left_bytes = 0;
    flow->since_s = flows->now_s;
    flow->rate = rate;
    flow_heap_set(flows, number, flows->now_s + flow->left_bytes / rate);
}

/* Flows that end together do so in the order in which SimGrid looks at them: link by link, in the
 * order in which these have changed, the flow that joined last first. */
static void walk(struct flows *flows) {
    for (uint32_t i = 0; i < flows->walk_count; i++) {
        const struct flow_link *link = &flows->link[flows->walk[i]];
        flows->link_tie[flows->walk[i]].is_walked = false;
        for (uint32_t at = link->first; at != FLOW_NONE; at = flows->step[at].after)
            if (flows->flow[flows->step[at].flow].is_touched)
                set_rate(flows, flows->step[at].flow);
    }
    flows->solves += flows->walk_count > 0;
    flows->walk_count = 0;
}

void sharing_solve(struct flows *flows) {
    while (flows->changed_count > 0)
        update_link(flows, next_changed(flows));
    walk(flows);
    for (uint32_t i = 0; i < flows->touched_count; i++)
        if (flows->flow[flows->touched[i]].is_touched)
            set_rate(flows, flows->touched[i]);
    flows->touched_count = 0;
}
