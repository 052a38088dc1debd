/* SPDX-License-Identifier: Apache-2.0
 *
 * Strongly connected components by reachability, ordered by taking the one with the lowest address
 * of those to which no transition leads from outside; then local search for the order in each loop.
 * Frames have few children, so that cubes of their number do not matter; with more than
 * MOST_SEARCHED in a loop the order of addresses is taken.
 */
#include "synthesis/learn/tree_parts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SEARCHED 60

struct part_work {
    struct program_tree *tree;
    const struct recorded_runs *runs;
    struct call_tree_node *node;
    size_t count;
    const uint32_t *children; /* by address */
    size_t *weights;          /* of transitions from, to */
    size_t *starts;           /* how often each comes first */
    bool *reaches;
    size_t *component; /* the first child that it is connected with */
};

/* ---- Children and transitions ---- */

static const struct recorded_runs *sorted_runs; /* qsort has no argument for it */
static const struct program_tree *sorted_tree;

static int compare_children(const void *left, const void *right) {
    uint32_t one = *(const uint32_t *)left, other = *(const uint32_t *)right;
    const struct call_tree_node *a = &sorted_tree->nodes.items[one];
    const struct call_tree_node *b = &sorted_tree->nodes.items[other];
    while (a->is_inner_loop) /* lies where its first child does */
        a = &sorted_tree->nodes.items[a->order_child];
    while (b->is_inner_loop)
        b = &sorted_tree->nodes.items[b->order_child];
    uint64_t at = sorted_runs->frames.items[a->frame].offset;
    uint64_t to = sorted_runs->frames.items[b->frame].offset;
    return at != to ? (at > to) - (at < to) : (one > other) - (one < other);
}

static size_t index_of(const struct part_work *work, uint32_t child) {
    size_t i = 0;
    while (work->children[i] != child)
        i++;
    return i;
}

static void read_transitions(struct part_work *work) {
    for (size_t *entry = hash_table_first(&work->node->transitions); entry != NULL;
         entry = hash_table_next(entry)) {
        const uint32_t *key = hash_table_key(entry);
        if (key[0] == TREE_START) {
            work->starts[index_of(work, key[1])] = *entry;
            continue;
        }
        size_t cell = index_of(work, key[0]) * work->count + index_of(work, key[1]);
        work->weights[cell] = *entry;
        work->reaches[cell] = true;
    }
}

static void close_reaches(struct part_work *work) {
    size_t n = work->count;
    for (size_t via = 0; via < n; via++)
        for (size_t from = 0; from < n; from++)
            for (size_t to = 0; to < n && work->reaches[from * n + via]; to++)
                work->reaches[from * n + to] |= work->reaches[via * n + to];
}

static void find_components(struct part_work *work) {
    size_t n = work->count;
    for (size_t i = 0; i < n; i++) {
        size_t first = 0;
        while (first < i && !(work->reaches[i * n + first] && work->reaches[first * n + i]))
            first++;
        work->component[i] = first;
    }
}

/* ---- The order in a loop ---- */

static size_t backwards(const struct part_work *work, const size_t *order, size_t count) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            sum += work->weights[order[i] * work->count + order[k]];
    return sum;
}

static void move_item(size_t *order, size_t from, size_t to) {
    size_t item = order[from];
    if (from < to)
        memmove(order + from, order + from + 1, (to - from) * sizeof *order);
    else
        memmove(order + to + 1, order + to, (from - to) * sizeof *order);
    order[to] = item;
}

static bool improve(const struct part_work *work, size_t *order, size_t count, size_t *cost) {
    for (size_t from = 0; from < count; from++)
        for (size_t to = 0; to < count; to++) {
            move_item(order, from, to);
            size_t now = backwards(work, order, count);
            if (now < *cost) {
                *cost = now;
                return true;
            }
            move_item(order, to, from);
        }
    return false;
}

/* Which child an iteration begins with: moves of single ones do not lead from one to the other. */
static bool rotate(const struct part_work *work, size_t *order, size_t count, size_t *cost) {
    size_t *rotated = xcalloc(count, sizeof *rotated);
    bool found = false;
    for (size_t by = 1; by < count && !found; by++) {
        for (size_t i = 0; i < count; i++)
            rotated[i] = order[(i + by) % count];
        size_t now = backwards(work, rotated, count);
        found = now < *cost;
        *cost = found ? now : *cost;
    }
    if (found)
        memcpy(order, rotated, count * sizeof *order);
    free(rotated);
    return found;
}

