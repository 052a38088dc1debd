/* SPDX-License-Identifier: Apache-2.0
 *
 * What a kept call demands: that it is reached, and those of its arguments that matter, by the
 * parameters of the program's own functions, the roles of MPI's table, the rows of externs.def; and
 * of a function that nobody has described, everything.
 */
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/demands.h"

#include "skeletonizer/slice/events.h"

#include <string.h>

static void reach_value(int_list *roots, const struct slice *s, int variable) {
    int set = points_to_set(s->points_to, variable);
    if (set > 0)
        int_list_insert(roots, set);
}

/* Sets by their ids, and objects as what is below 0. */
static void find_roots(int_list *out, const struct slice *s, const struct call *call) {
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        reach_value(out, s, argument->value);
        if (argument->is_aggregate && argument->aggregate.object >= 0)
            int_list_insert(out, -1 - argument->aggregate.object);
        if (argument->is_aggregate && argument->aggregate.object < 0)
            reach_value(out, s, argument->aggregate.pointer);
    }
    if (call->targets.count == 0 && call->mpi == NULL && call->library == NULL)
        int_list_insert(out, -1 - s->points_to->outside->id); /* what earlier ones were given */
}

static const unsigned char *reach_of_roots(struct slice *s, const int_list *roots) {
    const struct points_to *p = s->points_to;
    unsigned char *objects = xcalloc(points_to_reach_bytes(s->points_to), 1);
    for (size_t i = 0; i < roots->count; i++) {
        const int_list *targets = sets_items(&p->sets, roots->items[i]);
        if (roots->items[i] < 0)
            object_set_add(objects, -1 - roots->items[i]);
        for (size_t k = 0; k < targets->count; k++)
            object_set_add(objects, p->locations.items[targets->items[k]].object);
    }
    const unsigned char *reached = points_to_reach(s->points_to, objects);
    free(objects);
    return reached;
}

/* A set of objects takes long to look up, and calls have few different arguments. */
static const unsigned char *reach_of(struct slice *s, const struct call *call) {
    if (s->reach_of[call->id] != NULL)
        return s->reach_of[call->id];
    int_list roots = {0};
    find_roots(&roots, s, call);
    const void *key = roots.count > 0 ? (const void *)roots.items : "";
    const unsigned char **known =
        hash_table_add(&s->reach_of_roots, key, roots.count * sizeof *roots.items, sizeof *known);
    if (*known == NULL)
        *known = reach_of_roots(s, &roots);
    vec_dispose(&roots);
    return s->reach_of[call->id] = *known;
}

static bool call_reaches(struct slice *s, const struct call *call, int object) {
    return (size_t)object < 8 * points_to_reach_bytes(s->points_to) &&
           object_set_has(reach_of(s, call), object);
}

void demands_chain(struct slice *s, const struct function *function, int object_id) {
    const struct object *object = s->program->objects.items[object_id];
    bool local = (object->kind == OBJECT_VARIABLE && object->function == function) ||
                 object->kind == OBJECT_RESULT || object->kind == OBJECT_CALL_RESULT;
    if (function != NULL && !local)
        slice_add(s, DEMAND_CHAIN, function->id, object_id);
}

static bool is_live_call(const struct call *call) {
    return call->node->function != NULL && call->node->function->is_live;
}

/* Memory that the function allocates and hands to nobody but as its result is reached by that
 * alone: who reads it needs the result. */
void demands_follow_chain(struct slice *s, const struct function *function, int object_id) {
    s->why = "calls a function that changes what is needed";
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        struct call *call = s->callers[function->id].items[i];
        bool library = call->targets.count == 0;
        if (!is_live_call(call))
            continue;
        if (library || s->global_reachable[object_id] || call_reaches(s, call, object_id)) {
            slice_add(s, DEMAND_CALL, call->id, 0);
            demands_chain(s, call->node->function, object_id);
        }
    }
}

void demands_evaluate(struct slice *s, struct call *call, int index) {
    if ((size_t)index >= call->arguments.count)
        return;
    slice_add(s, DEMAND_ARGUMENT, call->id, index);
}

/* Of a record that a call returns, only the members that are read are demanded. */
bool demands_needs_value(const struct call *call) {
    return call->type->kind != TYPE_VOID && call->type->kind != TYPE_RECORD;
}

