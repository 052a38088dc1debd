/* SPDX-License-Identifier: Apache-2.0
 *
 * Bit sets over the nodes of one function. Postdominators are solved backwards from the exit; nodes
 * that cannot reach it (endless loops) get an edge to it. Quadratic in the size of a function,
 * which is milliseconds for functions of thousands of statements.
 */
#include "skeletonizer/slice/flow.h"

#include <stdint.h>
#include <string.h>

typedef uint64_t word;

struct bits {
    word *words;
    size_t width; /* words per set */
};

struct definition_at {
    const struct object *object;
    struct node *node;
};

struct function_flow {
    node_list *controllers; /* by node index */
    struct bits reaching;   /* by node index: definitions */
    VEC(struct definition_at) definitions;
};

bool flow_tracks(const struct object *object) {
    return object->kind == OBJECT_VARIABLE && !object->in_memory && object->function != NULL;
}

static struct bits bits_new(size_t sets, size_t size) {
    struct bits bits = {.width = (size + 63) / 64};
    bits.words = xmalloc(sets * bits.width * sizeof(word) + 1);
    memset(bits.words, 0, sets * bits.width * sizeof(word));
    return bits;
}

static word *bits_set(struct bits bits, size_t set) {
    return bits.words + set * bits.width;
}

static bool bit_get(const word *set, size_t bit) {
    return (set[bit / 64] >> (bit % 64)) & 1;
}

static void bit_put(word *set, size_t bit) {
    set[bit / 64] |= (word)1 << (bit % 64);
}

typedef VEC(int) index_list;

struct graph {
    index_list *next, *previous;
    size_t count;
};

static struct graph graph_new(const struct function *function, bool with_pseudo) {
    struct graph graph = {.count = function->nodes.count};
    size_t bytes = graph.count * sizeof(index_list);
    graph.next = memset(xmalloc(bytes), 0, bytes);
    graph.previous = memset(xmalloc(bytes), 0, bytes);
    for (size_t i = 0; i < graph.count; i++) {
        const struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->next.count; k++)
            if (!node->next.items[k]->ends_abnormally)
                vec_push(&graph.next[i], node->next.items[k]->index);
        for (size_t k = 0; with_pseudo && k < node->pseudo_next.count; k++)
            if (!node->pseudo_next.items[k]->ends_abnormally)
                vec_push(&graph.next[i], node->pseudo_next.items[k]->index);
        if (with_pseudo && graph.next[i].count == 0 && node != function->exit)
            vec_push(&graph.next[i], function->exit->index);
    }
    for (size_t i = 0; i < graph.count; i++)
        for (size_t k = 0; k < graph.next[i].count; k++)
            vec_push(&graph.previous[graph.next[i].items[k]], (int)i);
    return graph;
}

static void graph_dispose(struct graph *graph) {
    for (size_t i = 0; i < graph->count; i++) {
        vec_dispose(&graph->next[i]);
        vec_dispose(&graph->previous[i]);
    }
    free(graph->next);
    free(graph->previous);
}

static bool meet(struct bits sets, const struct graph *graph, size_t node, word *scratch) {
    memset(scratch, 0xff, sets.width * sizeof(word));
    for (size_t k = 0; k < graph->next[node].count; k++) {
        const word *other = bits_set(sets, (size_t)graph->next[node].items[k]);
        for (size_t w = 0; w < sets.width; w++)
            scratch[w] &= other[w];
    }
    bit_put(scratch, node);
    bool changed = memcmp(bits_set(sets, node), scratch, sets.width * sizeof(word)) != 0;
    memcpy(bits_set(sets, node), scratch, sets.width * sizeof(word));
    return changed;
}

/* Set i holds all nodes that postdominate node i. */
static struct bits postdominators(const struct graph *graph, size_t exit) {
    struct bits sets = bits_new(graph->count, graph->count);
    memset(sets.words, 0xff, graph->count * sets.width * sizeof(word));
    memset(bits_set(sets, exit), 0, sets.width * sizeof(word));
    bit_put(bits_set(sets, exit), exit);
    word *scratch = xmalloc(sets.width * sizeof(word) + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = graph->count; i-- > 0;)
            if (i != exit && meet(sets, graph, i, scratch))
                changed = true;
    }
    free(scratch);
    return sets;
}

/* Node n depends on m if n postdominates a successor of m, but not strictly m itself. */
static void find_controllers(struct function_flow *out, const struct function *function) {
    struct graph graph = graph_new(function, true);
    struct bits sets = postdominators(&graph, (size_t)function->exit->index);
    size_t count = graph.count;
    out->controllers = memset(xmalloc(count * sizeof(node_list) + 1), 0, count * sizeof(node_list));
    for (size_t m = 0; m < count; m++) {
        if (graph.next[m].count < 2)
            continue;
        for (size_t n = 0; n < count; n++) {
            bool reaches = false;
            if (n != m && bit_get(bits_set(sets, m), n))
                continue;
            for (size_t k = 0; k < graph.next[m].count && !reaches; k++)
                reaches = bit_get(bits_set(sets, (size_t)graph.next[m].items[k]), n);
            if (reaches && n != m)
                vec_push(&out->controllers[n], function->nodes.items[m]);
        }
    }
    free(sets.words);
    graph_dispose(&graph);
}

