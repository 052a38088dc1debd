/* SPDX-License-Identifier: Apache-2.0
 *
 * What all clusters have in common, and the routes of flat ones; see host_cluster.h. A flat
 * cluster's route is card, link up, backbone, link down, card, each link once.
 */
#include "engine/network/host_cluster.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Link numbers, and double as many steps of flows, fit 32 bits. */
#define LINKS_MOST 1e9
#define NUMBER_MOST 100000000UL

uint32_t cluster_numbers(uint32_t out[CLUSTER_LEVELS], const char **text) {
    uint32_t count = 0;
    for (const char *rest = *text; count < CLUSTER_LEVELS; rest++) {
        char *end;
        unsigned long number = rest[0] >= '0' && rest[0] <= '9' ? strtoul(rest, &end, 10) : 0;
        if (number == 0 || number > NUMBER_MOST)
            return 0;
        out[count++] = (uint32_t)number;
        rest = end;
        if (*rest != ',') {
            *text = *rest == ';' ? rest + 1 : rest;
            return *rest == ';' || *rest == '\0' ? count : 0;
        }
    }
    return 0;
}

enum host_network_result host_cluster_links(struct host_cluster *cluster, double links,
                                            struct error *error) {
    if (links + cluster->hosts > LINKS_MOST) {
        error_set(error, "a network of %.3g links is more than the engine takes", links);
        return NETWORK_NOT_COVERED;
    }
    cluster->links = cluster->hosts + (uint32_t)links;
    return NETWORK_COVERED;
}

enum host_network_result host_cluster_shape(struct host_cluster *cluster, const char *parameters,
                                            struct error *error) {
    bool is_flat = cluster->kind == CLUSTER_FLAT;
    if (!is_flat && (!cluster->has_loopback || cluster->card_bandwidth > 0)) {
        error_set(error, "hosts without a loopback, or with a limiter, in a cluster that has a "
                         "topology");
        return NETWORK_NOT_COVERED;
    }
    switch (cluster->kind) {
    case CLUSTER_FAT_TREE:
        return fat_tree_shape(cluster, parameters, error);
    case CLUSTER_TORUS:
        return torus_shape(cluster, parameters, error);
    case CLUSTER_DRAGONFLY:
        return dragonfly_shape(cluster, parameters, error);
    default: /* both directions and the card of each host, and the backbone */
        return host_cluster_links(cluster, 3.0 * cluster->hosts + 1, error);
    }
}

void host_cluster_cross(struct route *out, const struct host_cluster *cluster, uint64_t link,
                        double latency_s) {
    if (out->count == out->capacity) {
        out->capacity = 2 * out->capacity + 8;
        out->links = xrealloc(out->links, out->capacity * sizeof *out->links);
    }
    out->links[out->count++] = cluster->first_link + (uint32_t)link;
    out->latency_s += latency_s;
}

static void cross_card(struct route *out, const struct host_cluster *cluster, uint32_t host) {
    if (cluster->card_bandwidth > 0)
        host_cluster_cross(out, cluster, (uint64_t)3 * cluster->hosts + host, 0);
}

static void cross_own(struct route *out, const struct host_cluster *cluster, uint32_t host,
                      bool is_up) {
    uint32_t direction = cluster->is_duplex && !is_up;
    host_cluster_cross(out, cluster, cluster->hosts + (uint64_t)2 * host + direction,
                       cluster->latency_s);
}

static void cross_backbone(struct route *out, const struct host_cluster *cluster) {
    if (cluster->has_backbone)
        host_cluster_cross(out, cluster, (uint64_t)4 * cluster->hosts, cluster->backbone_latency_s);
}

void host_cluster_leave(struct route *out, const struct host_cluster *cluster, uint32_t host,
                        bool is_up) {
    if (is_up) {
        cross_card(out, cluster, host);
        cross_own(out, cluster, host, true);
    }
    cross_backbone(out, cluster);
    if (!is_up) {
        cross_own(out, cluster, host, false);
        cross_card(out, cluster, host);
    }
}

/* No link twice: a host without a loopback has its own card, and the link where that is half
 * duplex, only once. */
static void flat_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                       uint32_t to) {
    cross_card(out, cluster, from);
    cross_own(out, cluster, from, true);
    cross_backbone(out, cluster);
    if (from != to || cluster->is_duplex)
        cross_own(out, cluster, to, false);
    if (from != to)
        cross_card(out, cluster, to);
}

void host_cluster_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                        uint32_t to) {
    if (from == to && cluster->has_loopback)
        host_cluster_cross(out, cluster, from, cluster->loopback_latency_s);
    else if (cluster->kind == CLUSTER_FLAT)
        flat_route(out, cluster, from, to);
    else if (cluster->kind == CLUSTER_FAT_TREE)
        fat_tree_route(out, cluster, from, to);
    else if (cluster->kind == CLUSTER_TORUS)
        torus_route(out, cluster, from, to);
    else
        dragonfly_route(out, cluster, from, to);
}

double host_cluster_bandwidth(const struct host_cluster *cluster, uint32_t link) {
    if (link < cluster->hosts)
        return cluster->loopback_bandwidth;
    if (cluster->kind == CLUSTER_DRAGONFLY)
        return dragonfly_bandwidth(cluster, link);
    if (cluster->kind != CLUSTER_FLAT || link < 3 * (uint64_t)cluster->hosts)
        return cluster->bandwidth;
    return link < 4 * (uint64_t)cluster->hosts ? cluster->card_bandwidth
                                               : cluster->backbone_bandwidth;
}