static void order_loop(const struct part_work *work, size_t *order, size_t count) {
    size_t cost = backwards(work, order, count);
    while (count <= MOST_SEARCHED &&
           (improve(work, order, count, &cost) || rotate(work, order, count, &cost))) {
    }
}

/* ---- Parts ---- */

static size_t members_of(const struct part_work *work, size_t component, size_t *order) {
    size_t count = 0;
    for (size_t i = 0; i < work->count; i++)
        if (work->component[i] == component)
            order[count++] = i;
    order_loop(work, order, count);
    return count;
}

static bool is_ready(const struct part_work *work, size_t component, const bool *taken) {
    for (size_t i = 0; i < work->count; i++)
        for (size_t k = 0; k < work->count; k++)
            if (work->component[k] == component && work->component[i] != component &&
                !taken[work->component[i]] && work->weights[i * work->count + k] > 0)
                return false;
    return true;
}

static void add_part(struct part_work *work, size_t component) {
    size_t *order = xcalloc(work->count, sizeof *order);
    struct call_tree_part part = {0};
    size_t count = members_of(work, component, order);
    part.is_loop = count > 1;
    for (size_t i = 0; i < count; i++) {
        struct call_tree_node *child = &work->tree->nodes.items[work->children[order[i]]];
        child->part = (int)work->node->parts.count;
        child->place = (int)i;
        vec_push(&part.nodes, work->children[order[i]]);
    }
    vec_push(&work->node->parts, part);
    free(order);
}

static void add_parts(struct part_work *work) {
    bool *taken = xcalloc(work->count, sizeof *taken);
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < work->count && !found; i++)
            if (work->component[i] == i && !taken[i] && is_ready(work, i, taken)) {
                add_part(work, i);
                taken[i] = found = true;
            }
    }
    free(taken);
}

/* ---- Loops in loops ---- */

static bool goes_forward(const struct part_work *work, const size_t *order, size_t count,
                         size_t at) {
    for (size_t k = at + 1; k < count; k++)
        if (work->weights[order[at] * work->count + order[k]] > 0)
            return true;
    return false;
}

/* Whether those from `begin` to `end` of the order follow each other and the last one goes back to
 * the first, and none is one of those with which an iteration of the whole loop ends. */
static bool is_connected(const struct part_work *work, const size_t *order, size_t count,
                         size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        if (!goes_forward(work, order, count, i) ||
            (i > begin && work->weights[order[i - 1] * work->count + order[i]] == 0))
            return false;
    return work->weights[order[end - 1] * work->count + order[begin]] > 0;
}

/* Iterations of a candidate for each time that it is entered, if that is a whole number from 2. */
static size_t whole_iterations(const struct part_work *work, const size_t *order, size_t begin,
                               size_t end) {
    size_t entries = 0, iterations = 0;
    for (size_t i = begin; i < end; i++) {
        entries += work->starts[order[i]];
        for (size_t from = 0; from < work->count; from++) {
            bool is_inside = false;
            for (size_t k = begin; k < end; k++)
                is_inside |= order[k] == from;
            if (!is_inside)
                entries += work->weights[from * work->count + order[i]];
        }
        for (size_t k = begin; k < i; k++)
            iterations += work->weights[order[i] * work->count + order[k]];
    }
    iterations += entries;
    return entries > 0 && iterations % entries == 0 && iterations / entries >= 2
               ? iterations / entries
               : 0;
}

struct inner_loop {
    size_t begin, end;
};

static bool find_inner(struct inner_loop *out, const struct part_work *work, const size_t *order,
                       size_t count) {
    for (size_t length = 2; length < count; length++)
        for (size_t begin = 0; begin + length <= count; begin++)
            if (is_connected(work, order, count, begin, begin + length) &&
                whole_iterations(work, order, begin, begin + length) > 0) {
                *out = (struct inner_loop){begin, begin + length};
                return true;
            }
    return false;
}

static bool is_one_of(const uint32_t *children, size_t count, uint32_t child) {
    for (size_t i = 0; i < count; i++)
        if (children[i] == child)
            return true;
    return false;
}

static void add_weight(struct hash_table *transitions, uint32_t from, uint32_t to, size_t weight) {
    const uint32_t key[2] = {from, to};
    size_t *count = hash_table_find(transitions, key, sizeof key);
    if (count == NULL)
        count = hash_table_add(transitions, key, sizeof key, sizeof *count);
    *count += weight;
}

