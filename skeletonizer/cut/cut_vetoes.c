/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the graph of demands. Out: the demands that no cut may go through. Each rule has a reason
 * that holds for any program:
 *
 * Too often: what is asked for more than four times for each execution of a criterion that it
 * serves is a number of which the criterion takes a sum, an extreme or a count; a model of the
 * parts does not tell the whole. Lines are counted, since the instances of a function share them by
 * guess. A decision right about a criterion is asked where the criterion could have been.
 *
 * Told by a message: what a point-to-point message brings is what its sender has decided. A model
 * at the receiver is a second opinion, and where the two differ somebody waits for ever. It can be
 * given where it is sent.
 *
 * In front of a collective: what all ranks are told behind a reduction can be given there; what
 * goes into it differs by rank, and the extreme of what a model says of each is not the model of
 * the extreme.
 *
 * Remainders, of a hash or a turn, and their copies: any is as likely, and their mean is another
 * place of the table than theirs.
 *
 * Text that is taken apart: it is the user's input.
 *
 * Not handled: messages whose contents come to a decision by way of something hot: there the value
 * is no longer what was sent.
 */
#include "skeletonizer/cut/cut_vetoes.h"

#include "skeletonizer/cut/cut_ranks.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TIMES 4 /* right values were asked for 0.05 to 2.4 times, wrong ones 16 to 2150 */

static bool *new_flags(size_t count) {
    return memset(xmalloc(count + 1), 0, count + 1);
}

static const struct call *call_of(const struct slice *s, size_t demand, enum demand_kind kind) {
    const struct demand *d = &s->demands.items[demand];
    return d->kind == kind ? s->program->calls.items[d->subject] : NULL;
}

static double line_executions(const struct cut_candidates *c, const struct node *node) {
    return node != NULL ? executions_of_line(&c->hotness->executions, node) : 0;
}

static bool is_frequent_node(const struct cut_candidates *c, const struct node *node) {
    return node != NULL && hotness_is_frequent(c->hotness, node);
}

/* ---- Too often ---- */

/* By demand: of criteria, their executions, or those of decisions right about them. */
static double *begin_served(const struct cut_candidates *c) {
    const struct slice *s = c->slice;
    double *served = xmalloc((s->demands.count + 1) * sizeof *served);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct call *call = call_of(s, i, DEMAND_CALL);
        const struct node *node = call != NULL ? call->node : given_node_of(s, i);
        served[i] = s->demands.items[i].parent < 0 ? line_executions(c, node) : 0;
    }
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        const struct node *to = given_node_of(s, (size_t)edge->to);
        bool decides = to != NULL && given_steers(to) && !is_frequent_node(c, to) &&
                       s->demands.items[edge->from].parent < 0 &&
                       call_of(s, (size_t)edge->from, DEMAND_CALL) != NULL;
        double often = decides ? line_executions(c, to) : 0;
        if (often > served[edge->from])
            served[edge->from] = often;
    }
    return served;
}

/* ---- Ways of data ---- */

/* A number that a library's function returns is made of its arguments; memory is not, nor what it
 * stores. */
static bool is_returned(const struct slice *s, const struct demand_edge *edge,
                        const struct call *call) {
    bool is_number = call->type->kind == TYPE_FLOATING || call->type->kind == TYPE_INTEGER;
    return s->demands.items[edge->from].kind == DEMAND_VALUE && is_number && call->mpi == NULL &&
           call->targets.count == 0;
}

bool cut_is_data(const struct cut_candidates *c, const struct demand_edge *edge) {
    const struct slice *s = c->slice;
    const struct node *to = given_node_of(s, (size_t)edge->to);
    const struct call *call = call_of(s, (size_t)edge->to, DEMAND_CALL);
    enum demand_kind kind = s->demands.items[edge->to].kind;
    bool is_beside = edge->around && given_giver_of(s, c->parts, (size_t)edge->from) != NULL;
    return !is_beside && (to == NULL || !given_steers(to)) && kind != DEMAND_CHAIN &&
           kind != DEMAND_JUMP && kind != DEMAND_DECLARE &&
           (call == NULL || is_returned(s, edge, call));
}

static bool brings_a_message(const struct slice *s, size_t demand) {
    const struct call *call = call_of(s, demand, DEMAND_PAYLOAD);
    if (call == NULL || call->mpi == NULL || call->mpi->class != MPI_CLASS_P2P)
        return false;
    for (int i = 0; i < call->mpi->parameter_count; i++)
        if (call->mpi->parameters[i].role == MPI_ROLE_PAYLOAD_OUT ||
            call->mpi->parameters[i].role == MPI_ROLE_PAYLOAD_INOUT)
            return true;
    return false;
}

static bool tells_all(const struct slice *s, size_t demand) {
    const struct call *call = call_of(s, demand, DEMAND_PAYLOAD);
    for (size_t i = 0; call != NULL && i < call->arguments.count; i++)
        if (call_argument_is_told(call, (int)i))
            return true;
    return false;
}

/* By demand: memory into which a collective tells all ranks what is there, so that no rank has an
 * opinion of its own, whoever computed it. */
static bool *find_told_places(const struct cut_candidates *c) {
    const struct slice *s = c->slice;
    bool *told = new_flags(s->demands.count);
    for (size_t i = 0; i < c->ways->graph->edges.count; i++) {
        const struct demand_edge *edge = &c->ways->graph->edges.items[i];
        if (s->demands.items[edge->from].kind == DEMAND_PLACE && tells_all(s, (size_t)edge->to))
            told[edge->from] = true;
    }
    return told;
}

