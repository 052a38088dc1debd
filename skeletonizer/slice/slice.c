/* SPDX-License-Identifier: Apache-2.0
 *
 * The set of demands, and the program-wide facts that raising them needs: who calls whom, what is
 * live, which functions communicate, what a call may reach. skeletonizer/slice/demands.c says what
 * each demand raises.
 */
#include "skeletonizer/slice/slice.h"

#include "skeletonizer/pointsto/type_puns.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/callstrings.h"
#include "skeletonizer/slice/demands.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/layout.h"

#include <string.h>

#define LITTLE_BYTES 4096

int slice_find(const struct slice *s, enum demand_kind kind, int subject, int detail) {
    return demand_index_find(&s->index, s->demands.items, kind, subject, detail);
}

/* An argument is evaluated because the function needs its parameter, not because the function is
 * called: that edge would be a wrong reason. */
static bool is_for_a_parameter(const struct slice *s, const struct demand *from,
                               const struct demand *to) {
    if (from->kind != DEMAND_CALL || (to->kind != DEMAND_ARGUMENT && to->kind != DEMAND_PLACE))
        return false;
    return s->program->calls.items[from->subject]->targets.count > 0;
}

/* Where the latest edge of this kind to the demand came from; -1: there is none yet. */
static int *latest_to(struct demand_graph *graph, int to) {
    size_t index = 2 * (size_t)to + graph->around;
    while (graph->latest.count <= index)
        vec_push(&graph->latest, -1);
    return &graph->latest.items[index];
}

/* Once, though many writes of an object may copy from the same locations: of rebound's 526 million
 * edges 16 million differ. Those from one demand are recorded one after the other. */
static void record(struct slice *s, int to) {
    if (s->graph == NULL || s->current < 0 || s->current == to ||
        is_for_a_parameter(s, &s->demands.items[s->current], &s->demands.items[to]))
        return;
    int *latest = latest_to(s->graph, to);
    if (*latest == s->current)
        return;
    *latest = s->current;
    s->graph->is_too_large = s->graph->edges.count >= DEMAND_EDGES_MOST;
    if (s->graph->is_too_large)
        return;
    struct demand_edge edge = {s->current, to, s->graph->around};
    vec_push(&s->graph->edges, edge);
}

size_t slice_raise_again(struct slice *s) {
    s->generation++;
    for (size_t i = 0; i < s->demands.count; i++) {
        s->current = (int)i;
        if (s->graph != NULL)
            s->graph->around = false;
        demands_raise(s, s->demands.items[i]);
    }
    s->current = -1;
    return s->demands.count;
}

void slice_record(struct slice *s, struct demand_graph *out, const struct ast *const *parts) {
    *out = (struct demand_graph){.parts = parts};
    s->graph = out;
    slice_raise_again(s);
    vec_dispose(&out->latest);
    s->graph = NULL;
}

void slice_add(struct slice *s, enum demand_kind kind, int subject, int detail) {
    if (demand_index_has(&s->index, s->demands.items, kind, subject, detail)) {
        if (s->graph != NULL)
            record(s, slice_find(s, kind, subject, detail));
        return;
    }
    struct demand demand = {kind, subject, detail, s->current, s->why};
    vec_push(&s->demands, demand);
    demand_index_add(&s->index, s->demands.items, s->demands.count);
}

/* Arguments that a kept call evaluates anyway: records, and what has effects that are needed. */
static void find_payload_arguments(struct slice *s, struct call *call) {
    s->current = slice_find(s, DEMAND_CALL, call->id, 0);
    s->why = "is evaluated with the call";
    for (size_t k = 0; s->current >= 0 && k < call->arguments.count; k++) {
        struct argument *argument = &call->arguments.items[k];
        bool needed =
            argument->is_aggregate || (argument->has_effects && slice_keeps_node(s, call->node));
        for (size_t c = 0; c < argument->calls.count && !needed; c++)
            needed = argument->calls.items[c]->conditional &&
                     slice_keeps_call(s, argument->calls.items[c]);
        if (needed)
            slice_add(s, DEMAND_ARGUMENT, call->id, (int)k);
    }
}

/* The node whose calls and arguments depend on the demand. */
static struct node *node_of(const struct slice *s, const struct demand *demand) {
    if (demand->kind == DEMAND_NODE)
        return s->program->nodes.items[demand->subject];
    return demand->kind == DEMAND_CALL ? s->program->calls.items[demand->subject]->node : NULL;
}

