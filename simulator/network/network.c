/* SPDX-License-Identifier: Apache-2.0
 *
 * Defaults, and the shape of a network: from what its description says to the numbers of switches
 * that SimGrid wants to have; see network.h.
 *
 * Where a description leaves the shape open, it is made for the hosts that are wanted:
 * - fat tree of switches with `radix` ports: as many levels as needed, half of the ports up and
 *   half down but at the top, which has no more children than needed: full bisection;
 * - dragonfly: one chassis of a = 2p routers per group, p hosts at each, as Kim, Dally, Scott and
 *   Abts (ISCA 2008) balance it, p the least for which there are enough groups; SimGrid allows a
 *   groups, not a * p + 1;
 * - torus: three dimensions, the longest at most twice the shortest, with the fewest hosts.
 */
#include "simulator/network/network.h"

#include "base/str.h"
#include "simulator/network/technology.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#define DEFAULT_RADIX 36
/* SimGrid reads the numbers of a topology as int. */
#define PART_MAX 1000000

struct network network_default(void) {
    return (struct network){
        .prefix = "node-",
        .cores = 1,
        .speed_flops_per_s = 1e9,
        .bandwidth_bytes_per_s = 12.5e9,
        .latency_s = 1e-6,
        .memory_bandwidth_bytes_per_s = 10e9,
        .memory_latency_s = 0.5e-6,
        .backbone_latency_s = -1,
        .uplink_latency_s = -1,
        .eager_threshold_bytes = SIZE_MAX,
    };
}

/* The product, or NETWORK_HOSTS_MAX + 1 where it is larger. */
static size_t product(size_t left, size_t right) {
    return right != 0 && left > NETWORK_HOSTS_MAX / right ? NETWORK_HOSTS_MAX + 1 : left * right;
}

static size_t product_of(const struct network_list *list) {
    size_t result = 1;
    for (size_t i = 0; i < list->count; i++)
        result = product(result, list->of[i]);
    return result;
}

static size_t ceiling(size_t count, size_t part) {
    return (count + part - 1) / part;
}

static int check_hosts(struct network *network, size_t made, struct error *error) {
    if (made > NETWORK_HOSTS_MAX)
        return error_set(error, "the network has more than %d hosts", NETWORK_HOSTS_MAX);
    if (network->hosts > 0 && network->hosts > made)
        return error_set(error,
                         "hosts is %zu, but the %s of this shape has %zu: give a larger shape, or "
                         "hosts alone",
                         network->hosts, network_topology_name(network->topology), made);
    network->hosts = made;
    return 0;
}

static int complete_fat_tree_shape(struct network *network, struct error *error) {
    size_t levels = network->down.count;
    if (network->links.count == 0)
        for (network->links.count = 0; network->links.count < levels; network->links.count++)
            network->links.of[network->links.count] = 1;
    if (network->up.count != levels || network->links.count != levels)
        return error_set(error,
                         "a fat tree's down, up and links have one number per level: here %zu, "
                         "%zu and %zu",
                         levels, network->up.count, network->links.count);
    return 0;
}

static int make_fat_tree(struct network *network, size_t wanted, struct error *error) {
    size_t radix = network->radix > 0 ? network->radix : DEFAULT_RADIX;
    size_t half = radix / 2, below = 1, levels = 0;
    if (radix < 4 || radix > PART_MAX)
        return error_set(error, "the switches of a fat tree have 4 to %d ports (radix), not %zu",
                         PART_MAX, radix);
    while (product(below, radix) < wanted && levels + 1 < NETWORK_LIST_MAX) {
        network->down.of[levels] = half;
        network->up.of[levels] = levels == 0 ? 1 : half;
        below = product(below, half);
        levels++;
    }
    network->down.of[levels] = ceiling(wanted, below);
    network->up.of[levels] = levels == 0 ? 1 : half;
    network->down.count = network->up.count = levels + 1;
    return network->down.of[levels] <= radix
               ? 0
               : error_set(error, "%zu hosts need more than %d levels of switches with %zu ports",
                           wanted, NETWORK_LIST_MAX, radix);
}

static int complete_fat_tree(struct network *network, size_t wanted, struct error *error) {
    bool has_shape = network->down.count > 0 || network->up.count > 0;
    if (has_shape && network->radix > 0)
        return error_set(error, "give radix, or down and up, not both");
    if ((!has_shape && make_fat_tree(network, wanted, error) != 0) ||
        complete_fat_tree_shape(network, error) != 0)
        return -1;
    return check_hosts(network, product_of(&network->down), error);
}

static void make_dragonfly(struct network *network, size_t wanted) {
    size_t at_router = 1;
    while (product(product(2 * at_router, 2 * at_router), at_router) < wanted)
        at_router++;
    network->hosts_per_router = at_router;
    network->routers = 2 * at_router;
    network->groups = ceiling(wanted, network->routers * at_router);
}

