/* SPDX-License-Identifier: Apache-2.0
 *
 * What a network consists of: shared by its reader (platform_reader.c) and its questions
 * (host_network.c), and by nobody else.
 */
#pragma once

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/vec.h"
#include "engine/network/host_cluster.h"

/* Between the router of a cluster and the one in the middle; `up` and `down` are the numbers of
 * the links that a message from the cluster and to it crosses. */
struct network_uplink {
    uint32_t up, down;
    bool has_up, has_down;
};

struct middle_link {
    double bandwidth, latency_s;
    bool is_fatpipe;
};

struct host_network {
    struct arena arena;
    struct hash_table settings, properties; /* texts (char *) by key */
    VEC(struct host_cluster) clusters;
    VEC(struct network_uplink) uplinks; /* one per cluster, if there are several */
    VEC(struct middle_link) middle;     /* numbered behind the links of all clusters */
    uint32_t hosts, cluster_links;
    uint32_t hosts_each, links_each; /* of each cluster, where these are equal; else 0 */
};

/* Fills a network of zeroes. */
enum host_network_result platform_reader_read(struct host_network *out, const char *path,
                                              struct error *error);