void demands_argument(struct slice *s, struct call *call, int index) {
    struct argument *argument = &call->arguments.items[index];
    s->why = "is an argument of a call";
    if (demands_is_given(s, call, index) && !call_argument_is_contents(call, index)) {
        demands_already_sent(s, call->node, &argument->uses);
        return;
    }
    demands_use_all(s, call->node, &argument->uses);
    demands_declare_all(s, &argument->addresses);
    for (size_t i = 0; i < argument->calls.count; i++) {
        const struct call *inner = argument->calls.items[i];
        slice_add(s, demands_needs_value(inner) ? DEMAND_VALUE : DEMAND_CALL, inner->id, 0);
    }
    if (argument->is_aggregate && call->targets.count == 0)
        demands_contents_of(s, argument->aggregate);
}

/* The part of a record argument that corresponds to a demanded part of the parameter. */
void demands_record(struct slice *s, struct call *call, int index, struct location wanted,
                    int class) {
    const struct argument *argument = &call->arguments.items[index];
    int_list sources = {0};
    struct location parameter = {.object = wanted.object};
    points_to_locations(s->points_to, argument->aggregate, &sources);
    for (size_t i = 0; i < sources.count; i++) {
        struct location from = s->points_to->locations.items[sources.items[i]];
        struct location part = location_translate(wanted, parameter, from);
        slice_add(s, DEMAND_PLACE, points_to_intern(s->points_to, part), class);
    }
    vec_dispose(&sources);
}

/* All parts of the parameter that are demanded so far. */
static void record_arguments(struct slice *s, struct call *call, const struct function *function,
                             int index) {
    int object = function->parameters.items[index]->id;
    for (size_t i = 0; i < s->demands.count; i++) {
        struct demand demand = s->demands.items[i];
        if (demand.kind != DEMAND_PLACE)
            continue;
        struct location wanted = s->points_to->locations.items[demand.subject];
        if (wanted.object == object)
            demands_record(s, call, index, wanted, demand.detail);
    }
}

/* What the argument points to; `whole`: to the end of the object. */
static void demands_contents(struct slice *s, const struct argument *argument) {
    struct lvalue lvalue = events_pointee(argument, CLASS_ANY);
    lvalue.length_bytes = 0;
    if (argument->value >= 0)
        demands_contents_of(s, lvalue);
}

void demands_sent(struct slice *s, const struct call *call, int index) {
    const struct argument *argument = &call->arguments.items[index];
    struct lvalue lvalue = events_pointee(argument, events_payload_class(call, index));
    lvalue.length_bytes = 0;
    if (argument->value >= 0)
        demands_contents_at(s, versions_are_sent(call, argument) ? call->node : NULL, lvalue);
}

static bool reads_whole_array(enum mpi_role role) {
    switch (role) {
    case MPI_ROLE_COUNTS:
    case MPI_ROLE_DISPLACEMENTS:
    case MPI_ROLE_DATATYPES:
    case MPI_ROLE_ARRAY_IN:
    case MPI_ROLE_RAGGED_IN:
    case MPI_ROLE_STRING_IN:
    case MPI_ROLE_STRINGS_IN:
    case MPI_ROLE_ARRAY_INOUT:
    case MPI_ROLE_REQUESTS:
        return true;
    default:
        return false;
    }
}

/* MPI_IN_PLACE and MPI_BOTTOM are no memory, and a buffer of a datatype with absolute addresses is
 * where it is: such an argument stays. */
static bool is_memory(const struct slice *s, const struct argument *argument) {
    const int_list *targets = points_to_targets(s->points_to, argument->value);
    if (targets == NULL || targets->count == 0)
        return false;
    for (size_t i = 0; i < targets->count; i++) {
        int object = s->points_to->locations.items[targets->items[i]].object;
        const struct object *target = s->program->objects.items[object];
        if (target->kind == OBJECT_STATE && strcmp(target->name, "constant address") == 0)
            return false;
    }
    return true;
}

/* Of a call in a forwarder, whose text is not there to be rewritten, all arguments stay. */
static bool can_lack_buffers(const struct call *call) {
    return call->node->function == NULL || !call->node->function->forwards;
}

static void mpi_arguments(struct slice *s, struct call *call) {
    for (int i = 0; i < (int)call->arguments.count; i++) {
        enum mpi_role role =
            i < call->mpi->parameter_count ? call->mpi->parameters[i].role : MPI_ROLE_VALUE;
        const struct argument *argument = &call->arguments.items[i];
        if (events_is_message(call, role) && can_lack_buffers(call) && is_memory(s, argument))
            continue;
        demands_evaluate(s, call, i);
        if (events_is_message(call, role) || !mpi_role_reads(role) || argument->value < 0)
            continue;
        struct lvalue lvalue = events_pointee(argument, CLASS_ANY);
        if (reads_whole_array(role) || mpi_role_is_payload(role))
            lvalue.length_bytes = 0;
        demands_contents_at(s, mpi_role_is_payload(role) ? NULL : call->node, lvalue);
    }
}