static int complete_dragonfly(struct network *network, size_t wanted, struct error *error) {
    size_t given = (network->groups > 0) + (network->routers > 0) + (network->hosts_per_router > 0);
    if (given == 0 && network->chassis == 0)
        make_dragonfly(network, wanted);
    else if (given < 3)
        return error_set(error, "a dragonfly has groups, routers and hosts-per-router (and "
                                "chassis): give all of them, or hosts alone");
    network->chassis += network->chassis == 0;
    network->group_links += network->group_links == 0;
    network->chassis_links += network->chassis_links == 0;
    network->router_links += network->router_links == 0;
    if (network->groups > network->routers)
        return error_set(error,
                         "SimGrid 3.32 sends messages for group G through router G of a chassis: a "
                         "dragonfly cannot have more groups (%zu) than routers in a chassis (%zu)",
                         network->groups, network->routers);
    size_t made = product(product(network->groups, network->chassis),
                          product(network->routers, network->hosts_per_router));
    return check_hosts(network, made, error);
}

/* The torus a x b x c, a <= b <= c <= 2a, with the fewest hosts, then with the least c. */
static void make_torus(struct network_list *out, size_t wanted) {
    size_t fewest = SIZE_MAX;
    out->count = 3;
    for (size_t a = 1; (a - 1) * (a - 1) * (a - 1) <= wanted; a++)
        for (size_t b = a; a * (b - 1) * (b - 1) <= wanted; b++) {
            size_t needed = ceiling(wanted, a * b), c = needed > b ? needed : b;
            size_t hosts = a * b * c;
            if (c > 2 * a || hosts > fewest || (hosts == fewest && c >= out->of[2]))
                continue;
            fewest = hosts;
            out->of[0] = a;
            out->of[1] = b;
            out->of[2] = c;
        }
}

static int complete_torus(struct network *network, size_t wanted, struct error *error) {
    if (network->dimensions.count == 0)
        make_torus(&network->dimensions, wanted);
    return check_hosts(network, product_of(&network->dimensions), error);
}

static int complete_star(struct network *network, size_t wanted, struct error *error) {
    if (network->hosts_per_switch == 0 || network->uplink_bandwidth_bytes_per_s <= 0)
        return error_set(error, "a star has hosts-per-switch and uplink-bandwidth: give both");
    if (network->uplink_latency_s < 0)
        network->uplink_latency_s = network->latency_s;
    size_t switches = ceiling(wanted, network->hosts_per_switch);
    return check_hosts(network, product(switches, network->hosts_per_switch), error);
}

static int complete_backbone(struct network *network, size_t wanted, struct error *error) {
    if (network->backbone_bandwidth_bytes_per_s <= 0)
        return error_set(error, "a backbone has backbone-bandwidth: give it");
    if (network->backbone_latency_s < 0)
        network->backbone_latency_s = network->latency_s;
    return check_hosts(network, wanted, error);
}

/* So much that a message of any size takes less than the clock can tell, and still a number. */
#define IDEAL_BANDWIDTH_BYTES_PER_S 1e30

static void complete_ideal(struct network *network) {
    network->bandwidth_bytes_per_s = IDEAL_BANDWIDTH_BYTES_PER_S;
    network->memory_bandwidth_bytes_per_s = IDEAL_BANDWIDTH_BYTES_PER_S;
    network->latency_s = network->memory_latency_s = 0;
}

static bool parts_fit(const struct network *network) {
    const struct network_list *lists[] = {&network->down, &network->up, &network->links,
                                          &network->dimensions};
    const size_t counts[] = {network->groups,      network->chassis,         network->routers,
                             network->group_links, network->chassis_links,   network->router_links,
                             network->cores,       network->hosts_per_router};
    bool fit = true;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        fit = fit && counts[i] <= PART_MAX;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (size_t k = 0; k < lists[i]->count; k++)
            fit = fit && lists[i]->of[k] <= PART_MAX;
    return fit;
}

int network_complete(struct network *network, size_t needed, struct error *error) {
    technology_fill_in(network);
    size_t wanted = network->hosts > 0 ? network->hosts : needed;
    if (wanted == 0)
        wanted = 1;
    if (wanted > NETWORK_HOSTS_MAX)
        return error_set(error, "the network has more than %d hosts", NETWORK_HOSTS_MAX);
    if (!parts_fit(network))
        return error_set(error, "one of the numbers that give the shape is over %d", PART_MAX);
    switch ((enum network_topology)network->topology) {
    case TOPOLOGY_FAT_TREE:
        return complete_fat_tree(network, wanted, error);
    case TOPOLOGY_DRAGONFLY:
        return complete_dragonfly(network, wanted, error);
    case TOPOLOGY_TORUS:
        return complete_torus(network, wanted, error);
    case TOPOLOGY_STAR:
        return complete_star(network, wanted, error);
    case TOPOLOGY_BACKBONE:
        return complete_backbone(network, wanted, error);
    case TOPOLOGY_IDEAL:
        complete_ideal(network);
        return check_hosts(network, wanted, error);
    default:
        return check_hosts(network, wanted, error);
    }
}

