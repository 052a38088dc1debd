/* SPDX-License-Identifier: Apache-2.0
 *
 * Routes as SimGrid 3.32 takes them; see network_path.h. A fat tree goes up to the lowest level
 * that both hosts have in common; a torus takes the shorter way in each dimension; a dragonfly
 * goes to router G of chassis 0 for group G, over, and on within the other group.
 */
#include "simulator/network/network_path.h"

static void cross(struct network_path *path, size_t count, double bandwidth, double latency) {
    path->links += count;
    path->latency_s += (double)count * latency;
    if (count > 0 && (path->links == count || bandwidth < path->bandwidth_bytes_per_s))
        path->bandwidth_bytes_per_s = bandwidth;
}

static size_t fat_tree_links(const struct network *network, size_t from, size_t to) {
    size_t level = 0;
    for (; from != to; level++) {
        from /= network->down.of[level];
        to /= network->down.of[level];
    }
    return 2 * level;
}

static size_t torus_links(const struct network *network, size_t from, size_t to) {
    size_t links = 0;
    for (size_t i = 0; i < network->dimensions.count; i++) {
        size_t length = network->dimensions.of[i], a = from % length, b = to % length;
        size_t ahead = a < b ? b - a : a - b;
        links += ahead < length - ahead ? ahead : length - ahead;
        from /= length;
        to /= length;
    }
    return links;
}

struct router {
    size_t group, chassis, router;
};

static struct router router_of(const struct network *network, size_t host) {
    size_t number = host / network->hosts_per_router, chassis = number / network->routers;
    return (struct router){chassis / network->chassis, chassis % network->chassis,
                           number % network->routers};
}

static void cross_dragonfly(struct network_path *path, const struct network *network, size_t from,
                            size_t to) {
    struct router here = router_of(network, from), there = router_of(network, to);
    double bandwidth = network->bandwidth_bytes_per_s, latency = network->latency_s;
    double in_chassis = bandwidth * (double)network->router_links;
    double in_group = bandwidth * (double)network->chassis_links;
    cross(path, 2, bandwidth, latency); /* of the two hosts */
    if (here.group != there.group) {
        cross(path, here.router != there.group, in_chassis, latency);
        cross(path, here.chassis != 0, in_group, latency);
        cross(path, 1, bandwidth * (double)network->group_links, latency);
        here = (struct router){there.group, 0, here.group};
    }
    cross(path, here.router != there.router, in_chassis, latency);
    if (here.router != there.router)
        here.chassis = 0; /* SimGrid 3.32 goes on from there */
    cross(path, here.chassis != there.chassis, in_group, latency);
}

static void cross_star(struct network_path *path, const struct network *network, size_t from,
                       size_t to) {
    cross(path, 2, network->bandwidth_bytes_per_s, network->latency_s);
    if (from / network->hosts_per_switch != to / network->hosts_per_switch)
        cross(path, 2, network->uplink_bandwidth_bytes_per_s, network->uplink_latency_s);
}

/* All links that are alike. */
static size_t equal_links(const struct network *network, size_t from, size_t to) {
    if (network->topology == TOPOLOGY_FAT_TREE)
        return fat_tree_links(network, from, to);
    return network->topology == TOPOLOGY_TORUS ? torus_links(network, from, to) : 2;
}

struct network_path network_path(const struct network *network, size_t from, size_t to) {
    struct network_path path = {0};
    double card = network->card_bandwidth_bytes_per_s;
    if (from == to) {
        cross(&path, 1, network->memory_bandwidth_bytes_per_s, network->memory_latency_s);
        return path;
    }
    if (network->topology == TOPOLOGY_STAR)
        cross_star(&path, network, from, to);
    else if (network->topology == TOPOLOGY_DRAGONFLY)
        cross_dragonfly(&path, network, from, to);
    else
        cross(&path, equal_links(network, from, to), network->bandwidth_bytes_per_s,
              network->latency_s);
    if (network->topology == TOPOLOGY_BACKBONE)
        cross(&path, 1, network->backbone_bandwidth_bytes_per_s, network->backbone_latency_s);
    if (card > 0 && card < path.bandwidth_bytes_per_s)
        path.bandwidth_bytes_per_s = card;
    return path;
}

#define CANDIDATES 4096

static size_t opposite(const struct network_list *dimensions) {
    size_t host = 0, stride = 1;
    for (size_t i = 0; i < dimensions->count; i++) {
        host += dimensions->of[i] / 2 * stride;
        stride *= dimensions->of[i];
    }
    return host;
}

size_t network_farthest(const struct network *network) {
    if (network->topology == TOPOLOGY_TORUS)
        return opposite(&network->dimensions);
    size_t farthest = network->hosts - 1, step = network->hosts / CANDIDATES + 1;
    double most = network_path(network, 0, farthest).latency_s;
    for (size_t host = 1; host < network->hosts; host += step) {
        double latency = network_path(network, 0, host).latency_s;
        if (latency > most) {
            most = latency;
            farthest = host;
        }
    }
    return farthest;
}

double network_path_time(const struct network_path *path, double bytes) {
    return path->latency_s + bytes / path->bandwidth_bytes_per_s;
}
