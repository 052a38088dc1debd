/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes and transitions; parts are in tree_parts.c. See program_tree.h.
 */
#include "synthesis/learn/program_tree.h"

#include "synthesis/learn/merged_visits.h"
#include "synthesis/learn/tree_parts.h"

#include <string.h>

struct tree_key {
    uint32_t parent, frame;
    int64_t call;
};

static uint32_t child_of(struct program_tree *tree, uint32_t parent, uint32_t frame, int call) {
    const struct tree_key key = {parent, frame, call};
    uint32_t *known = hash_table_find(&tree->by_key, &key, sizeof key);
    if (known != NULL)
        return *known;
    known = hash_table_add(&tree->by_key, &key, sizeof key, sizeof *known);
    *known = (uint32_t)tree->nodes.count;
    vec_push(&tree->nodes, (struct call_tree_node){.parent = parent, .frame = frame, .call = call});
    if (*known != parent)
        vec_push(&tree->nodes.items[parent].children, *known);
    return *known;
}

/* The frames above first. */
static uint32_t node_of_frame(struct program_tree *tree, const struct recorded_runs *runs,
                              uint32_t frame) {
    if (frame == 0)
        return 0;
    while (tree->of_frame.count <= frame)
        vec_push(&tree->of_frame, 0);
    if (tree->of_frame.items[frame] == 0) {
        uint32_t parent = node_of_frame(tree, runs, runs->frames.items[frame].parent);
        uint32_t node = child_of(tree, parent, frame, -1);
        tree->of_frame.items[frame] = node + 1;
    }
    return tree->of_frame.items[frame] - 1;
}

int program_tree_depth(const struct program_tree *tree, uint32_t node) {
    int depth = 0;
    for (; node != 0; node = tree->nodes.items[node].parent)
        depth++;
    return depth;
}

uint32_t program_tree_above(const struct program_tree *tree, uint32_t node, int depth) {
    for (int at = program_tree_depth(tree, node); at > depth; at--)
        node = tree->nodes.items[node].parent;
    return node;
}

static void count_transition(struct call_tree_node *node, uint32_t from, uint32_t to) {
    const uint32_t key[2] = {from, to};
    size_t *count = hash_table_find(&node->transitions, key, sizeof key);
    if (count == NULL)
        count = hash_table_add(&node->transitions, key, sizeof key, sizeof *count);
    ++*count;
}

/* What frames below this depth begin with on the way to a node. */
static void count_starts(struct program_tree *tree, uint32_t node, int depth) {
    for (int at = program_tree_depth(tree, node); at > depth; at--) {
        uint32_t parent = tree->nodes.items[node].parent;
        count_transition(&tree->nodes.items[parent], TREE_START, node);
        node = parent;
    }
}

static const uint32_t *find_cut(const struct program_tree *tree, uint32_t from, uint32_t to) {
    const uint32_t key[2] = {from, to};
    return hash_table_find(&tree->cuts, key, sizeof key);
}

bool program_tree_is_cut(const struct program_tree *tree, uint32_t node, uint32_t from,
                         uint32_t to) {
    const uint32_t *cut = find_cut(tree, from, to);
    return cut != NULL && *cut == node;
}

/* At the deepest frame that both calls are below. */
static void add_transition(struct program_tree *tree, uint32_t from, uint32_t to) {
    int depth_from = program_tree_depth(tree, from), depth_to = program_tree_depth(tree, to);
    const uint32_t *cut = find_cut(tree, from, to);
    if (cut != NULL)
        count_starts(tree, to, program_tree_depth(tree, *cut));
    if (cut != NULL || from == to)
        return;
    int depth = depth_from < depth_to ? depth_from : depth_to;
    uint32_t a = program_tree_above(tree, from, depth), b = program_tree_above(tree, to, depth);
    for (; tree->nodes.items[a].parent != tree->nodes.items[b].parent; depth--) {
        a = tree->nodes.items[a].parent;
        b = tree->nodes.items[b].parent;
    }
    if (a != b)
        count_transition(&tree->nodes.items[tree->nodes.items[a].parent], a, b);
    count_starts(tree, to, depth);
}

static void add_rank(struct program_tree *tree, const struct recorded_runs *runs,
                     const struct recorded_rank *rank) {
    uint32_t before = 0;
    for (size_t i = 0; i < rank->calls.count; i++) {
        const struct recorded_call *call = &rank->calls.items[i];
        uint32_t node =
            child_of(tree, node_of_frame(tree, runs, call->frame), call->frame, call->call);
        if (i > 0)
            add_transition(tree, before, node);
        else
            count_starts(tree, node, 0);
        before = node;
    }
}

static void make(struct program_tree *out, const struct recorded_runs *runs) {
    child_of(out, 0, 0, -1);
    for (size_t i = 0; i < runs->items.count; i++)
        for (int rank = 0; rank < runs->items.items[i]->ranks; rank++)
            add_rank(out, runs, &runs->items.items[i]->by_rank[rank]);
    for (size_t i = 0; i < out->nodes.count; i++)
        tree_parts_make(out, runs, (uint32_t)i);
}

/* Nodes of frames and calls have the same numbers the second time, so that cuts are still theirs.
 */
void program_tree_make(struct program_tree *out, const struct recorded_runs *runs) {
    *out = (struct program_tree){0};
    make(out, runs);
    if (!merged_visits_find(out, runs))
        return;
    struct program_tree again = {.cuts = out->cuts};
    out->cuts = (struct hash_table){0};
    program_tree_dispose(out);
    make(&again, runs);
    *out = again;
}

uint32_t program_tree_find(const struct program_tree *tree, const struct recorded_call *call) {
    if (call->frame != 0 &&
        (call->frame >= tree->of_frame.count || tree->of_frame.items[call->frame] == 0))
        return UINT32_MAX;
    uint32_t parent = call->frame == 0 ? 0 : tree->of_frame.items[call->frame] - 1;
    const struct tree_key key = {parent, call->frame, call->call};
    const uint32_t *known = hash_table_find(&tree->by_key, &key, sizeof key);
    return known != NULL ? *known : UINT32_MAX;
}

void program_tree_dispose(struct program_tree *tree) {
    for (size_t i = 0; i < tree->nodes.count; i++) {
        struct call_tree_node *node = &tree->nodes.items[i];
        for (size_t k = 0; k < node->parts.count; k++)
            vec_dispose(&node->parts.items[k].nodes);
        vec_dispose(&node->parts);
        vec_dispose(&node->children);
        hash_table_dispose(&node->transitions);
    }
    vec_dispose(&tree->nodes);
    vec_dispose(&tree->of_frame);
    hash_table_dispose(&tree->by_key);
    hash_table_dispose(&tree->cuts);
}