static void window_contents(struct slice *s, const struct call *call) {
    for (int i = -1; (i = events_next_of_window(s, call, i + 1)) >= 0;)
        demands_contents_of(s, (struct lvalue){.object = i, .pointer = -1});
}

static void demand_state(struct slice *s, const char *name) {
    struct object *state = points_to_state(s->points_to, name);
    demands_contents_of(s, (struct lvalue){.object = state->id, .pointer = -1});
}

static void demand_listed(struct slice *s) {
    int_list targets = {0};
    points_to_stored(s->points_to, s->points_to->variable_arguments->id, &targets);
    for (size_t i = 0; i < targets.count; i++)
        slice_add(s, DEMAND_PLACE, targets.items[i], CLASS_ANY);
    vec_dispose(&targets);
}

/* What the pointers in what the variable points to point to. */
static void demand_pointed_to(struct slice *s, int variable) {
    const int_list *targets = points_to_targets(s->points_to, variable);
    int_list deeper = {0};
    for (size_t i = 0; i < targets->count; i++)
        points_to_stored(s->points_to, s->points_to->locations.items[targets->items[i]].object,
                         &deeper);
    for (size_t i = 0; i < deeper.count; i++)
        slice_add(s, DEMAND_PLACE, deeper.items[i], CLASS_ANY);
    vec_dispose(&deeper);
}

static void read_stream(struct slice *s, const struct call *call) {
    lvalue_list streams = {0};
    events_add_streams(&streams, s, call);
    for (size_t i = 0; i < streams.count; i++)
        demands_contents_of(s, streams.items[i]);
    vec_dispose(&streams);
    demands_match_stream(s, call);
}

/* What may have made, removed or renamed what the call's paths lead to. */
static void demand_names(struct slice *s, const struct call *call) {
    s->why = "changes what a path leads to";
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *other = s->program->calls.items[i];
        if (other == call || other->library == NULL || !other->library->changes_names ||
            other->targets.count > 0 || !is_live_call(other) || other->node->ends_abnormally ||
            !slice_may_precede(s, other, call))
            continue;
        slice_add(s, DEMAND_CALL, other->id, 0);
        demands_chain(s, other->node->function, s->points_to->files->id);
    }
}

/* All that is done with what the argument points to is to copy so many bytes of it: of these, who
 * needs some of the copy asks for just those (EVENT_COPY). Other functions, as those of strings,
 * read it for where it ends. */
static bool is_only_copied(const struct extern_function *library, int index) {
    bool counted = false, copied = false;
    for (int i = 0; i < library->parameter_count; i++) {
        const struct extern_parameter *parameter = &library->parameters[i];
        counted |= parameter->name != NULL && strcmp(parameter->name, "bytes") == 0;
        copied |= parameter->effect == EXTERN_COPY && parameter->other == index;
    }
    return library->parameter_count == 3 && counted && copied &&
           extern_argument(library, index).effect == EXTERN_READ;
}

static void library_arguments(struct slice *s, struct call *call) {
    const struct extern_function *library = call->library;
    if (library->kind == EXTERN_EXIT)
        return; /* that the program ends here matters, not with which status */
    for (int i = 0; i < (int)call->arguments.count; i++) {
        struct extern_parameter parameter = extern_argument(library, i);
        demands_evaluate(s, call, i);
        bool writes_back = parameter.effect == EXTERN_FREED && library->kind == EXTERN_OUTPUT;
        if ((extern_effect_reads(parameter.effect) || writes_back) &&
            call->arguments.items[i].value >= 0 && !is_only_copied(library, i))
            demands_contents_of(s, events_library_pointee(s, call, i));
        if (parameter.effect == EXTERN_LIST || parameter.effect == EXTERN_READ_LIST)
            demand_listed(s);
        if (parameter.effect == EXTERN_READ_DEEP && call->arguments.items[i].value >= 0)
            demand_pointed_to(s, call->arguments.items[i].value);
    }
    if (library->kind == EXTERN_STATE)
        demand_state(s, library->state);
    if (library->kind == EXTERN_INPUT && !s->assumptions.files_apart)
        demand_state(s, "files");
    if (library->kind == EXTERN_INPUT && library->stream >= 0)
        read_stream(s, call);
    if (library->follows_path)
        demand_names(s, call);
}

static void unknown_arguments(struct slice *s, struct call *call) {
    for (int i = 0; i < (int)call->arguments.count; i++) {
        demands_evaluate(s, call, i);
        demands_contents(s, &call->arguments.items[i]);
    }
    for (size_t object = 0; object < s->program->objects.count; object++)
        if (call_reaches(s, call, (int)object))
            demands_contents_of(s, (struct lvalue){.object = (int)object, .pointer = -1});
}