void network_scale_bandwidth(struct network *network, double factor) {
    network->bandwidth_bytes_per_s *= factor;
    network->card_bandwidth_bytes_per_s *= factor;
    network->backbone_bandwidth_bytes_per_s *= factor;
    network->uplink_bandwidth_bytes_per_s *= factor;
}

void network_scale_latency(struct network *network, double factor) {
    network->latency_s *= factor;
    network->backbone_latency_s *= factor;
    network->uplink_latency_s *= factor;
}

/* SIZE:SECONDS:SECONDS_PER_BYTE;...: all numbers but sizes. NULL: there is none. */
static const char *scaled_pieces(const char *pieces, double factor, struct arena *arena) {
    struct str text = {0};
    if (pieces == NULL)
        return NULL;
    for (bool is_size = true; *pieces != '\0';) {
        char *end = NULL;
        double number = strtod(pieces, &end);
        str_printf(&text, "%.17g", is_size ? number : number * factor);
        if (*end != '\0')
            str_addc(&text, *end);
        is_size = *end == ';';
        pieces = *end != '\0' ? end + 1 : end;
    }
    return str_into(arena, &text);
}

void network_scale_overheads(struct network *network, double factor, struct arena *arena) {
    network->send_overhead = scaled_pieces(network->send_overhead, factor, arena);
    network->isend_overhead = scaled_pieces(network->isend_overhead, factor, arena);
    network->receive_overhead = scaled_pieces(network->receive_overhead, factor, arena);
}

static const char *bandwidth_text(double bytes_per_s, struct arena *arena) {
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    size_t unit = 0;
    for (; unit < 4 && bytes_per_s >= 999.5; unit++)
        bytes_per_s /= 1e3;
    return arena_printf(arena, "%.4g %s", bytes_per_s, units[unit]);
}

static const char *latency_text(double seconds, struct arena *arena) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    seconds *= 1e9;
    for (; unit < 3 && seconds >= 999.5; unit++)
        seconds /= 1e3;
    return arena_printf(arena, "%.4g %s", seconds, units[unit]);
}

static const char *list_text(const struct network_list *list, const char *between,
                             struct arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < list->count; i++)
        text = arena_printf(arena, "%s%s%zu", text, i > 0 ? between : "", list->of[i]);
    return text;
}

static const char *shape_text(const struct network *network, struct arena *arena) {
    switch ((enum network_topology)network->topology) {
    case TOPOLOGY_BACKBONE:
        return arena_printf(arena, ", a backbone of %s and %s",
                            bandwidth_text(network->backbone_bandwidth_bytes_per_s, arena),
                            latency_text(network->backbone_latency_s, arena));
    case TOPOLOGY_STAR:
        return arena_printf(arena, ", %zu at a switch, uplinks of %s and %s",
                            network->hosts_per_switch,
                            bandwidth_text(network->uplink_bandwidth_bytes_per_s, arena),
                            latency_text(network->uplink_latency_s, arena));
    case TOPOLOGY_FAT_TREE:
        return arena_printf(arena, ", %zu levels: down %s, up %s, links %s", network->down.count,
                            list_text(&network->down, ",", arena),
                            list_text(&network->up, ",", arena),
                            list_text(&network->links, ",", arena));
    case TOPOLOGY_DRAGONFLY:
        return arena_printf(arena, ", %zu group%s x %zu chassis x %zu routers x %zu hosts",
                            network->groups, text_plural(network->groups), network->chassis,
                            network->routers, network->hosts_per_router);
    case TOPOLOGY_TORUS:
        return arena_printf(arena, ", %s", list_text(&network->dimensions, " x ", arena));
    default:
        return "";
    }
}

const char *network_summary(const struct network *network, struct arena *arena) {
    const char *plural = text_plural(network->hosts);
    if (network->topology == TOPOLOGY_IDEAL)
        return arena_printf(arena, "ideal: %zu host%s, no latency, no limit of bandwidth",
                            network->hosts, plural);
    return arena_printf(arena, "%s: %zu host%s, %s and %s per link%s",
                        network_topology_name(network->topology), network->hosts, plural,
                        bandwidth_text(network->bandwidth_bytes_per_s, arena),
                        latency_text(network->latency_s, arena), shape_text(network, arena));
}
