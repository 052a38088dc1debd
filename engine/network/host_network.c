/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers about hosts, links and settings; see host_network.h. With several clusters a route is:
 * up to the router of one's own, its uplink, the other's downlink, and down.
 */
#include "engine/network/host_network.h"

#include "base/file.h"
#include "engine/network/network_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum host_network_result host_network_load(struct host_network **out, const char *path,
                                           struct error *error) {
    struct host_network *network = xmalloc(sizeof *network);
    *network = (struct host_network){0};
    enum host_network_result result = platform_reader_read(network, path, error);
    if (result != NETWORK_COVERED) {
        host_network_free(network);
        network = NULL;
    }
    *out = network;
    return result;
}

void host_network_free(struct host_network *network) {
    if (network == NULL)
        return;
    vec_dispose(&network->clusters);
    vec_dispose(&network->uplinks);
    vec_dispose(&network->middle);
    hash_table_dispose(&network->settings);
    hash_table_dispose(&network->properties);
    arena_dispose(&network->arena);
    free(network);
}

/* What flows read, and what makes no difference to times: of `network/`, all others are refused. */
static const char *const known[] = {"network/weight-S",
                                    "network/TCP-gamma",
                                    "network/crosstraffic",
                                    "network/latency-factor",
                                    "network/bandwidth-factor",
                                    "network/optim",
                                    "network/loopback-bw",
                                    "network/loopback-lat",
                                    "network/model",
                                    "network/solver",
                                    "network/maxmin-selective-update"};

static bool is_known(const char *key) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], key) == 0)
            return true;
    return strncmp(key, "network/", 8) != 0;
}

enum host_network_result host_network_set(struct host_network *network, const char *key,
                                          const char *value, struct error *error) {
    bool other_model = strcmp(key, "network/model") == 0 && strcmp(value, "SMPI") != 0;
    bool other_solver = strcmp(key, "network/solver") == 0 && strcmp(value, "maxmin") != 0;
    if (other_model || other_solver || !is_known(key)) {
        error_set(error, "the setting %s:%s", key, value);
        return NETWORK_NOT_COVERED;
    }
    char **text = hash_table_find_text(&network->settings, key);
    if (text == NULL)
        text = hash_table_add_text(&network->settings, key, sizeof *text);
    *text = arena_strdup(&network->arena, value);
    return NETWORK_COVERED;
}

static const char *text_of(const struct hash_table *table, const char *key) {
    char **text = hash_table_find_text(table, key);
    return text != NULL ? *text : NULL;
}

const char *host_network_setting(const struct host_network *network, const char *key) {
    return text_of(&network->settings, key);
}

const char *host_network_property(const struct host_network *network, const char *key) {
    return text_of(&network->properties, key);
}

size_t host_network_hosts(const struct host_network *network) {
    return network->hosts;
}

bool host_network_is_switch(const struct host_network *network) {
    const struct host_cluster *cluster = network->clusters.items;
    return network->clusters.count == 1 && cluster->kind == CLUSTER_FLAT && cluster->is_duplex &&
           !cluster->has_backbone && cluster->card_bandwidth == 0;
}

/* The cluster with that host, or that link: the last one that begins at or before it. */
static uint32_t search(const struct host_network *network, uint32_t number, bool is_link) {
    uint32_t low = 0, high = (uint32_t)network->clusters.count;
    uint32_t each = is_link ? network->links_each : network->hosts_each;
    if (high == 1)
        return 0;
    if (each > 0)
        return number / each;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        const struct host_cluster *cluster = &network->clusters.items[middle];
        if ((is_link ? cluster->first_link : cluster->first_host) <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const struct host_cluster *cluster_of(const struct host_network *network, uint32_t host) {
    return &network->clusters.items[search(network, host, false)];
}

void host_network_name(char *out, size_t size, const struct host_network *network, uint32_t host) {
    const struct host_cluster *cluster = cluster_of(network, host);
    snprintf(out, size, "%s%u%s", cluster->prefix,
             cluster->first_number + (host - cluster->first_host), cluster->suffix);
}

static void cross_middle(struct route *out, const struct host_network *network, uint32_t link) {
    static const struct host_cluster none = {0};
    host_cluster_cross(out, &none, link,
                       network->middle.items[link - network->cluster_links].latency_s);
}

void host_network_route(struct route *out, const struct host_network *network, uint32_t from,
                        uint32_t to) {
    uint32_t here = search(network, from, false), there = search(network, to, false);
    const struct host_cluster *start = &network->clusters.items[here];
    const struct host_cluster *end = &network->clusters.items[there];
    out->count = 0;
    out->latency_s = 0;
    if (here == there) {
        host_cluster_route(out, start, from - start->first_host, to - start->first_host);
        return;
    }
    host_cluster_leave(out, start, from - start->first_host, true);
    cross_middle(out, network, network->uplinks.items[here].up);
    cross_middle(out, network, network->uplinks.items[there].down);
    host_cluster_leave(out, end, to - end->first_host, false);
}

void route_dispose(struct route *route) {
    free(route->links);
    *route = (struct route){0};
}

uint32_t host_network_links(const struct host_network *network) {
    return network->cluster_links + (uint32_t)network->middle.count;
}

double host_network_bandwidth(const struct host_network *network, uint32_t link) {
    if (link >= network->cluster_links)
        return network->middle.items[link - network->cluster_links].bandwidth;
    const struct host_cluster *cluster = &network->clusters.items[search(network, link, true)];
    return host_cluster_bandwidth(cluster, link - cluster->first_link);
}

bool host_network_is_fatpipe(const struct host_network *network, uint32_t link) {
    if (link >= network->cluster_links)
        return network->middle.items[link - network->cluster_links].is_fatpipe;
    const struct host_cluster *cluster = &network->clusters.items[search(network, link, true)];
    return link - cluster->first_link < cluster->hosts; /* loopbacks */
}
