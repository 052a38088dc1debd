/* SPDX-License-Identifier: Apache-2.0
 *
 * All steps from call to call three times: which visits are whole, what these have inside, and what
 * is cut; see merged_visits.h.
 */
#include "synthesis/learn/merged_visits.h"

#include <stdlib.h>

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

bool merged_visits_find(struct program_tree *tree, const struct recorded_runs *runs) {
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
