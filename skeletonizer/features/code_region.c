/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/features/code_region.h"

#include "frontend/program/tree.h"

bool code_region_has(const struct code_region *region, const struct tree *tree) {
    for (; tree != NULL; tree = tree->parent)
        if (vec_has(&region->trees, tree))
            return true;
    return false;
}

void code_region_dispose(struct code_region *region) {
    vec_dispose(&region->trees);
    vec_dispose(&region->features);
    vec_dispose(&region->exits);
}

struct node *code_region_entry(const struct code_region *region) {
    node_list nodes = {0};
    struct node *entry = NULL;
    for (size_t i = 0; i < region->trees.count; i++)
        tree_nodes(region->trees.items[i], &nodes);
    if (nodes.count > 0) {
        entry = nodes.items[0];
        /* A for loop's nodes begin with its condition; its init is what is executed first. */
        const struct tree *first = region->trees.items[0];
        if (first->init != NULL && first->init->nodes.count > 0)
            entry = first->init->nodes.items[0];
    }
    vec_dispose(&nodes);
    return entry;
}