/* Transitions inside go to the loop, those from and to its members are from and to it. */
static void divide_transitions(struct call_tree_node *outer, struct call_tree_node *inner,
                               uint32_t loop, const uint32_t *members, size_t count) {
    struct hash_table before = outer->transitions;
    outer->transitions = (struct hash_table){0};
    for (size_t *entry = hash_table_first(&before); entry != NULL; entry = hash_table_next(entry)) {
        const uint32_t *key = hash_table_key(entry);
        bool from = is_one_of(members, count, key[0]), to = is_one_of(members, count, key[1]);
        if (from && to)
            add_weight(&inner->transitions, key[0], key[1], *entry);
        else
            add_weight(&outer->transitions, from ? loop : key[0], to ? loop : key[1], *entry);
        if (!from && to)
            add_weight(&inner->transitions, TREE_START, key[1], *entry);
    }
    hash_table_dispose(&before);
}

static void make_inner(struct program_tree *tree, uint32_t number, const uint32_t *members,
                       size_t count) {
    uint32_t loop = (uint32_t)tree->nodes.count;
    vec_push(&tree->nodes, (struct call_tree_node){.parent = number,
                                                   .frame = tree->nodes.items[number].frame,
                                                   .call = -1,
                                                   .is_inner_loop = true});
    struct call_tree_node *outer = &tree->nodes.items[number], *inner = &tree->nodes.items[loop];
    size_t left = 0;
    for (size_t i = 0; i < outer->children.count; i++)
        if (!is_one_of(members, count, outer->children.items[i]))
            outer->children.items[left++] = outer->children.items[i];
    outer->children.count = left;
    vec_push(&outer->children, loop);
    for (size_t i = 0; i < count; i++) {
        vec_push(&inner->children, members[i]);
        tree->nodes.items[members[i]].parent = loop;
    }
    inner->order_child = members[0];
    divide_transitions(outer, inner, loop, members, count);
}

/* ---- All ---- */

static void part_work_init(struct part_work *work, struct program_tree *tree,
                           const struct recorded_runs *runs, uint32_t number) {
    struct call_tree_node *node = &tree->nodes.items[number];
    size_t n = node->children.count;
    sorted_runs = runs;
    sorted_tree = tree;
    qsort(node->children.items, n, sizeof *node->children.items, compare_children);
    *work = (struct part_work){.tree = tree,
                               .runs = runs,
                               .node = node,
                               .count = n,
                               .children = node->children.items,
                               .weights = xcalloc(n * n, sizeof(size_t)),
                               .starts = xcalloc(n, sizeof(size_t)),
                               .reaches = xcalloc(n * n, sizeof(bool)),
                               .component = xcalloc(n, sizeof(size_t))};
    read_transitions(work);
    close_reaches(work);
    find_components(work);
}

static void part_work_dispose(struct part_work *work) {
    free(work->weights);
    free(work->starts);
    free(work->reaches);
    free(work->component);
}

/* Whether a loop in a loop was found, and is a child of its own now. */
static bool nest_once(struct program_tree *tree, const struct recorded_runs *runs,
                      uint32_t number) {
    struct part_work work;
    struct inner_loop inner;
    bool found = false;
    part_work_init(&work, tree, runs, number);
    size_t *order = xcalloc(work.count, sizeof *order), count = 0;
    uint32_t *members = xcalloc(work.count, sizeof *members);
    for (size_t i = 0; i < work.count && !found; i++) {
        count = work.component[i] == i ? members_of(&work, i, order) : 0;
        found = count > 2 && count <= MOST_SEARCHED && find_inner(&inner, &work, order, count);
    }
    for (size_t i = 0; found && i < inner.end - inner.begin; i++)
        members[i] = work.children[order[inner.begin + i]];
    part_work_dispose(&work);
    if (found)
        make_inner(tree, number, members, inner.end - inner.begin);
    free(order);
    free(members);
    return found;
}

void tree_parts_make(struct program_tree *tree, const struct recorded_runs *runs, uint32_t number) {
    struct part_work work;
    if (tree->nodes.items[number].children.count == 0)
        return;
    while (nest_once(tree, runs, number)) {
    }
    part_work_init(&work, tree, runs, number);
    add_parts(&work);
    part_work_dispose(&work);
}
