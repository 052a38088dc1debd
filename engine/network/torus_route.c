/* SPDX-License-Identifier: Apache-2.0
 *
 * Routes of a torus, dimension by dimension, each the shorter way round; see host_cluster.h. Each
 * host owns one link per dimension, to its next neighbour: number (host * dimensions + dimension)
 * * 2, and + 1 for the way back.
 */
#include "engine/network/host_cluster.h"

enum host_network_result torus_shape(struct host_cluster *cluster, const char *parameters,
                                     struct error *error) {
    uint64_t hosts = 1;
    cluster->levels = cluster_numbers(cluster->dimensions, &parameters);
    for (uint32_t i = 0; i < cluster->levels && hosts <= cluster->hosts; i++)
        hosts *= cluster->dimensions[i];
    if (cluster->levels == 0 || hosts != cluster->hosts) {
        error_set(error, "a torus whose dimensions do not give its %u hosts", cluster->hosts);
        return NETWORK_NOT_COVERED;
    }
    return host_cluster_links(cluster, 2.0 * cluster->hosts * cluster->levels, error);
}

/* Whether the way from `at` to `to` goes to greater numbers; with an even length and the same
 * distance both ways, as SimGrid has it. */
static bool goes_ahead(uint32_t at, uint32_t to, uint32_t length) {
    uint32_t half = length / 2;
    return (to > at && to <= at + half) || (at > half && (at + half) % length >= to);
}

static void cross_dimension(struct route *out, const struct host_cluster *cluster,
                            uint32_t dimension, uint32_t base, uint32_t stride, uint32_t at,
                            uint32_t to) {
    uint32_t length = cluster->dimensions[dimension];
    bool ahead = goes_ahead(at, to, length);
    while (at != to) {
        uint32_t next = ahead ? (at + 1) % length : (at + length - 1) % length;
        uint64_t owner = base + (uint64_t)(ahead ? at : next) * stride;
        uint64_t back = cluster->is_duplex && !ahead;
        host_cluster_cross(out, cluster,
                           cluster->hosts + (owner * cluster->levels + dimension) * 2 + back,
                           cluster->latency_s);
        at = next;
    }
}

void torus_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                 uint32_t to) {
    uint32_t stride = 1;
    for (uint32_t i = 0; i < cluster->levels; i++) {
        uint32_t length = cluster->dimensions[i];
        uint32_t at = from / stride % length, end = to / stride % length;
        cross_dimension(out, cluster, i, from - at * stride, stride, at, end);
        from += (end - at) * stride;
        stride *= length;
    }
}
