/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether rates are max-min shares: no link carries more than it can, and what sends is held back
 * by its own limit or by a link that is full (D. Bertsekas, R. Gallager, "Data Networks", 1992,
 * 6.5.2: that is what makes them so).
 */
#include "engine/flows/flow_parts.h"

#define FULL_PRECISION 1e-4 /* levels are passed on to 1e-6 at each of many links */

static double carried(const struct flows *flows, uint32_t number) {
    double sum = 0;
    for (uint32_t at = flows->link[number].first; at != FLOW_NONE; at = flows->step[at].after)
        sum += flows->flow[flows->step[at].flow].rate * flow_parts[flows->step[at].part];
    return sum;
}

/* A part of 0: the link holds back each flow by itself, of which `limit` knows. */
static int check_flow(const struct flows *flows, uint32_t number, struct error *error) {
    const struct message_flow *flow = &flows->flow[number];
    bool is_held_back = flow->rate >= flow->weight * flow->limit * (1 - FULL_PRECISION);
    if (!(flow->rate > 0))
        return error_set(error, "flow %u sends at %g bytes a second", number, flow->rate);
    if (flows->heap_at[number] == FLOW_NONE)
        return error_set(error, "flow %u sends and has no end", number);
    for (uint32_t i = 0; i < flow->steps; i++) {
        const struct flow_step *step = &flows->step[flow->first_step + i];
        const struct flow_link *link = &flows->link[step->link];
        if (step->part == PART_NONE)
            continue;
        double sum = carried(flows, step->link);
        if (sum > link->bandwidth * (1 + FULL_PRECISION))
            return error_set(error, "link %u carries %g of its %g bytes a second", step->link, sum,
                             link->bandwidth);
        is_held_back = is_held_back || sum >= link->bandwidth * (1 - FULL_PRECISION);
    }
    return is_held_back ? 0
                        : error_set(error,
                                    "flow %u sends at %g bytes a second, and nothing holds "
                                    "it back",
                                    number, flow->rate);
}

int flows_check(const struct flows *flows, struct error *error) {
    for (uint32_t i = 0; i < flows->flow_count; i++)
        if (flows->flow[i].state == FLOW_SENDS && check_flow(flows, i, error) != 0)
            return -1;
    return 0;
}