struct bringing {
    const struct cut_candidates *c;
    const bool *told_places;
};

static bool passes_message(const void *context, const struct demand_edge *edge) {
    const struct bringing *of = context;
    const struct slice *s = of->c->slice;
    const struct node *from = given_node_of(s, (size_t)edge->from);
    return cut_is_data(of->c, edge) && !of->told_places[edge->from] &&
           call_of(s, (size_t)edge->from, DEMAND_PAYLOAD) == NULL &&
           (from == NULL || !hotness_is_hot(of->c->hotness, from));
}

/* By demand: its value is what a message has brought. */
static bool *find_brought(const struct cut_candidates *c) {
    bool *told_places = find_told_places(c);
    const struct bringing bringing = {c, told_places};
    bool *brought = new_flags(c->slice->demands.count);
    for (size_t i = 0; i < c->slice->demands.count; i++)
        brought[i] = brings_a_message(c->slice, i);
    cut_ways_follow(brought, c->ways, WAY_UP, passes_message, &bringing);
    free(told_places);
    return brought;
}

/* What is given behind a collective, if anything is. */
static bool is_teller(const struct cut_candidates *c, size_t demand) {
    int index;
    const struct node *node = given_giver_of(c->slice, c->parts, demand);
    const struct call *call =
        node != NULL ? call_argument_find(node, c->parts[node->id], &index) : NULL;
    return call != NULL && call_argument_is_told(call, index);
}

static bool passes_to_front(const void *context, const struct demand_edge *edge) {
    const struct cut_candidates *c = context;
    const struct node *from = given_node_of(c->slice, (size_t)edge->from);
    return cut_is_data(c, edge) && call_of(c->slice, (size_t)edge->to, DEMAND_PAYLOAD) == NULL &&
           (from == NULL || !hotness_is_hot(c->hotness, from));
}

/* By demand: goes into what is given behind a collective. */
static bool *find_in_front(const struct cut_candidates *c) {
    bool *in_front = new_flags(c->slice->demands.count);
    for (size_t i = 0; i < c->slice->demands.count; i++)
        in_front[i] = is_teller(c, i);
    cut_ways_follow(in_front, c->ways, WAY_DOWN, passes_to_front, c);
    for (size_t i = 0; i < c->slice->demands.count; i++)
        in_front[i] = in_front[i] && !is_teller(c, i);
    return in_front;
}

static bool is_remainder(const struct node *node, const struct ast *part) {
    const struct ast *ast = ast_without_casts(part);
    return ast->kind == AST_BINARY && strcmp(ast->op, "%") == 0 && !given_part_decides(node, part);
}

static bool is_result(const struct slice *s, size_t demand) {
    const struct demand *d = &s->demands.items[demand];
    int object = d->kind == DEMAND_PLACE ? s->points_to->locations.items[d->subject].object : -1;
    return object >= 0 && s->program->objects.items[object]->kind == OBJECT_RESULT;
}

/* Through variables, parameters and what is returned; memory may hold other numbers as well. */
static bool passes_copy(const void *context, const struct demand_edge *edge) {
    const struct cut_candidates *c = context;
    const struct node *from = given_node_of(c->slice, (size_t)edge->from);
    enum demand_kind kind = c->slice->demands.items[edge->from].kind;
    if (from != NULL)
        return !edge->around && c->parts[from->id] != NULL && !given_steers(from) &&
               cut_ranks_copies(c->slice, c->parts[from->id], edge->to);
    return (kind == DEMAND_VALUE || kind == DEMAND_PARAMETER || kind == DEMAND_ARGUMENT ||
            is_result(c->slice, (size_t)edge->from)) &&
           cut_is_data(c, edge);
}

/* By demand. */
static bool *find_remainders(const struct cut_candidates *c) {
    bool *remainders = new_flags(c->slice->demands.count);
    for (size_t i = 0; i < c->slice->demands.count; i++) {
        const struct node *node = given_node_of(c->slice, i);
        remainders[i] =
            node != NULL && c->parts[node->id] != NULL && is_remainder(node, c->parts[node->id]);
    }
    cut_ways_follow(remainders, c->ways, WAY_UP, passes_copy, c);
    return remainders;
}

/* It is not one number for all ranks, and no decision, which may be theirs. */
static bool differs_by_rank(const struct cut_candidates *c, const struct node *node) {
    const struct ast *part = c->parts[node->id];
    return !given_part_decides(node, part) && !given_part_is_agreed(c->slice, node, part);
}

bool *cut_vetoes_find(const struct cut_candidates *c) {
    const struct slice *s = c->slice;
    double *served = begin_served(c);
    bool *brought = find_brought(c), *in_front = find_in_front(c);
    bool *remainders = find_remainders(c);
    bool *vetoes = new_flags(s->demands.count);
    cut_ways_spread(served, c->ways);
    for (size_t i = 0; i < s->demands.count; i++) {
        const struct node *node = given_giver_of(s, c->parts, i);
        double often = MOST_TIMES * fmax(served[i], 1);
        bool is_brought = brought[i] && s->demands.items[i].kind != DEMAND_PAYLOAD;
        vetoes[i] = node != NULL &&
                    (is_brought || remainders[i] || c->hotness->parses[node->id] ||
                     line_executions(c, node) > often || (in_front[i] && differs_by_rank(c, node)));
    }
    free(remainders);
    free(in_front);
    free(brought);
    free(served);
    return vetoes;
}
