/* SPDX-License-Identifier: Apache-2.0
 *
 * Routes of a parallel ports generalised fat tree; see host_cluster.h. A node has a label of one
 * digit per level: below its own level digits count parents, from there on children; its position
 * in the level is the label as a number, the first digit counting least. The parent through port d
 * has d modulo the number of parents in the digit of the child's level; d divided by it is which of
 * the parallel cables. A link belongs to the child: (position * ports + port) * 2, + 1 downwards.
 */
#include "engine/network/host_cluster.h"

struct fat_tree_node {
    uint32_t level, label[CLUSTER_LEVELS];
};

static uint32_t ports_above(const struct host_cluster *cluster, uint32_t level) {
    return cluster->tree.up[level] * cluster->tree.cables[level];
}

/* Links above all nodes of a level, in one direction. */
static double links_above(const struct host_cluster *cluster, uint32_t level) {
    double nodes = 1;
    for (uint32_t i = 0; i < cluster->levels; i++)
        nodes *= i < level ? cluster->tree.up[i] : cluster->tree.down[i];
    return nodes * cluster->tree.up[level] * cluster->tree.cables[level];
}

static bool read_shape(struct host_cluster *cluster, const char *parameters) {
    struct host_cluster_tree *tree = &cluster->tree;
    uint32_t levels[CLUSTER_LEVELS];
    uint64_t hosts = 1;
    if (cluster_numbers(levels, &parameters) != 1 ||
        cluster_numbers(tree->down, &parameters) != levels[0] ||
        cluster_numbers(tree->up, &parameters) != levels[0] ||
        cluster_numbers(tree->cables, &parameters) != levels[0])
        return false;
    cluster->levels = levels[0];
    for (uint32_t i = 0; i < cluster->levels && hosts <= cluster->hosts; i++)
        hosts *= tree->down[i];
    return hosts == cluster->hosts;
}

enum host_network_result fat_tree_shape(struct host_cluster *cluster, const char *parameters,
                                        struct error *error) {
    if (!read_shape(cluster, parameters)) {
        error_set(error, "a fat tree whose numbers do not give its %u hosts", cluster->hosts);
        return NETWORK_NOT_COVERED;
    }
    double links = 0;
    for (uint32_t level = 0; level < cluster->levels; level++) {
        if (host_cluster_links(cluster, links, error) != NETWORK_COVERED)
            return NETWORK_NOT_COVERED;
        cluster->tree.first_link[level] = cluster->links;
        links += 2 * links_above(cluster, level);
    }
    return host_cluster_links(cluster, links, error);
}

static struct fat_tree_node node_of(const struct host_cluster *cluster, uint32_t host) {
    struct fat_tree_node node = {0};
    for (uint32_t i = 0; i < cluster->levels; i++) {
        node.label[i] = host % cluster->tree.down[i];
        host /= cluster->tree.down[i];
    }
    return node;
}

static uint64_t position(const struct host_cluster *cluster, const struct fat_tree_node *node) {
    uint64_t number = 0;
    for (uint32_t i = cluster->levels; i-- > 0;)
        number = number * (i < node->level ? cluster->tree.up[i] : cluster->tree.down[i]) +
                 node->label[i];
    return number;
}

static void cross(struct route *out, const struct host_cluster *cluster,
                  const struct fat_tree_node *child, uint32_t port, bool is_up) {
    uint64_t link = position(cluster, child) * ports_above(cluster, child->level) + port;
    host_cluster_cross(out, cluster,
                       cluster->tree.first_link[child->level] + 2 * link +
                           (cluster->is_duplex && !is_up),
                       cluster->latency_s);
}

static bool is_above(const struct host_cluster *cluster, const struct fat_tree_node *node,
                     const struct fat_tree_node *host) {
    for (uint32_t i = node->level; i < cluster->levels; i++)
        if (node->label[i] != host->label[i])
            return false;
    return node->level > 0;
}

static void go_up(struct route *out, const struct host_cluster *cluster, struct fat_tree_node *node,
                  uint32_t to) {
    uint32_t key = to, level = node->level;
    for (uint32_t i = 0; i < level; i++)
        key /= cluster->tree.up[i];
    uint32_t port = key % ports_above(cluster, level);
    cross(out, cluster, node, port, true);
    node->label[level] = port % cluster->tree.up[level];
    node->level++;
}

static void step_down(struct route *out, const struct host_cluster *cluster,
                      struct fat_tree_node *node, const struct fat_tree_node *host,
                      uint32_t cable) {
    uint32_t level = node->level - 1, parent = node->label[level];
    node->label[level] = host->label[level];
    node->level = level;
    cross(out, cluster, node, parent + cable * cluster->tree.up[level], false);
}

/* SimGrid looks for the port by going through all of a switch's, and goes on with the next port of
 * the switch below where that is the one, too: which of parallel cables is taken there depends on
 * it. */
static void go_down(struct route *out, const struct host_cluster *cluster,
                    struct fat_tree_node *node, const struct fat_tree_node *host, uint32_t from) {
    const struct host_cluster_tree *tree = &cluster->tree;
    uint32_t top = node->level - 1;
    for (uint32_t port = from % tree->cables[top] * tree->down[top]; node->level > 0; port++) {
        uint32_t level = node->level - 1;
        if (port >= tree->down[level] * tree->cables[level])
            return;
        if (port % tree->down[level] == host->label[level])
            step_down(out, cluster, node, host, port / tree->down[level]);
    }
}

void fat_tree_route(struct route *out, const struct host_cluster *cluster, uint32_t from,
                    uint32_t to) {
    struct fat_tree_node node = node_of(cluster, from), host = node_of(cluster, to);
    while (!is_above(cluster, &node, &host))
        go_up(out, cluster, &node, to);
    while (node.level > 0)
        go_down(out, cluster, &node, &host, from);
}