/* In any case, so that no older value is left. */
static bool redefines(const struct node *node, const struct object *object) {
    for (size_t i = 0; i < node->defines.count; i++)
        if (node->defines.items[i].object == object->id && !node->defines.items[i].conditional)
            return true;
    return false;
}

static void list_definitions(struct function_flow *out, const struct function *function,
                             const struct program *program) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->defines.count; k++) {
            int id = node->defines.items[k].object;
            if (id >= 0 && flow_tracks(program->objects.items[id]))
                vec_push(&out->definitions,
                         (struct definition_at){program->objects.items[id], node});
        }
    }
    /* A local that is not a parameter has no value at the entry; it is listed to tell that. */
    for (size_t i = 0; i < function->locals.count; i++)
        if (flow_tracks(function->locals.items[i]))
            vec_push(&out->definitions,
                     (struct definition_at){function->locals.items[i], function->entry});
    for (size_t i = 0; i < function->parameters.count; i++)
        if (flow_tracks(function->parameters.items[i]))
            vec_push(&out->definitions,
                     (struct definition_at){function->parameters.items[i], function->entry});
}

/* Sets i of `own` and `others`: what node i defines, and what it defines anew. */
static void find_effects(struct bits own, struct bits others, const struct function_flow *flow,
                         const struct function *function) {
    for (size_t d = 0; d < flow->definitions.count; d++)
        bit_put(bits_set(own, (size_t)flow->definitions.items[d].node->index), d);
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t d = 0;
             function->nodes.items[i]->defines.count > 0 && d < flow->definitions.count; d++)
            if (redefines(function->nodes.items[i], flow->definitions.items[d].object))
                bit_put(bits_set(others, i), d);
}

/* What leaves a node: what it defines, and what comes in and is not defined anew. */
static void transfer(word *out, const word *own, const word *others, const word *in, size_t width) {
    for (size_t w = 0; w < width; w++)
        out[w] = own[w] | (in[w] & ~others[w]);
}

static void find_reaching(struct function_flow *flow, const struct function *function,
                          const struct program *program) {
    list_definitions(flow, function, program);
    struct graph graph = graph_new(function, false);
    flow->reaching = bits_new(graph.count, flow->definitions.count);
    struct bits own = bits_new(graph.count, flow->definitions.count);
    struct bits others = bits_new(graph.count, flow->definitions.count);
    find_effects(own, others, flow, function);
    word *out = xmalloc(flow->reaching.width * sizeof(word));
    index_list work = {0};
    for (size_t i = graph.count; i-- > 0;)
        vec_push(&work, (int)i);
    while (work.count > 0) {
        int index = work.items[--work.count];
        transfer(out, bits_set(own, (size_t)index), bits_set(others, (size_t)index),
                 bits_set(flow->reaching, (size_t)index), own.width);
        for (size_t k = 0; k < graph.next[index].count; k++) {
            int next = graph.next[index].items[k];
            word *in = bits_set(flow->reaching, (size_t)next);
            bool changed = false;
            for (size_t w = 0; w < flow->reaching.width; w++) {
                changed = changed || (out[w] & ~in[w]) != 0;
                in[w] |= out[w];
            }
            if (changed)
                vec_push(&work, next);
        }
    }
    free(out);
    free(own.words);
    free(others.words);
    vec_dispose(&work);
    graph_dispose(&graph);
}

void flow_compute(struct flow *out, const struct program *program) {
    size_t bytes = program->functions.count * sizeof(struct function_flow);
    *out = (struct flow){.program = program};
    out->functions = memset(xmalloc(bytes + 1), 0, bytes);
    for (size_t i = 0; i < program->functions.count; i++) {
        find_controllers(&out->functions[i], program->functions.items[i]);
        find_reaching(&out->functions[i], program->functions.items[i], program);
    }
}

void flow_dispose(struct flow *flow) {
    for (size_t i = 0; i < flow->program->functions.count; i++) {
        struct function_flow *one = &flow->functions[i];
        for (size_t k = 0; k < flow->program->functions.items[i]->nodes.count; k++)
            vec_dispose(&one->controllers[k]);
        free(one->controllers);
        free(one->reaching.words);
        vec_dispose(&one->definitions);
    }
    free(flow->functions);
}

const node_list *flow_controllers(const struct flow *flow, const struct node *node) {
    return &flow->functions[node->function->id].controllers[node->index];
}

void flow_reaching(const struct flow *flow, const struct node *node, const struct object *object,
                   node_list *out) {
    const struct function_flow *one = &flow->functions[node->function->id];
    const word *in = bits_set(one->reaching, (size_t)node->index);
    for (size_t d = 0; d < one->definitions.count; d++)
        if (one->definitions.items[d].object == object && bit_get(in, d))
            vec_push(out, one->definitions.items[d].node);
}
