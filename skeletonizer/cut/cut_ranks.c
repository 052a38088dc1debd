/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the exact slice and what of each node could be given. From the arguments of MPI calls that
 * are ranks the demands are followed down through what copies a number: variables, memory,
 * parameters and returned values. What is computed with (`rank + 1`, the owner of a row) is another
 * number, which may well be modelled; so are indices of a table of ranks. What decides which of
 * several ranks is taken is as bad to guess as the rank. What is in memory names ranks if all that
 * is read there does: work space that holds a table of ranks may hold anything else as well.
 *
 * Not handled: ranks that come in a message.
 */
#include "skeletonizer/cut/cut_ranks.h"

#include "skeletonizer/cut/cut_ways.h"
#include "skeletonizer/given/given_parts.h"

#include <stdlib.h>
#include <string.h>

/* What an expression copies. */
struct source {
    const struct declaration *variable; /* or */
    bool is_memory, is_call;
};

static struct source find_source(const struct ast *expression) {
    const struct ast *ast = ast_without_casts(expression);
    switch (ast->kind) {
    case AST_REFERENCE:
        return (struct source){.variable = ast->declaration, .is_memory = true};
    case AST_SUBSCRIPT:
    case AST_MEMBER:
        return (struct source){.is_memory = true};
    case AST_UNARY:
        return (struct source){.is_memory = strcmp(ast->op, "*") == 0};
    case AST_CALL:
        return (struct source){.is_call = true};
    default:
        return (struct source){0};
    }
}

static bool defines(const struct slice *s, const struct node *node,
                    const struct declaration *variable) {
    for (size_t i = 0; i < node->defines.count && variable != NULL; i++) {
        int object = node->defines.items[i].object;
        if (object >= 0 && s->program->objects.items[object]->declaration == variable)
            return true;
    }
    return false;
}

bool cut_ranks_copies(const struct slice *s, const struct ast *expression, int demand) {
    const struct demand *d = &s->demands.items[demand];
    struct source source = find_source(expression);
    switch (d->kind) {
    case DEMAND_NODE:
        return defines(s, s->program->nodes.items[d->subject], source.variable);
    case DEMAND_PARAMETER:
        return source.variable != NULL &&
               s->program->functions.items[d->subject]->parameters.items[d->detail]->declaration ==
                   source.variable;
    case DEMAND_PLACE:
        return source.is_memory;
    case DEMAND_VALUE:
        return source.is_call;
    default:
        return false;
    }
}

static bool names_rank(const struct slice *s, const struct demand *d) {
    if (d->kind != DEMAND_ARGUMENT)
        return false;
    const struct mpi_call *mpi = s->program->calls.items[d->subject]->mpi;
    if (mpi == NULL || d->detail >= mpi->parameter_count)
        return false;
    enum mpi_role role = mpi->parameters[d->detail].role;
    return role == MPI_ROLE_PEER || role == MPI_ROLE_ROOT;
}

/* What the demand `from`, which names a rank, raised is for that number. */
static bool passes(const struct slice *s, const struct demand_edge *edge,
                   const struct ast *const *parts) {
    const struct demand *from = &s->demands.items[edge->from], *to = &s->demands.items[edge->to];
    const struct node *node = given_node_of(s, (size_t)edge->from);
    if (from->kind == DEMAND_ARGUMENT)
        return cut_ranks_copies(
            s, s->program->calls.items[from->subject]->arguments.items[from->detail].ast, edge->to);
    if (node != NULL)
        return !edge->around && parts[node->id] != NULL && !given_steers(node) &&
               cut_ranks_copies(s, parts[node->id], edge->to);
    if (from->kind == DEMAND_VALUE && s->program->calls.items[from->subject]->targets.count == 0)
        return false;
    return (from->kind == DEMAND_PLACE || from->kind == DEMAND_VALUE ||
            from->kind == DEMAND_PARAMETER) &&
           (to->kind == DEMAND_NODE || to->kind == DEMAND_PARAMETER ||
            to->kind == DEMAND_ARGUMENT || to->kind == DEMAND_PLACE);
}

/* Another round; false: nothing was added. `mixed`: by demand, room for memory that is read as
 * something else. */
static bool spread(const struct slice *s, const struct demand_graph *graph,
                   const struct ast *const *parts, bool *named, bool *mixed) {
    bool changed = false;
    memset(mixed, 0, s->demands.count + 1);
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct demand_edge *edge = &graph->edges.items[i];
        if (s->demands.items[edge->to].kind == DEMAND_PLACE &&
            !(named[edge->from] && passes(s, edge, parts)))
            mixed[edge->to] = true;
    }
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct demand_edge *edge = &graph->edges.items[i];
        bool is_returned = s->demands.items[edge->from].kind == DEMAND_VALUE;
        if (named[edge->from] && !named[edge->to] && (is_returned || !mixed[edge->to]) &&
            passes(s, edge, parts))
            named[edge->to] = changed = true;
    }
    return changed;
}

/* ---- What chooses between ranks ---- */

static bool passes_to_decision(const void *context, const struct demand_edge *edge) {
    const struct node *to = given_node_of(context, (size_t)edge->to);
    return edge->around && to != NULL && given_steers(to);
}

/* By demand: decides whether one of `these` is executed. */
static bool *find_deciding(const struct slice *s, const struct cut_ways *ways, const bool *these) {
    bool *deciding = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &ways->graph->edges.items[i];
        if (these[edge->from] && passes_to_decision(s, edge))
            deciding[edge->to] = true;
    }
    cut_ways_follow(deciding, ways, WAY_DOWN, passes_to_decision, s);
    return deciding;
}

/* Adds what decides which number it is; what decides about all calls of MPI alike, as a loop over
 * time steps does, chooses nothing. */
static void add_choices(const struct slice *s, const struct cut_ways *ways, bool *named) {
    bool *calls = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    bool *statements = memset(xmalloc(s->demands.count + 1), 0, s->demands.count + 1);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = given_node_of(s, i);
        calls[i] = s->demands.items[i].parent < 0;
        statements[i] = named[i] && node != NULL && !given_steers(node);
    }
    bool *about_calls = find_deciding(s, ways, calls);
    bool *about_statements = find_deciding(s, ways, statements);
    for (size_t i = 0; i < s->demands.count; i++)
        named[i] = named[i] || (about_statements[i] && !about_calls[i]);
    free(about_calls);
    free(about_statements);
    free(calls);
    free(statements);
}

bool *cut_ranks_find(struct slice *s, const struct ast *const *parts) {
    size_t nodes = s->program->nodes.count, count = s->demands.count;
    bool *by_node = memset(xmalloc(nodes + 1), 0, nodes + 1);
    bool *named = memset(xmalloc(count + 1), 0, count + 1), *mixed = xmalloc(count + 1);
    struct demand_graph graph = {0};
    struct cut_ways ways;
    slice_record(s, &graph, parts);
    cut_ways_init(&ways, &graph, count);
    for (size_t i = 0; i < count; i++)
        named[i] = names_rank(s, &s->demands.items[i]);
    while (spread(s, &graph, parts, named, mixed))
        continue;
    add_choices(s, &ways, named);
    for (size_t i = 0; i < count; i++) {
        const struct node *node = given_node_of(s, i);
        if (named[i] && node != NULL)
            by_node[node->id] = true;
    }
    cut_ways_dispose(&ways);
    vec_dispose(&graph.edges);
    free(mixed);
    free(named);
    return by_node;
}