static void run(struct slice *s) {
    while (s->next < s->demands.count) {
        s->current = (int)s->next++;
        struct demand demand = s->demands.items[s->current];
        demands_raise(s, demand);
        struct node *node = node_of(s, &demand);
        for (size_t i = 0; node != NULL && i < node->calls.count; i++)
            find_payload_arguments(s, node->calls.items[i]);
    }
    s->current = -1;
}

void slice_demand_for(struct slice *s, enum demand_kind kind, int subject, int detail,
                      const char *why, int parent) {
    s->current = parent;
    s->why = why;
    slice_add(s, kind, subject, detail);
    run(s);
}

void slice_demand(struct slice *s, enum demand_kind kind, int subject, int detail,
                  const char *why) {
    slice_demand_for(s, kind, subject, detail, why, -1);
}

void slice_demand_uses(struct slice *s, struct node *node, const lvalue_list *uses,
                       const char *why) {
    s->current = -1;
    s->why = why;
    for (size_t i = 0; i < uses->count; i++)
        demands_use(s, node, uses->items[i]);
    run(s);
}

size_t slice_mark(const struct slice *s) {
    return s->demands.count;
}

void slice_take_back(struct slice *s, size_t mark) {
    s->generation += s->demands.count > mark;
    while (s->demands.count > mark) {
        demand_index_remove(&s->index, s->demands.items, s->demands.count);
        s->demands.count--;
    }
    if (s->next > mark)
        s->next = mark;
}

/* One record, as `malloc(sizeof *r)`, and no array; once, since nothing need free it. */
static bool allocates_little(const struct slice *s, const struct call *call) {
    long long bytes = 1;
    bool is_malloc =
        strcmp(call->library->name, "malloc") == 0 || strcmp(call->library->name, "calloc") == 0;
    for (size_t i = 0; i < call->arguments.count && is_malloc; i++) {
        const struct ast *argument = call->arguments.items[i].ast;
        if (!argument->has_value || argument->value < 0 || argument->value > LITTLE_BYTES)
            return false;
        bytes *= argument->value;
    }
    return is_malloc && bytes <= LITTLE_BYTES && slice_is_executed_once(s, call->node);
}

static bool is_cheap_call(const struct slice *s, const struct call *call, bool may_allocate) {
    if (call->targets.count > 0)
        return true; /* its loops would be new nodes */
    if (call->mpi != NULL)
        return true;
    if (call->library == NULL || call->library->cost != NULL)
        return false;
    if (call->library->result == EXTERN_RETURNS_FRESH)
        return may_allocate || allocates_little(s, call);
    if (call->library->sets_errno || call->library->result == EXTERN_RETURNS_COPY)
        return false;
    static const char *const copies[] = {"memset", "memcpy", "memmove", "qsort",
                                         "fread",  "bzero",  "bcopy"};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        if (strcmp(call->library->name, copies[i]) == 0)
            return false;
    return true;
}

static bool is_cheap_demand(const struct slice *s, const struct demand *demand, bool may_allocate) {
    if (demand->kind == DEMAND_NODE)
        return s->program->nodes.items[demand->subject]->kind != NODE_LOOP;
    if (demand->kind == DEMAND_CALL)
        return is_cheap_call(s, s->program->calls.items[demand->subject], may_allocate);
    return demand->kind != DEMAND_DEVICE; /* which no skeleton can have */
}

static bool is_cheap(const struct slice *s, size_t mark, bool may_allocate) {
    for (size_t i = mark; i < s->demands.count; i++)
        if (!is_cheap_demand(s, &s->demands.items[i], may_allocate))
            return false;
    return true;
}

bool slice_demand_is_cheap(const struct slice *s, size_t index) {
    return is_cheap_demand(s, &s->demands.items[index], false);
}

bool slice_is_cheap(const struct slice *s, size_t mark) {
    return is_cheap(s, mark, false);
}

bool slice_is_cheap_but_allocates(const struct slice *s, size_t mark) {
    return is_cheap(s, mark, true);
}

/* Program-wide facts */

/* Calls that are never executed give their functions nothing. */
static void find_callers(struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        struct call *call = s->program->calls.items[i];
        if (call->node->function != NULL && !call->node->function->is_live)
            continue;
        for (size_t k = 0; k < call->targets.count; k++)
            vec_push_new(&s->callers[call->targets.items[k]->id], call);
        for (size_t k = 0; k < call->callbacks.count; k++)
            vec_push_new(&s->callers[call->callbacks.items[k]->id], call);
    }
}

/* They are compared with each other. */
static void find_messages(struct slice *s) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        struct call *call = s->program->calls.items[i];
        if (call->mpi == NULL || call->node->function == NULL || !call->node->function->is_live)
            continue;
        if (call->mpi->class == MPI_CLASS_P2P)
            vec_push(&s->messages, call);
        if (call->mpi->class == MPI_CLASS_COLLECTIVE)
            vec_push(&s->collectives, call);
    }
}

