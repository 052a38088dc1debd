/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks are computed so that no message waits for ever. That is of use only if each rank also takes
 * as many messages as are sent to it. Who receives from MPI_ANY_SOURCE has counted them, by what
 * the senders choose their partners by: such a count is as little to be guessed as a rank.
 *
 * In: the exact slice. What decides about such a receive, and not about any send as well (the loop
 * over time steps), is found by control dependence, across calls; then all that it depends on, down
 * the demands.
 *
 * Not handled: a source that is not written as the constant where MPI is called.
 */
#include "skeletonizer/cut/cut_receives.h"

#include "skeletonizer/given/cut_parts.h"

#include <string.h>

#define ANY_SOURCE (-555) /* SMPI's, whose mpi.h units are parsed with */

static bool *new_flags(size_t count) {
    return memset(xmalloc(count + 1), 0, count + 1);
}

static const struct ast *argument_of(const struct call *call, enum mpi_role role) {
    int index = call->mpi != NULL ? mpi_call_parameter(call->mpi, role) : -1;
    return index >= 0 && (size_t)index < call->arguments.count ? call->arguments.items[index].ast
                                                               : NULL;
}

/* A receive or a probe that waits; who polls does so as often as it takes. */
static bool takes_any(const struct call *call) {
    const struct ast *peer = argument_of(call, MPI_ROLE_PEER);
    return peer != NULL && peer->has_value && peer->value == ANY_SOURCE &&
           argument_of(call, MPI_ROLE_FLAG_OUT) == NULL;
}

static bool sends(const struct call *call) {
    return argument_of(call, MPI_ROLE_PEER) != NULL &&
           argument_of(call, MPI_ROLE_PAYLOAD_IN) != NULL;
}

static void push_new(node_list *list, bool *seen, struct node *node) {
    if (!seen[node->id])
        vec_push(list, node);
    seen[node->id] = true;
}

/* Nodes that decide about a call of that kind, also in functions that lead to it. */
static bool *find_deciding(const struct slice *s, bool (*is_wanted)(const struct call *)) {
    const struct program *program = s->program;
    bool *deciding = new_flags(program->nodes.count), *seen = new_flags(program->nodes.count);
    node_list list = {0};
    for (size_t i = 0; i < program->calls.count; i++)
        if (is_wanted(program->calls.items[i]) && program->calls.items[i]->node->function != NULL)
            push_new(&list, seen, program->calls.items[i]->node);
    for (size_t i = 0; i < list.count; i++) {
        const struct node *node = list.items[i];
        const node_list *controllers = flow_controllers(&s->flow, node);
        for (size_t k = 0; k < controllers->count; k++) {
            deciding[controllers->items[k]->id] = true;
            push_new(&list, seen, controllers->items[k]);
        }
        for (size_t k = 0; k < s->callers[node->function->id].count; k++)
            if (s->callers[node->function->id].items[k]->node->function != NULL)
                push_new(&list, seen, s->callers[node->function->id].items[k]->node);
    }
    vec_dispose(&list);
    free(seen);
    return deciding;
}

/* Another round down the demands; false: nothing was added. Whether the deciding statement is
 * reached is as with the sends. */
static bool spread(const struct slice *s, const struct demand_graph *graph, const bool *decides,
                   const bool *shared, bool *needed) {
    bool changed = false;
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct demand_edge *edge = &graph->edges.items[i];
        const struct node *from = cut_node_of(s, (size_t)edge->from),
                          *to = cut_node_of(s, (size_t)edge->to);
        bool is_outside =
            (edge->around && from != NULL && decides[from->id]) || (to != NULL && shared[to->id]);
        if (needed[edge->from] && !needed[edge->to] && !is_outside)
            needed[edge->to] = changed = true;
    }
    return changed;
}

static void add_needed(bool *ranks, struct slice *s, const struct ast *const *parts,
                       const bool *decides, const bool *shared) {
    struct demand_graph graph = {0};
    bool *needed = new_flags(s->demands.count);
    slice_record(s, &graph, parts);
    for (size_t i = 0; i < s->demands.count; i++)
        needed[i] = cut_node_of(s, i) != NULL && decides[cut_node_of(s, i)->id];
    while (spread(s, &graph, decides, shared, needed))
        continue;
    for (size_t i = 0; i < s->demands.count; i++)
        if (needed[i] && cut_node_of(s, i) != NULL)
            ranks[cut_node_of(s, i)->id] = true;
    vec_dispose(&graph.edges);
    free(needed);
}

void cut_receives_add(bool *ranks, struct slice *s, const struct ast *const *parts) {
    bool *decides = find_deciding(s, takes_any), *shared = find_deciding(s, sends);
    bool any = false;
    for (size_t i = 0; i < s->program->nodes.count; i++) {
        decides[i] = decides[i] && !shared[i];
        any = any || decides[i];
    }
    if (any)
        add_needed(ranks, s, parts, decides, shared);
    free(decides);
    free(shared);
}
