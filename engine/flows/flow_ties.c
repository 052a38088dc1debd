/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of several flows that end at the same time is first; see flow_parts.h.
 *
 * SimGrid's heap is stable, and whenever something changes it sets anew the ends of all flows that
 * are connected with it by links: from each changed link on depth first (lmm::System of 3.32,
 * update_modified_cnst_set_rec), then link by link, on each the flow that has joined last first.
 * Here only flows whose rates change are looked at; but nothing has changed since, so that this
 * order can be found when it is asked for, from the links that had changed then (flow_link.seed).
 * Where more than LINKS_MOST links are connected, or FLOWS_MOST flows are under way, the order is
 * that in which ends were set here: it would take too long (heat3d on 8,192 ranks half as long
 * again), and is of no more meaning than another one.
 */
#include "base/arena.h"
#include "engine/flows/flow_parts.h"

#include <stdlib.h>

/* Those of 64 hosts on a switch, with room. */
#define LINKS_MOST 256
#define FLOWS_MOST 1024

struct tie_seed {
    uint32_t solve, order, link;
};

struct tie_search {
    struct flows *flows;
    uint32_t links[LINKS_MOST];
    struct tie_seed seeds[LINKS_MOST];
    uint32_t count, seed_count;
    struct tie_seed from; /* whose connections are listed; all zero: of the flows of now */
    bool is_too_large;
};

static bool list_link(struct tie_search *search, uint32_t number) {
    struct flow_link_tie *link = &search->flows->link_tie[number];
    if (link->visit == search->flows->visit)
        return false;
    if (search->count == LINKS_MOST) {
        search->is_too_large = true;
        return false;
    }
    link->visit = search->flows->visit;
    search->links[search->count++] = number;
    return true;
}

/* SimGrid goes on from a link as soon as it has changed: over flows that have joined by then. */
static bool has_joined(const struct tie_search *search, const struct flow_tie *flow) {
    return flow->joined_solve != search->from.solve || flow->joined_order <= search->from.order;
}

/* As deep as links are listed. */
static void list_connected(struct tie_search *search, uint32_t number) {
    struct flows *flows = search->flows;
    for (uint32_t at = flows->link[number].first; at != FLOW_NONE && !search->is_too_large;
         at = flows->step[at].after) {
        const struct message_flow *flow = &flows->flow[flows->step[at].flow];
        struct flow_tie *tie = &flows->tie[flows->step[at].flow];
        if (!has_joined(search, tie))
            continue;
        for (uint32_t i = 0; i < flow->steps && tie->visit != flows->visit; i++) {
            uint32_t next = flows->step[flow->first_step + i].link;
            if (next != number && list_link(search, next))
                list_connected(search, next);
        }
        tie->visit = flows->visit;
    }
}

/* The links of a component that changed last are what SimGrid began with. */
static void find_seeds(struct tie_search *search, uint32_t first) {
    const struct flow_link_tie *links = search->flows->link_tie;
    uint32_t latest = 0;
    for (uint32_t i = first; i < search->count; i++)
        if (links[search->links[i]].seed_solve > latest)
            latest = links[search->links[i]].seed_solve;
    for (uint32_t i = first; i < search->count; i++) {
        uint32_t number = search->links[i];
        if (links[number].seed_solve == latest)
            search->seeds[search->seed_count++] =
                (struct tie_seed){latest, links[number].seed_order, number};
    }
}

static void find_components(struct tie_search *search, const struct flow_event *tied,
                            uint32_t count) {
    struct flows *flows = search->flows;
    flows->visit++;
    for (uint32_t i = 0; i < count && !search->is_too_large; i++) {
        uint32_t first = search->count;
        uint32_t link = flows->step[flows->flow[tied[i].flow].first_step].link;
        if (!list_link(search, link))
            continue;
        list_connected(search, link);
        if (!search->is_too_large)
            find_seeds(search, first);
    }
}

static int by_order(const void *left, const void *right) {
    const struct tie_seed *a = left, *b = right;
    if (a->solve != b->solve)
        return a->solve < b->solve ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Depth first from each of the seeds. */
static void list_from_seeds(struct tie_search *search) {
    search->flows->visit++;
    search->count = 0;
    for (uint32_t i = 0; i < search->seed_count; i++) {
        search->from = search->seeds[i];
        if (list_link(search, search->from.link))
            list_connected(search, search->from.link);
    }
}

static void number_flows(const struct tie_search *search, uint32_t first) {
    struct flows *flows = search->flows;
    for (uint32_t i = 0; i < search->count; i++)
        for (uint32_t at = flows->link[search->links[i]].first; at != FLOW_NONE;
             at = flows->step[at].after) {
            struct flow_tie *tie = &flows->tie[flows->step[at].flow];
            if (tie->number == 0)
                tie->number = ++first;
        }
}

static int by_tie(const void *left, const void *right) {
    const struct flow_event *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

void flow_ties_sort(struct flows *flows, struct flow_event *tied, uint32_t count) {
    struct tie_search search;
    if (flows->running > FLOWS_MOST)
        return;
    search.flows = flows;
    search.count = search.seed_count = 0;
    search.from = (struct tie_seed){0};
    search.is_too_large = false;
    for (uint32_t i = 0; i < count; i++)
        if (flows->flow[tied[i].flow].steps == 0)
            return;
    find_components(&search, tied, count);
    if (search.is_too_large)
        return;
    qsort(search.seeds, search.seed_count, sizeof *search.seeds, by_order);
    list_from_seeds(&search);
    number_flows(&search, 0);
    for (uint32_t i = 0; i < count; i++)
        tied[i].order = flows->tie[tied[i].flow].number;
    qsort(tied, count, sizeof *tied, by_tie);
    for (uint32_t i = 0; i < search.count; i++)
        for (uint32_t at = flows->link[search.links[i]].first; at != FLOW_NONE;
             at = flows->step[at].after)
            flows->tie[flows->step[at].flow].number = 0;
}