static bool has_loop_or_kernel(const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_LOOP)
            return true;
        for (size_t k = 0; k < node->calls.count; k++)
            if (node->calls.items[k]->library != NULL &&
                node->calls.items[k]->library->cost != NULL)
                return true;
    }
    return false;
}

static void find_computes(struct slice *s) {
    size_t count = s->program->functions.count;
    uint64_t *compute = xcalloc(s->may_run.words + 1, sizeof *compute);
    s->computes = xcalloc(count + 1, sizeof *s->computes);
    for (size_t i = 0; i < count; i++)
        if (has_loop_or_kernel(s->program->functions.items[i]))
            compute[i / 64] |= (uint64_t)1 << (i % 64);
    for (size_t i = 0; i < count; i++)
        s->computes[i] = may_run_any(&s->may_run, (int)i, compute);
    free(compute);
}

bool slice_computes(const struct slice *s, const struct function *function) {
    return s->computes[function->id];
}

bool slice_may_run(const struct slice *s, const struct function *function,
                   const struct function *callee) {
    return may_run_has(&s->may_run, function->id, callee->id);
}

static bool is_unknown(const struct call *call) {
    return call->mpi == NULL && call->library == NULL && call->callee < 0;
}

/* The library may make the messages of a callback whenever this call is made. */
static bool calls_back_to_mpi(const struct slice *s, const struct call *call) {
    for (size_t i = 0; call->library != NULL && i < call->callbacks.count; i++)
        if (s->communicates[call->callbacks.items[i]->id])
            return true;
    return false;
}

bool slice_is_criterion(const struct slice *s, const struct call *call) {
    if (call->node->ends_abnormally || call->never_made)
        return false;
    for (size_t i = 0; i < call->targets.count; i++)
        if (s->communicates[call->targets.items[i]->id])
            return true;
    if (call->targets.count > 0)
        return false;
    if (exits_program(call))
        return !(s->assumptions.no_abnormal_exit && exits_is_abnormal(call));
    if (call->mpi != NULL)
        return mpi_call_is_kept(call->mpi) ||
               (s->has_type_attributes && mpi_call_is(call->mpi, MPI_RUNS_ATTRIBUTES));
    bool always = call->library != NULL && call->library->kind == EXTERN_ALWAYS;
    return always || is_unknown(call) || call->callee >= 0 || calls_back_to_mpi(s, call);
}

static void find_communicating(struct slice *s) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < s->program->calls.count; i++) {
            const struct call *call = s->program->calls.items[i];
            const struct function *function = call->node->function;
            if (function == NULL || s->communicates[function->id] || !slice_is_criterion(s, call))
                continue;
            s->communicates[function->id] = changed = true;
        }
    }
}

static void find_global_reachable(struct slice *s) {
    size_t count = s->program->objects.count;
    s->global_reachable = memset(xmalloc(count + 1), 0, count + 1);
    bool *reached = s->global_reachable;
    for (size_t i = 0; i < count; i++) {
        const struct object *object = s->program->objects.items[i];
        reached[i] = object->kind == OBJECT_STATE ||
                     (object->kind == OBJECT_VARIABLE && object->function == NULL);
    }
    points_to_close(s->points_to, reached);
}

/* Variables of the whole program that the head of the function names. */
static void declare_signature(struct slice *s, const struct function *function) {
    s->why = "is in the type of a parameter or result";
    for (size_t i = 0; function->is_live && i < function->entry->addresses.count; i++)
        if (function->entry->addresses.items[i]->function == NULL)
            demands_declare(s, function->entry->addresses.items[i]);
}

void slice_compute(struct slice *out, struct program *program, struct points_to *points_to,
                   const struct assumptions *assumptions) {
    slice_compute_cut(out, program, points_to, assumptions, NULL, NULL);
}