static bool parameter_demanded(const struct slice *s, const struct function *function, int index) {
    return slice_find(s, DEMAND_PARAMETER, function->id, index) >= 0;
}

static void program_arguments(struct slice *s, struct call *call) {
    for (size_t i = 0; i < call->targets.count; i++) {
        const struct function *function = call->targets.items[i];
        int known = (int)function->parameters.count;
        for (int k = 0; k < (int)call->arguments.count; k++) {
            if (k >= known || k < call->ast->pinned || parameter_demanded(s, function, k))
                demands_evaluate(s, call, k);
            if (k < known && call->arguments.items[k].is_aggregate)
                record_arguments(s, call, function, k);
            else if (call->arguments.items[k].is_aggregate)
                demands_contents_of(s, call->arguments.items[k].aggregate);
        }
    }
}

/* Functions that the library calls back: what they return is part of what it does. */
static void callbacks(struct slice *s, const struct call *call) {
    bool operation = call->mpi != NULL && call->mpi->class == MPI_CLASS_OPERATION;
    bool is_executed = call->node->function == NULL || call->node->function->is_live;
    if (call->callbacks.count == 0 || operation || !is_executed)
        return;
    for (size_t f = 0; f < s->program->functions.count; f++) {
        const struct function *function = s->program->functions.items[f];
        bool is_called_back = vec_has(&call->callbacks, function);
        for (size_t k = 0; is_called_back && k < function->nodes.count; k++)
            slice_add(s, DEMAND_NODE, function->nodes.items[k]->id, 0);
    }
}

static void calls_in_callee(struct slice *s, const struct call *call) {
    for (size_t i = 0; i < call->node->calls.count; i++)
        if (call_is_in_callee(call->node->calls.items[i], call))
            slice_add(s, DEMAND_VALUE, call->node->calls.items[i]->id, 0);
}

/* A function or a pointer by its name, a member, an element: no choice between functions, and
 * nothing that is changed on the way. */
static bool names_callee(const struct call *call) {
    const struct ast *ast = ast_without_casts(call->ast->kids[0]);
    while (ast->kid_count > 0 &&
           (ast->kind == AST_UNARY || ast->kind == AST_MEMBER || ast->kind == AST_SUBSCRIPT))
        ast = ast_without_casts(ast->kids[0]);
    return ast->kind == AST_REFERENCE || ast->kind == AST_CALL;
}

void demands_call(struct slice *s, struct call *call) {
    demands_set_around(s, true);
    demands_control(s, call->node);
    demands_set_around(s, false);
    s->why = "holds a call that cannot be moved out of it";
    if (call->conditional || call->node->kind == NODE_LOOP || call->node->opaque ||
        call->node->kind == NODE_INITIALISE || !names_callee(call))
        slice_add(s, DEMAND_NODE, call->node->id, 0);
    s->why = "tells which function is called";
    demands_use_all(s, call->node, &call->callee_uses);
    calls_in_callee(s, call);
    s->why = "is an argument of a call";
    if (call->targets.count > 0) {
        program_arguments(s, call);
        return;
    }
    if (call->never_made)
        return;
    if (call->mpi != NULL) {
        mpi_arguments(s, call);
        window_contents(s, call);
    } else if (call->library != NULL)
        library_arguments(s, call);
    else
        unknown_arguments(s, call);
    s->why = "is called back";
    callbacks(s, call);
}

void demands_value(struct slice *s, struct call *call) {
    s->why = "gives the value that is needed";
    slice_add(s, DEMAND_CALL, call->id, 0);
    for (size_t i = 0; i < call->targets.count; i++)
        demands_contents_of(
            s, (struct lvalue){.object = call->targets.items[i]->result->id, .pointer = -1});
}

void demands_parameter(struct slice *s, const struct function *function, int index) {
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        struct call *call = s->callers[function->id].items[i];
        s->why = "is passed to a parameter that is needed";
        if (!slice_keeps_call(s, call))
            continue;
        if (call->targets.count > 0)
            demands_evaluate(s, call, index);
        for (size_t k = 0; call->targets.count == 0 && k < call->arguments.count; k++)
            demands_contents(s, &call->arguments.items[k]);
    }
}

void demands_constructor(struct slice *s, const struct function *constructor) {
    s->why = "runs before main";
    for (size_t f = 0; constructor->definition->is_constructor && f < s->program->functions.count;
         f++) {
        const struct function *function = s->program->functions.items[f];
        for (size_t n = 0; slice_may_run(s, constructor, function) && n < function->nodes.count;
             n++)
            slice_add(s, DEMAND_NODE, function->nodes.items[n]->id, 0);
    }
}
