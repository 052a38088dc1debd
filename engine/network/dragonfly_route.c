/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimal routes of a dragonfly; see host_cluster.h. Group A's link to group B is at router B of
 * A's chassis 0. Two routers of a chassis, two chassis (at each router), and two groups have one
 * link each way, whose bandwidth is that of as many links as the shape says; numbers are those of
 * (from, to), and where both ways share the link, of (lesser, greater).
 */
#include "engine/network/host_cluster.h"

struct dragonfly_router {
    uint32_t group, chassis, router;
};

static bool read_numbers(struct host_cluster_dragonfly *out, const char *parameters) {
    uint32_t of[CLUSTER_LEVELS], *const pairs[3][2] = {{&out->groups, &out->group_links},
                                                       {&out->chassis, &out->chassis_links},
                                                       {&out->routers, &out->router_links}};
    for (size_t i = 0; i < 3; i++) {
        if (cluster_numbers(of, &parameters) != 2)
            return false;
        *pairs[i][0] = of[0];
        *pairs[i][1] = of[1];
    }
    bool is_read = cluster_numbers(of, &parameters) == 1;
    out->hosts = of[0];
    return is_read;
}

enum host_network_result dragonfly_shape(struct host_cluster *cluster, const char *parameters,
                                         struct error *error) {
    struct host_cluster_dragonfly *shape = &cluster->dragonfly;
    if (!read_numbers(shape, parameters) || shape->routers < shape->groups ||
        (double)shape->groups * shape->chassis * shape->routers * shape->hosts != cluster->hosts) {
        error_set(error,
                  "a dragonfly whose numbers do not give its %u hosts, or with more groups than "
                  "routers in a chassis",
                  cluster->hosts);
        return NETWORK_NOT_COVERED;
    }
    double all_chassis = (double)shape->groups * shape->chassis;
    double first_chassis = 2.0 * cluster->hosts + all_chassis * shape->routers * shape->routers;
    double first_group = first_chassis + all_chassis * shape->routers * shape->chassis;
    double links = first_group + (double)shape->groups * shape->groups;
    if (host_cluster_links(cluster, links, error) != NETWORK_COVERED)
        return NETWORK_NOT_COVERED;
    shape->first_router_link = 3 * cluster->hosts;
    shape->first_chassis_link = cluster->hosts + (uint32_t)first_chassis;
    shape->first_group_link = cluster->hosts + (uint32_t)first_group;
    return NETWORK_COVERED;
}

double dragonfly_bandwidth(const struct host_cluster *cluster, uint32_t link) {
    const struct host_cluster_dragonfly *shape = &cluster->dragonfly;
    uint32_t links = link < shape->first_router_link    ? 1
                     : link < shape->first_chassis_link ? shape->router_links
                     : link < shape->first_group_link   ? shape->chassis_links
                                                        : shape->group_links;
    return cluster->bandwidth * links;
}

static struct dragonfly_router router_of(const struct host_cluster_dragonfly *shape,
                                         uint32_t host) {
    uint32_t number = host / shape->hosts, chassis = number / shape->routers;
    return (struct dragonfly_router){chassis / shape->chassis, chassis % shape->chassis,
                                     number % shape->routers};
}

static void cross_pair(struct route *out, const struct host_cluster *cluster, uint64_t first,
                       uint64_t set, uint32_t count, uint32_t from, uint32_t to) {
    bool is_turned = !cluster->is_duplex && from > to;
    uint32_t row = is_turned ? to : from, column = is_turned ? from : to;
    host_cluster_cross(out, cluster, first + (set * count + row) * count + column,
                       cluster->latency_s);
}

static void to_router(struct route *out, const struct host_cluster *cluster,
                      struct dragonfly_router *at, uint32_t router) {
    const struct host_cluster_dragonfly *shape = &cluster->dragonfly;
    uint64_t chassis = (uint64_t)at->group * shape->chassis + at->chassis;
    if (at->router != router)
        cross_pair(out, cluster, shape->first_router_link, chassis, shape->routers, at->router,
                   router);
    at->router = router;
}

static void to_chassis(struct route *out, const struct host_cluster *cluster,
                       struct dragonfly_router *at, uint32_t chassis) {
    const struct host_cluster_dragonfly *shape = &cluster->dragonfly;
    uint64_t column = (uint64_t)at->group * shape->routers + at->router;
    if (at->chassis != chassis)
        cross_pair(out, cluster, shape->first_chassis_link, column, shape->chassis, at->chassis,
                   chassis);
    at->chassis = chassis;
}

static void to_group(struct route *out, const struct host_cluster *cluster,
                     struct dragonfly_router *at, uint32_t group) {
    const struct host_cluster_dragonfly *shape = &cluster->dragonfly;
    if (at->group == group)
        return;
    to_router(out, cluster, at, group);
    to_chassis(out, cluster, at, 0);
    cross_pair(out, cluster, shape->first_group_link, 0, shape->groups, at->group, group);
    *at = (struct dragonfly_router){group, 0, at->group};
}

static void cross_own(struct route *out, const struct host_cluster *cluster, uint32_t host,
                      bool is_up) {
    uint64_t back = cluster->is_duplex && !is_up;
    host_cluster_cross(out, cluster, cluster->hosts + (uint64_t)2 * host + back,
                       cluster->latency_s);
}

void dragonfly_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                     uint32_t to) {
    struct dragonfly_router at = router_of(&cluster->dragonfly, from);
    struct dragonfly_router end = router_of(&cluster->dragonfly, to);
    cross_own(out, cluster, from, true);
    to_group(out, cluster, &at, end.group);
    bool is_moved = at.router != end.router;
    to_router(out, cluster, &at, end.router);
    if (is_moved) /* SimGrid goes on as if that had been in chassis 0 */
        at.chassis = 0;
    to_chassis(out, cluster, &at, end.chassis);
    cross_own(out, cluster, to, false);
}
