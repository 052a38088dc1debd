/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes and transitions; parts are in tree_parts.c. See program_tree.h.
 */
#include "synthesis/learn/program_tree.h"

#include "synthesis/learn/tree_parts.h"

#include <stdlib.h>

/* Visits of one child of a loop that follow each other, and look like one.
 *
 * Where an iteration has calls below one child only, the next one's follow them without anything
 * between: two broadcasts look like a loop in the broadcast. Other ranks and runs tell which it is:
 * a visit is whole where calls before and after it go forward in the program. If such visits of a
 * child, and of all that lies above its repetition, never repeat it, then it is no loop, and what
 * follows is the next visit, in the next iteration of the loop that the child lies in.
 *
 * Not handled: a child that is never visited between two others.
 *
 * Reads all steps from call to call three times: which visits are whole, what these have inside,
 * and what is cut. */

struct visit_state {
    size_t visit;    /* its number */
    bool is_entered; /* from another child of the loop around it */
    bool is_whole;
    size_t whole_visits;
};

struct visit_walk {
    struct program_tree *tree;
    struct visit_state *states; /* by node */
    VEC(bool) whole;            /* by visit */
    size_t visits;              /* seen so far */
    struct hash_table inside;   /* struct inside_key: steps that whole visits have inside */
    struct hash_table ways;     /* by visited node, and one below it: struct ways */
    struct hash_table judged;   /* steps that are cut, or are not */
};

#define CALLED UINT32_MAX /* in the place of `above` and `from`: that a call is made inside */

struct inside_key {
    uint32_t visited, above, from, to;
};

struct ways {
    size_t count;
    const uint32_t *children; /* of a call: itself; what follow are further calls in a row */
    bool *leads;              /* from child to child */
};

struct step { /* from one call to the next, and where: children of the deepest node above both */
    uint32_t from, to;
    uint32_t above, left, entered;
    bool is_forward; /* later in the program */
    bool is_in_part; /* of one loop */
};

static const struct call_tree_node *node_at(const struct visit_walk *walk, uint32_t node) {
    return &walk->tree->nodes.items[node];
}

static struct step step_of(const struct visit_walk *walk, uint32_t from, uint32_t to) {
    struct step step = {from, to, from, from, to, false, false};
    if (from == to)
        return step;
    int one = program_tree_depth(walk->tree, from), other = program_tree_depth(walk->tree, to);
    int depth = one < other ? one : other;
    step.left = program_tree_above(walk->tree, from, depth);
    step.entered = program_tree_above(walk->tree, to, depth);
    while (node_at(walk, step.left)->parent != node_at(walk, step.entered)->parent) {
        step.left = node_at(walk, step.left)->parent;
        step.entered = node_at(walk, step.entered)->parent;
    }
    const struct call_tree_node *left = node_at(walk, step.left);
    const struct call_tree_node *entered = node_at(walk, step.entered);
    step.above = left->parent;
    step.is_in_part = left->part == entered->part;
    step.is_forward =
        left->part < entered->part || (step.is_in_part && left->place < entered->place);
    return step;
}

static bool lies_in_loop(const struct visit_walk *walk, uint32_t node) {
    const struct call_tree_node *of = node_at(walk, node);
    return node != 0 && !of->is_inner_loop &&
           node_at(walk, of->parent)->parts.items[of->part].is_loop;
}

/* ---- Which visits are whole ---- */

/* Whether between the step and this node no loop begins, or ends: it might have had iterations
 * without any other child. */
static bool is_within(const struct visit_walk *walk, uint32_t node, const struct step *step) {
    for (; node != step->above; node = node_at(walk, node)->parent)
        if (lies_in_loop(walk, node) &&
            !(node_at(walk, node)->parent == step->above && step->is_in_part))
            return false;
    return true;
}

static void enter(struct visit_walk *walk, const struct step *step) {
    for (uint32_t node = step->to; node != step->above; node = node_at(walk, node)->parent) {
        walk->states[node].visit = walk->whole.count;
        walk->states[node].is_entered = is_within(walk, node, step);
        vec_push(&walk->whole, false);
    }
}

static void leave(struct visit_walk *walk, const struct step *step) {
    for (uint32_t node = step->from; node != step->above; node = node_at(walk, node)->parent) {
        struct visit_state *state = &walk->states[node];
        bool is_whole = state->is_entered && is_within(walk, node, step);
        walk->whole.items[state->visit] = is_whole;
        state->whole_visits += is_whole;
    }
}

static void find_whole(struct visit_walk *walk, const struct step *step) {
    leave(walk, step);
    enter(walk, step);
}

/* ---- What they have inside ---- */

static void add_inside(struct visit_walk *walk, const struct inside_key *key) {
    if (hash_table_find(&walk->inside, key, sizeof *key) == NULL)
        hash_table_add(&walk->inside, key, sizeof *key, 1);
}

/* Or the same. */
static bool is_below(const struct visit_walk *walk, uint32_t node, uint32_t above) {
    while (node != above && node != 0)
        node = node_at(walk, node)->parent;
    return node == above;
}

static void find_inside(struct visit_walk *walk, const struct step *step) {
    for (uint32_t node = step->to; node != step->above; node = node_at(walk, node)->parent)
        walk->states[node].is_whole = walk->whole.items[walk->visits++];
    for (uint32_t node = step->to; node != 0; node = node_at(walk, node)->parent) {
        if (!walk->states[node].is_whole || !lies_in_loop(walk, node))
            continue;
        add_inside(walk, &(struct inside_key){node, CALLED, CALLED, step->to});
        if (is_below(walk, step->above, node))
            add_inside(walk, &(struct inside_key){node, step->above, step->left, step->entered});
    }
}

