/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank's calls are cut into visits of children, these into iterations of parts, depth first;
 * see sightings.h.
 */
#include "synthesis/learn/sightings.h"

#include "synthesis/learn/iteration_clock.h"

#include <string.h>

struct visit {
    uint32_t child;
    size_t begin, end;
    int iteration;
};

struct sighting_walk {
    struct sightings *out;
    const struct iteration_clock *clock; /* or NULL */
    uint32_t run;
    int rank;
    const struct recorded_call *calls;
    const uint32_t *nodes; /* of the calls */
    struct synth_iteration loops[SYNTH_LOOPS_MOST];
    int depth;
};

/* ---- Rows ---- */

static void add_row(struct sighting_walk *walk, struct sighting_rows *rows, long long value,
                    const struct recorded_call *call) {
    struct sightings *out = walk->out;
    const struct sighting row = {.run = walk->run,
                                 .rank = walk->rank,
                                 .loops = out->loops.count,
                                 .call = call,
                                 .value = value};
    for (int i = 0; i < walk->depth; i++)
        vec_push(&out->loops, walk->loops[i]);
    rows->depth = walk->depth;
    vec_push(&rows->of, row);
}

static bool enter(struct sighting_walk *walk, int index, int count) {
    if (walk->depth == SYNTH_LOOPS_MOST)
        return false;
    walk->loops[walk->depth++] = (struct synth_iteration){index, count};
    return true;
}

static void see_calls(struct sighting_walk *walk, uint32_t node, size_t begin, size_t end) {
    struct node_sightings *seen = &walk->out->nodes[node];
    add_row(walk, &seen->in_a_row, (long long)(end - begin), NULL);
    for (size_t i = begin; i < end; i++) {
        bool entered = enter(walk, (int)(i - begin), (int)(end - begin));
        add_row(walk, &seen->calls, 0, &walk->calls[i]);
        walk->depth -= entered;
    }
}

/* ---- Visits ---- */

typedef VEC(struct visit) visit_list;

static void cut_into_visits(visit_list *out, const struct sighting_walk *walk, int depth,
                            size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++) {
        uint32_t child = program_tree_above(walk->out->tree, walk->nodes[i], depth + 1);
        bool goes_on =
            out->count > 0 && out->items[out->count - 1].child == child &&
            !program_tree_is_cut(walk->out->tree, child, walk->nodes[i - 1], walk->nodes[i]);
        if (goes_on)
            out->items[out->count - 1].end = i + 1;
        else
            vec_push(out, (struct visit){.child = child, .begin = i, .end = i + 1});
    }
}

/* Sets the iteration of each, in its part; `counts` by part. */
static void number_iterations(struct sighting_walk *walk, visit_list *visits, int *counts) {
    const struct call_tree_node *nodes = walk->out->tree->nodes.items;
    int part = -1, place = -1;
    for (size_t i = 0; i < visits->count; i++) {
        const struct call_tree_node *child = &nodes[visits->items[i].child];
        walk->out->misplaced += child->part < part;
        if (child->part != part || child->place <= place)
            counts[child->part]++;
        visits->items[i].iteration = counts[child->part] - 1;
        part = child->part;
        place = child->place;
    }
}

static void see_node(struct sighting_walk *walk, uint32_t node, int depth, size_t begin,
                     size_t end);

static void see_child(struct sighting_walk *walk, const struct visit *visit, int depth) {
    const struct call_tree_node *child = &walk->out->tree->nodes.items[visit->child];
    if (child->call >= 0)
        see_calls(walk, visit->child, visit->begin, visit->end);
    else
        see_node(walk, visit->child, depth + 1, visit->begin, visit->end);
}

/* Visits of a part that lie in an iteration come in the order of its nodes. */
static void see_iteration(struct sighting_walk *walk, const struct call_tree_part *part,
                          const struct visit **next, const struct visit *end, int iteration,
                          int number, int depth) {
    for (size_t i = 0; i < part->nodes.count; i++) {
        bool is_there = *next < end && (*next)->iteration == iteration &&
                        walk->out->tree->nodes.items[(*next)->child].part == number &&
                        (*next)->child == part->nodes.items[i];
        add_row(walk, &walk->out->nodes[part->nodes.items[i]].presence, is_there, NULL);
        if (is_there)
            see_child(walk, (*next)++, depth);
    }
}

