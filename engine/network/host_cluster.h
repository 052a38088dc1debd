/* SPDX-License-Identifier: Apache-2.0
 *
 * One `<cluster>`: equal hosts, their links, and the routes among them. The routes are those of
 * SimGrid 3.32's zones Star, FatTree (d-mod-k: Zahavi, "Fat-tree routing and node ordering
 * providing contention free traffic for MPI global collectives", JPDC 72(11), 2012), Torus
 * (dimension by dimension) and Dragonfly (minimal).
 *
 * Links have numbers from 0 within the cluster: first the loopbacks of its hosts, then those of the
 * kind. Not every number is that of a link.
 */
#pragma once

#include "base/error.h"
#include "engine/network/host_network.h"

#include <stdbool.h>
#include <stdint.h>

enum host_cluster_kind { CLUSTER_FLAT, CLUSTER_FAT_TREE, CLUSTER_TORUS, CLUSTER_DRAGONFLY };

/* Also NETWORK_LIST_MAX of the descriptions. */
#define CLUSTER_LEVELS 16

/* Switches of a fat tree: level 1 are those next to hosts. */
struct host_cluster_tree {
    uint32_t down[CLUSTER_LEVELS], up[CLUSTER_LEVELS], cables[CLUSTER_LEVELS];
    uint32_t first_link[CLUSTER_LEVELS]; /* of those above nodes of this level; 0: hosts */
};

struct host_cluster_dragonfly {
    uint32_t groups, chassis, routers, hosts; /* each: of one of the former */
    uint32_t group_links, chassis_links, router_links;
    uint32_t first_router_link, first_chassis_link, first_group_link;
};

struct host_cluster {
    const char *id, *prefix, *suffix, *router;
    uint32_t first_number; /* of the host names */
    uint32_t hosts;
    double bandwidth, latency_s; /* of each link but those that follow; bytes per second */
    bool is_duplex;              /* each link has two directions */
    bool has_loopback, has_backbone;
    double loopback_bandwidth, loopback_latency_s;
    double backbone_bandwidth, backbone_latency_s;
    double card_bandwidth; /* 0: no limit */
    enum host_cluster_kind kind;
    uint32_t levels; /* of a fat tree; dimensions of a torus */
    uint32_t dimensions[CLUSTER_LEVELS];
    struct host_cluster_tree tree;
    struct host_cluster_dragonfly dragonfly;
    uint32_t first_host, first_link, links;
};

/* From the text of topo_parameters: the shape, and how many link numbers there are (`links`).
 * NETWORK_NOT_COVERED where shape and number of hosts do not fit, or there are too many. */
enum host_network_result host_cluster_shape(struct host_cluster *cluster, const char *parameters,
                                            struct error *error);

/* Hosts count from 0 in the cluster; adds links to the route. */
void host_cluster_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                        uint32_t to);
/* From a host to the cluster's router, or back (is_up false). */
void host_cluster_leave(struct route *out, const struct host_cluster *cluster, uint32_t host,
                        bool is_up);
double host_cluster_bandwidth(const struct host_cluster *cluster, uint32_t link);

/* Of the kinds; each in its own file. */
void fat_tree_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                    uint32_t to);
void torus_route(struct route *out, const struct host_cluster *cluster, uint32_t from, uint32_t to);
void dragonfly_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                     uint32_t to);
enum host_network_result fat_tree_shape(struct host_cluster *cluster, const char *parameters,
                                        struct error *error);
enum host_network_result torus_shape(struct host_cluster *cluster, const char *parameters,
                                     struct error *error);
enum host_network_result dragonfly_shape(struct host_cluster *cluster, const char *parameters,
                                         struct error *error);
double dragonfly_bandwidth(const struct host_cluster *cluster, uint32_t link);

/* A link of the cluster's, by its number there, with its latency. */
void host_cluster_cross(struct route *out, const struct host_cluster *cluster, uint64_t link,
                        double latency_s);

/* Numbers between commas, up to the text's end or ';' behind the last; *text goes behind it.
 * Returns how many; 0: they are no such list, or more than CLUSTER_LEVELS, or one is 0. */
uint32_t cluster_numbers(uint32_t out[CLUSTER_LEVELS], const char **text);

/* Sets cluster->links, behind the loopbacks. */
enum host_network_result host_cluster_links(struct host_cluster *cluster, double links,
                                            struct error *error);