static bool is_called_inside(const struct visit_walk *walk, uint32_t visited, uint32_t call) {
    const struct inside_key key = {visited, CALLED, CALLED, call};
    return hash_table_find(&walk->inside, &key, sizeof key) != NULL;
}

/* Which children of `above` lead to which, by steps inside of whole visits (S. Warshall, A Theorem
 * on Boolean Matrices, 1962). */
static const struct ways *ways_of(struct visit_walk *walk, uint32_t visited, uint32_t above) {
    const uint32_t key[2] = {visited, above};
    struct ways *ways = hash_table_find(&walk->ways, key, sizeof key);
    if (ways != NULL)
        return ways;
    ways = hash_table_add(&walk->ways, key, sizeof key, sizeof *ways);
    const struct call_tree_node *of = node_at(walk, above);
    const uint32_t *children =
        of->call >= 0 ? (const uint32_t *)hash_table_key(ways) + 1 : of->children.items;
    size_t n = of->call >= 0 ? 1 : of->children.count;
    *ways = (struct ways){n, children, xcalloc(n * n + 1, sizeof(bool))};
    for (size_t i = 0; i < n * n; i++) {
        const struct inside_key step = {visited, above, children[i / n], children[i % n]};
        ways->leads[i] = hash_table_find(&walk->inside, &step, sizeof step) != NULL;
    }
    for (size_t by = 0; by < n; by++)
        for (size_t i = 0; i < n * n; i++)
            ways->leads[i] |= ways->leads[i / n * n + by] && ways->leads[by * n + i % n];
    return ways;
}

static bool has_loop(struct visit_walk *walk, uint32_t visited, uint32_t above) {
    const struct ways *ways = ways_of(walk, visited, above);
    for (size_t i = 0; i < ways->count; i++)
        if (ways->leads[i * ways->count + i])
            return true;
    return false;
}

static bool leads(struct visit_walk *walk, uint32_t visited, const struct step *step) {
    const struct ways *ways = ways_of(walk, visited, step->above);
    size_t from = 0, to = 0;
    while (ways->children[from] != step->left)
        from++;
    while (ways->children[to] != step->entered)
        to++;
    return ways->leads[from * ways->count + to];
}

/* ---- Cutting ---- */

/* Whether a step may lie in one visit: whole ones lead that way, or have a loop that explains it.
 * Where they make both calls, but never one behind the other, it does not. */
static bool may_be_inside(struct visit_walk *walk, uint32_t visited, const struct step *step) {
    for (uint32_t node = step->above; node != node_at(walk, visited)->parent;
         node = node_at(walk, node)->parent)
        if (has_loop(walk, visited, node))
            return true;
    return leads(walk, visited, step) ||
           (step->is_forward && !(is_called_inside(walk, visited, step->from) &&
                                  is_called_inside(walk, visited, step->to)));
}

/* The outermost child of a loop that the step leaves, and enters again; 0: none. */
static uint32_t child_left(struct visit_walk *walk, const struct step *step) {
    uint32_t found = 0;
    for (uint32_t node = step->above; node != 0; node = node_at(walk, node)->parent)
        if (walk->states[node].whole_visits > 0 && lies_in_loop(walk, node) &&
            !may_be_inside(walk, node, step))
            found = node;
    return found;
}

static void cut(struct visit_walk *walk, const struct step *step) {
    const uint32_t pair[2] = {step->from, step->to};
    if (hash_table_find(&walk->judged, pair, sizeof pair) != NULL)
        return;
    hash_table_add(&walk->judged, pair, sizeof pair, 1);
    uint32_t node = child_left(walk, step);
    if (node != 0)
        *(uint32_t *)hash_table_add(&walk->tree->cuts, pair, sizeof pair, sizeof node) = node;
}

/* ---- All ---- */

static void each_step(struct visit_walk *walk, const struct recorded_runs *runs,
                      void (*visit)(struct visit_walk *walk, const struct step *step)) {
    for (size_t i = 0; i < runs->items.count; i++)
        for (int rank = 0; rank < runs->items.items[i]->ranks; rank++) {
            const struct recorded_rank *of = &runs->items.items[i]->by_rank[rank];
            uint32_t before = 0;
            for (size_t k = 0; k <= of->calls.count; k++) {
                uint32_t node =
                    k < of->calls.count ? program_tree_find(walk->tree, &of->calls.items[k]) : 0;
                struct step step = {.from = before, .to = node, .is_forward = true};
                if (before != 0 && node != 0)
                    step = step_of(walk, before, node);
                visit(walk, &step);
                before = node;
            }
        }
}

/* Fills in the tree's cuts, from a tree that was made without. Whether there are any. */
static bool merged_visits_find(struct program_tree *tree, const struct recorded_runs *runs) {
    struct visit_walk walk = {.tree = tree,
                              .states = xcalloc(tree->nodes.count, sizeof *walk.states)};
    each_step(&walk, runs, find_whole);
    each_step(&walk, runs, find_inside);
    each_step(&walk, runs, cut);
    free(walk.states);
    vec_dispose(&walk.whole);
    hash_table_dispose(&walk.inside);
    hash_table_dispose(&walk.judged);
    for (struct ways *ways = hash_table_first(&walk.ways); ways != NULL;
         ways = hash_table_next(ways))
        free(ways->leads);
    hash_table_dispose(&walk.ways);
    return hash_table_first(&tree->cuts) != NULL;
}

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