static void see_part(struct sighting_walk *walk, uint32_t node, int number, visit_list *visits,
                     int count, int depth) {
    const struct call_tree_part *part = &walk->out->tree->nodes.items[node].parts.items[number];
    const struct visit *next = visits->items, *end = visits->items + visits->count;
    add_row(walk, &walk->out->nodes[node].iterations[number], count, NULL);
    while (next < end && walk->out->tree->nodes.items[next->child].part != number)
        next++;
    for (int i = 0; i < count; i++) {
        bool entered = part->is_loop && enter(walk, i, count);
        see_iteration(walk, part, &next, end, i, number, depth);
        walk->depth -= entered;
    }
}

/* By the clock of all ranks, where a loop has one. */
static void number_by_clock(const struct sighting_walk *walk, uint32_t node, visit_list *visits,
                            int *counts) {
    const struct program_tree *tree = walk->out->tree;
    for (size_t part = 0; part < tree->nodes.items[node].parts.count; part++) {
        const struct clocked_loop *loop =
            iteration_clock_find(walk->clock, walk->run, node, (int)part);
        if (loop == NULL)
            continue;
        for (size_t i = 0; i < visits->count; i++)
            if (tree->nodes.items[visits->items[i].child].part == (int)part)
                visits->items[i].iteration = loop->by_rank[walk->rank][visits->items[i].iteration];
        counts[part] = loop->count;
    }
}

static void see_node(struct sighting_walk *walk, uint32_t node, int depth, size_t begin,
                     size_t end) {
    size_t parts = walk->out->tree->nodes.items[node].parts.count;
    int *counts = xcalloc(parts + 1, sizeof *counts);
    visit_list visits = {0};
    cut_into_visits(&visits, walk, depth, begin, end);
    number_iterations(walk, &visits, counts);
    if (walk->clock != NULL && walk->depth == 0)
        number_by_clock(walk, node, &visits, counts);
    for (size_t i = 0; i < parts; i++)
        see_part(walk, node, (int)i, &visits, counts[i], depth);
    vec_dispose(&visits);
    free(counts);
}

/* ---- All ---- */

static void see_rank(struct sightings *out, uint32_t run, int rank,
                     const struct iteration_clock *clock) {
    const struct recorded_rank *of = &out->runs->items.items[run]->by_rank[rank];
    uint32_t *nodes = xcalloc(of->calls.count + 1, sizeof *nodes);
    struct sighting_walk walk = {.out = out,
                                 .clock = clock,
                                 .run = run,
                                 .rank = rank,
                                 .calls = of->calls.items,
                                 .nodes = nodes};
    for (size_t i = 0; i < of->calls.count; i++)
        nodes[i] = program_tree_find(out->tree, &of->calls.items[i]);
    see_node(&walk, 0, 0, 0, of->calls.count);
    free(nodes);
}

void sightings_make(struct sightings *out, const struct recorded_runs *runs,
                    const struct program_tree *tree, const struct iteration_clock *clock) {
    *out = (struct sightings){.runs = runs, .tree = tree};
    out->nodes = xcalloc(tree->nodes.count, sizeof *out->nodes);
    for (size_t i = 0; i < tree->nodes.count; i++)
        out->nodes[i].iterations =
            xcalloc(tree->nodes.items[i].parts.count + 1, sizeof *out->nodes[i].iterations);
    for (size_t i = 0; i < runs->items.count; i++)
        for (int rank = 0; rank < runs->items.items[i]->ranks; rank++)
            see_rank(out, (uint32_t)i, rank, clock);
}

void sightings_dispose(struct sightings *sightings) {
    for (size_t i = 0; i < sightings->tree->nodes.count; i++) {
        struct node_sightings *node = &sightings->nodes[i];
        vec_dispose(&node->presence.of);
        vec_dispose(&node->in_a_row.of);
        vec_dispose(&node->calls.of);
        for (size_t k = 0; k < sightings->tree->nodes.items[i].parts.count; k++)
            vec_dispose(&node->iterations[k].of);
        free(node->iterations);
    }
    free(sightings->nodes);
    vec_dispose(&sightings->loops);
}

struct synth_situation sighting_situation(const struct sightings *sightings,
                                          const struct sighting_rows *rows,
                                          const struct sighting *row) {
    struct synth_situation at =
        recorded_situation(sightings->runs->items.items[row->run], row->rank);
    at.depth = rows->depth;
    if (rows->depth > 0)
        memcpy(at.loops, sightings->loops.items + row->loops,
               (size_t)rows->depth * sizeof at.loops[0]);
    return at;
}