void slice_compute_cut(struct slice *s, struct program *program, struct points_to *points_to,
                       const struct assumptions *assumptions, const struct ast *const *cut,
                       const bool *echoes) {
    size_t functions = program->functions.count, calls = program->calls.count;
    *s = (struct slice){.program = program, .points_to = points_to, .current = -1};
    s->assumptions = *assumptions;
    s->cut = cut;
    s->echoes = echoes;
    s->callers = ARENA_ARRAY(&s->arena, call_list, functions);
    s->communicates = ARENA_ARRAY(&s->arena, bool, functions);
    s->criteria = ARENA_ARRAY(&s->arena, int, functions);
    s->known_numbers = ARENA_ARRAY(&s->arena, struct known_number, calls * SLICE_KNOWN_NUMBERS);
    s->senders_of = ARENA_ARRAY(&s->arena, int_list *, calls);
    s->has_partner = ARENA_ARRAY(&s->arena, enum answer, 2 * calls);
    s->sent_in_place = ARENA_ARRAY(&s->arena, enum answer, calls);
    s->reach_of = ARENA_ARRAY(&s->arena, const unsigned char *, calls);
    s->types_tell = assumptions->type_classes && !puns_found(program);
    if (assumptions->no_abnormal_exit)
        exits_mark(program);
    flow_compute(&s->flow, program);
    find_callers(s);
    callstrings_follow_arguments(s);
    may_run_find(&s->may_run, program);
    find_messages(s);
    find_computes(s);
    s->has_type_attributes = layout_has_attributes(program);
    find_communicating(s);
    events_compute(s);
    find_global_reachable(s);
    for (size_t i = 0; i < calls; i++) {
        const struct call *call = program->calls.items[i];
        if (call->node->function == NULL || !call->node->function->is_live ||
            !slice_is_criterion(s, call))
            continue;
        s->why = call->mpi != NULL         ? "is an MPI call"
                 : call->targets.count > 0 ? "calls a function that communicates"
                 : exits_program(call)     ? "ends the program"
                 : call->library != NULL   ? "has effects beyond its arguments"
                                           : "calls a function of unknown effect";
        slice_add(s, DEMAND_CALL, call->id, 0);
    }
    for (size_t i = 0; i < functions; i++) {
        declare_signature(s, program->functions.items[i]);
        demands_constructor(s, program->functions.items[i]);
    }
    s->why = "is named in a type or prototype";
    demands_declare_all(s, &program->named);
    run(s);
}

void slice_dispose(struct slice *s) {
    demand_index_dispose(&s->index);
    vec_dispose(&s->demands);
    flow_dispose(&s->flow);
    events_dispose(s);
    for (size_t i = 0; i < s->program->functions.count; i++)
        vec_dispose(&s->callers[i]);
    for (size_t i = 0; i < s->program->calls.count; i++)
        if (s->senders_of[i] != NULL)
            vec_dispose(s->senders_of[i]);
    may_run_dispose(&s->may_run);
    vec_dispose(&s->messages);
    vec_dispose(&s->collectives);
    hash_table_dispose(&s->reach_of_roots);
    free(s->computes);
    free(s->global_reachable);
    vec_dispose(&s->parts);
    vec_dispose(&s->versions);
    arena_dispose(&s->arena);
}

/* Questions */

bool slice_keeps_node(const struct slice *s, const struct node *node) {
    return slice_find(s, DEMAND_NODE, node->id, 0) >= 0;
}

bool slice_keeps_jump(const struct slice *s, const struct node *node) {
    return slice_keeps_node(s, node) || slice_find(s, DEMAND_JUMP, node->id, 0) >= 0;
}

bool slice_keeps_call(const struct slice *s, const struct call *call) {
    return slice_find(s, DEMAND_CALL, call->id, 0) >= 0;
}

bool slice_keeps_payload(const struct slice *s, const struct call *call) {
    return slice_find(s, DEMAND_PAYLOAD, call->id, PAYLOAD_ALL) >= 0 ||
           slice_find(s, DEMAND_PAYLOAD, call->id, PAYLOAD_FOR_OTHERS) >= 0 ||
           slice_find(s, DEMAND_PAYLOAD, call->id, PAYLOAD_SENT) >= 0;
}

bool slice_keeps_device(const struct slice *s, const struct call *call) {
    return slice_find(s, DEMAND_DEVICE, call->id, 0) >= 0;
}

bool slice_keeps_argument(const struct slice *s, const struct call *call, int index) {
    return slice_find(s, DEMAND_ARGUMENT, call->id, index) >= 0;
}

bool slice_keeps_value(const struct slice *s, const struct node *node) {
    int index;
    if (s->cut == NULL || s->cut[node->id] == NULL || (s->echoes != NULL && s->echoes[node->id]))
        return false;
    const struct call *call = call_argument_find(node, s->cut[node->id], &index);
    if (call == NULL)
        return slice_keeps_node(s, node);
    if (call_argument_is_told(call, index))
        return slice_find(s, DEMAND_PAYLOAD, call->id, PAYLOAD_ALL) >= 0;
    return call_argument_is_sent(call, index) ? slice_keeps_payload(s, call)
                                              : slice_keeps_argument(s, call, index);
}

bool slice_declares(const struct slice *s, const struct object *object) {
    return slice_find(s, DEMAND_DECLARE, object->id, 0) >= 0;
}
