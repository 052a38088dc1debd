/* SPDX-License-Identifier: Apache-2.0
 *
 * The backward closure, one rule per kind of demand (M. Weiser, Program slicing, 1981; with calls
 * as in S. Horwitz, T. Reps, D. Binkley, 1990, but without summary edges: a parameter is demanded
 * of all kept calls of its function).
 */
#include "skeletonizer/demands.h"

#include "skeletonizer/events.h"

#include <string.h>

static bool compatible(const struct slice *s, int one, int other) {
    return !s->assumptions.type_classes || one == CLASS_ANY || other == CLASS_ANY || one == other;
}

static void declare(struct slice *s, const struct object *object) {
    if (object->kind == OBJECT_VARIABLE || object->kind == OBJECT_FUNCTION)
        slice_add(s, DEMAND_DECLARE, object->id, 0);
}

static void demand_place(struct slice *s, struct place place) {
    int_list locations = {0};
    points_to_locations(s->points_to, place, &locations);
    for (size_t i = 0; i < locations.count; i++)
        slice_add(s, DEMAND_PLACE, locations.items[i], (int)place.class);
    vec_dispose(&locations);
}

/* The node's own assignment to the object is what the statement is for; any other assignment inside
 * it (a comma, an increment in an argument) may come before the use. */
static bool defines_on_the_way(const struct node *node, const struct object *object) {
    const struct ast *ast = node->ast;
    size_t hits = 0;
    for (size_t i = 0; i < node->defines.count; i++)
        hits += node->defines.items[i].object == object->id;
    if (hits == 0 || ast == NULL)
        return false;
    bool assignment =
        (ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0) || ast->kind == AST_COMPOUND_ASSIGN;
    bool own = (assignment && ast->kids[0]->kind == AST_REFERENCE &&
                ast->kids[0]->declaration == object->declaration) ||
               node->declares == object;
    return !own || hits > 1;
}

void demands_use(struct slice *s, struct node *node, struct place place) {
    if (place.object < 0 || !flow_tracks(s->program->objects.items[place.object])) {
        demand_place(s, place);
        return;
    }
    const struct object *object = s->program->objects.items[place.object];
    declare(s, object);
    if (node->function == NULL)
        return;
    node_list definitions = {0};
    flow_reaching(&s->flow, node, object, &definitions);
    if (defines_on_the_way(node, object))
        vec_push(&definitions, node);
    for (size_t i = 0; i < definitions.count; i++) {
        const struct node *definition = definitions.items[i];
        if (definition->kind == NODE_ENTRY)
            slice_add(s, DEMAND_PARAMETER, definition->function->id, object->parameter);
        else
            slice_add(s, DEMAND_NODE, definition->id, 0);
    }
    vec_dispose(&definitions);
}

static void use_all(struct slice *s, struct node *node, const place_list *uses) {
    for (size_t i = 0; i < uses->count; i++)
        demands_use(s, node, uses->items[i]);
}

static void declare_all(struct slice *s, const object_list *objects) {
    for (size_t i = 0; i < objects->count; i++)
        declare(s, objects->items[i]);
}

/* Control */

static bool is_predicate(const struct node *node) {
    return node->kind == NODE_CONDITION || node->kind == NODE_LOOP || node->kind == NODE_SWITCH;
}

static void raise_control(struct slice *s, const struct node *node) {
    if (node->function == NULL)
        return;
    s->why = "decides whether it is executed";
    const node_list *controllers = flow_controllers(&s->flow, node);
    for (size_t i = 0; i < controllers->count; i++) {
        const struct node *controller = controllers->items[i];
        slice_add(s, controller->kind == NODE_RETURN ? DEMAND_JUMP : DEMAND_NODE, controller->id,
                  0);
    }
    s->why = "is the statement around it";
    for (const struct tree *tree = node->tree; tree != NULL; tree = tree->parent)
        for (size_t i = 0; i < tree->nodes.count; i++)
            if (tree->nodes.items[i] != node && is_predicate(tree->nodes.items[i]))
                slice_add(s, DEMAND_NODE, tree->nodes.items[i]->id, 0);
}

/* Calls */

void demands_close_reach(const struct slice *s, bool *reached) {
    const struct points_to *p = s->points_to;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t object = 0; object < p->cells_of.count; object++) {
            if (!reached[object])
                continue;
            for (size_t i = 0; i < p->cells_of.items[object].count; i++) {
                const int_list *stored = &p->cells.items[p->cells_of.items[object].items[i]];
                for (size_t k = 0; k < stored->count; k++) {
                    bool *target = &reached[p->locations.items[stored->items[k]].object];
                    changed = changed || !*target;
                    *target = true;
                }
            }
        }
    }
}

static void reach_value(const struct slice *s, int variable, bool *reached) {
    const int_list *targets = points_to_targets(s->points_to, variable);
    for (size_t i = 0; targets != NULL && i < targets->count; i++)
        reached[s->points_to->locations.items[targets->items[i]].object] = true;
}

static const bool *reach_of(struct slice *s, const struct call *call) {
    if (s->reach_of[call->id] != NULL)
        return s->reach_of[call->id];
    size_t count = s->program->objects.count;
    bool *reached = memset(xmalloc(count + 1), 0, count + 1);
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        reach_value(s, argument->value, reached);
        if (argument->is_aggregate && argument->aggregate.object >= 0)
            reached[argument->aggregate.object] = true;
        if (argument->is_aggregate && argument->aggregate.object < 0)
            reach_value(s, argument->aggregate.pointer, reached);
    }
    demands_close_reach(s, reached);
    s->reach_of[call->id] = reached;
    return reached;
}

static void raise_chain(struct slice *s, const struct function *function, int object_id) {
    const struct object *object = s->program->objects.items[object_id];
    bool local = object->kind == OBJECT_VARIABLE && object->function == function;
    if (function != NULL && !local)
        slice_add(s, DEMAND_CHAIN, function->id, object_id);
}

static bool is_live_call(const struct slice *s, const struct call *call) {
    return call->node->function != NULL && s->live[call->node->function->id];
}

static void chain(struct slice *s, const struct function *function, int object_id) {
    s->why = "calls a function that changes what is needed";
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        struct call *call = s->callers[function->id].items[i];
        bool library = call->targets.count == 0;
        /* A block that a function allocates is a local of its; only its callers' callers see it. */
        bool fresh = s->program->objects.items[object_id]->kind == OBJECT_HEAP ||
                     s->program->objects.items[object_id]->kind == OBJECT_CALL_RESULT;
        if (!is_live_call(s, call))
            continue;
        if (library || fresh || s->global_reachable[object_id] || reach_of(s, call)[object_id]) {
            slice_add(s, DEMAND_CALL, call->id, 0);
            raise_chain(s, call->node->function, object_id);
        }
    }
}

static void evaluate_argument(struct slice *s, struct call *call, int index) {
    if ((size_t)index >= call->arguments.count)
        return;
    slice_add(s, DEMAND_ARGUMENT, call->id, index);
}

/* Of a record that a call returns, only the members that are read are demanded. */
static bool needs_value(const struct call *call) {
    return call->type->kind != TYPE_VOID && call->type->kind != TYPE_RECORD;
}

static void argument(struct slice *s, struct call *call, int index) {
    struct argument *argument = &call->arguments.items[index];
    s->why = "is an argument of a call";
    use_all(s, call->node, &argument->uses);
    declare_all(s, &argument->addresses);
    for (size_t i = 0; i < argument->calls.count; i++) {
        const struct call *inner = argument->calls.items[i];
        slice_add(s, needs_value(inner) ? DEMAND_VALUE : DEMAND_CALL, inner->id, 0);
    }
    if (argument->is_aggregate && call->targets.count == 0)
        demand_place(s, argument->aggregate);
}

/* The part of a record argument that corresponds to a demanded part of the parameter. */
static void record_argument(struct slice *s, struct call *call, int index, struct location wanted,
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
            record_argument(s, call, index, wanted, demand.detail);
    }
}

static void contents(struct slice *s, const struct argument *argument, enum value_class class,
                     bool whole) {
    struct place place = events_pointee(argument, class);
    if (argument->value < 0)
        return;
    if (whole)
        place.length_bytes = 0;
    demand_place(s, place);
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

/* A payload that MPI moves: its contents are no criterion. */
static bool is_message(const struct call *call, enum mpi_role role) {
    return mpi_role_is_payload(role) && call->mpi->criterion && call->mpi->class != MPI_CLASS_RMA &&
           role != MPI_ROLE_BUFFER;
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

static void mpi_arguments(struct slice *s, struct call *call) {
    for (int i = 0; i < (int)call->arguments.count; i++) {
        enum mpi_role role =
            i < call->mpi->parameter_count ? call->mpi->parameters[i].role : MPI_ROLE_VALUE;
        const struct argument *argument = &call->arguments.items[i];
        if (is_message(call, role) && is_memory(s, argument))
            continue;
        evaluate_argument(s, call, i);
        if (!is_message(call, role) && mpi_role_reads(role))
            contents(s, argument, CLASS_ANY, reads_whole_array(role) || mpi_role_is_payload(role));
    }
}

static void demand_state(struct slice *s, const char *name) {
    struct object *state = points_to_state(s->points_to, name);
    demand_place(s, (struct place){.object = state->id, .pointer = -1});
}

static void library_arguments(struct slice *s, struct call *call) {
    const struct extern_function *library = call->library;
    if (library->kind == EXTERN_EXIT)
        return; /* that the program ends here matters, not with which status */
    for (int i = 0; i < (int)call->arguments.count; i++) {
        struct extern_parameter parameter = extern_argument(library, i);
        evaluate_argument(s, call, i);
        if (extern_effect_reads(parameter.effect))
            contents(s, &call->arguments.items[i], CLASS_ANY, false);
    }
    if (library->kind == EXTERN_STATE)
        demand_state(s, library->state != NULL ? library->state : library->name);
    if (library->kind == EXTERN_INPUT && library->stream >= 0)
        contents(s, &call->arguments.items[library->stream], CLASS_ANY, true);
}

static void unknown_arguments(struct slice *s, struct call *call) {
    for (int i = 0; i < (int)call->arguments.count; i++) {
        evaluate_argument(s, call, i);
        contents(s, &call->arguments.items[i], CLASS_ANY, true);
    }
    const bool *reached = reach_of(s, call);
    for (size_t object = 0; object < s->program->objects.count; object++)
        if (reached[object])
            demand_place(s, (struct place){.object = (int)object, .pointer = -1});
}

static bool parameter_demanded(const struct slice *s, const struct function *function, int index) {
    return slice_find(s, DEMAND_PARAMETER, function->id, index) >= 0;
}

static void program_arguments(struct slice *s, struct call *call) {
    for (size_t i = 0; i < call->targets.count; i++) {
        const struct function *function = call->targets.items[i];
        int known = (int)function->parameters.count;
        for (int k = 0; k < (int)call->arguments.count; k++) {
            if (k >= known || parameter_demanded(s, function, k))
                evaluate_argument(s, call, k);
            if (k < known && call->arguments.items[k].is_aggregate)
                record_arguments(s, call, function, k);
            else if (call->arguments.items[k].is_aggregate)
                demand_place(s, call->arguments.items[k].aggregate);
        }
    }
}

/* Functions that the library calls back: what they return is part of what it does. */
static void callbacks(struct slice *s, const struct call *call) {
    for (size_t f = 0; f < s->program->functions.count; f++) {
        const struct function *function = s->program->functions.items[f];
        bool called = false;
        for (size_t i = 0; i < s->callers[f].count; i++)
            called = called || s->callers[f].items[i] == call;
        bool operation = call->mpi != NULL && call->mpi->class == MPI_CLASS_OPERATION;
        for (size_t k = 0; called && !operation && k < function->nodes.count; k++)
            slice_add(s, DEMAND_NODE, function->nodes.items[k]->id, 0);
    }
}

static void call(struct slice *s, struct call *call) {
    raise_control(s, call->node);
    s->why = "holds a call that cannot be moved out of it";
    if (call->conditional || call->node->kind == NODE_LOOP || call->node->opaque ||
        call->node->kind == NODE_INITIALISE)
        slice_add(s, DEMAND_NODE, call->node->id, 0);
    s->why = "tells which function is called";
    use_all(s, call->node, &call->callee_uses);
    s->why = "is an argument of a call";
    if (call->targets.count > 0) {
        program_arguments(s, call);
        return;
    }
    if (call->mpi != NULL)
        mpi_arguments(s, call);
    else if (call->library != NULL)
        library_arguments(s, call);
    else
        unknown_arguments(s, call);
    s->why = "is called back";
    callbacks(s, call);
}

static void value(struct slice *s, struct call *call) {
    s->why = "gives the value that is needed";
    slice_add(s, DEMAND_CALL, call->id, 0);
    for (size_t i = 0; i < call->targets.count; i++)
        demand_place(s,
                     (struct place){.object = call->targets.items[i]->result->id, .pointer = -1});
}

static void parameter(struct slice *s, const struct function *function, int index) {
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        struct call *call = s->callers[function->id].items[i];
        s->why = "is passed to a parameter that is needed";
        if (!slice_keeps_call(s, call))
            continue;
        if (call->targets.count > 0)
            evaluate_argument(s, call, index);
        for (size_t k = 0; call->targets.count == 0 && k < call->arguments.count; k++)
            contents(s, &call->arguments.items[k], CLASS_ANY, true);
    }
}

/* Nodes */

static void node(struct slice *s, struct node *node) {
    raise_control(s, node);
    s->why = "is read here";
    use_all(s, node, &node->uses);
    declare_all(s, &node->addresses);
    if (node->declares != NULL)
        declare(s, node->declares);
    for (size_t i = 0; i < node->calls.count; i++) {
        struct call *inner = node->calls.items[i];
        if (inner->within != NULL) /* comes with the argument that it is part of */
            continue;
        s->why = "gives a value that is used here";
        slice_add(s, needs_value(inner) ? DEMAND_VALUE : DEMAND_CALL, inner->id, 0);
    }
    for (size_t i = 0; node->opaque && i < node->moves.count; i++)
        demand_place(s, node->moves.items[i].from);
}

/* Contents of memory */

static void copy_event(struct slice *s, struct location wanted, int class,
                       const struct event *event) {
    int_list sources = {0};
    points_to_locations(s->points_to, event->from, &sources);
    struct location to = s->points_to->locations.items[event->location];
    for (size_t i = 0; i < sources.count; i++) {
        struct location from = s->points_to->locations.items[sources.items[i]];
        struct location part = location_translate(wanted, to, from);
        slice_add(s, DEMAND_PLACE, points_to_intern(s->points_to, part), class);
    }
    vec_dispose(&sources);
}

static void result_event(struct slice *s, struct location wanted, int class, struct call *call) {
    slice_add(s, DEMAND_CALL, call->id, 0);
    for (size_t i = 0; i < call->targets.count; i++) {
        struct location part = wanted;
        part.object = call->targets.items[i]->result->id;
        slice_add(s, DEMAND_PLACE, points_to_intern(s->points_to, part), class);
    }
}

static void one_event(struct slice *s, struct location wanted, int class,
                      const struct event *event) {
    const struct function *function = event->node != NULL   ? event->node->function
                                      : event->call != NULL ? event->call->node->function
                                                            : event->function;
    if (function != NULL && !s->live[function->id])
        return;
    const struct node *node = event->node != NULL   ? event->node
                              : event->call != NULL ? event->call->node
                                                    : NULL;
    if (node != NULL && node->ends_abnormally)
        return;
    s->why = "writes what is needed";
    switch (event->kind) {
    case EVENT_NODE:
        slice_add(s, DEMAND_NODE, event->node->id, 0);
        break;
    case EVENT_MOVE:
        slice_add(s, DEMAND_NODE, event->node->id, 0);
        copy_event(s, wanted, class, event);
        break;
    case EVENT_PARAMETER:
        slice_add(s, DEMAND_PARAMETER, event->function->id, event->detail);
        for (size_t i = 0; i < s->callers[event->function->id].count; i++) {
            struct call *caller = s->callers[event->function->id].items[i];
            if (slice_keeps_call(s, caller) && caller->targets.count > 0 &&
                (size_t)event->detail < caller->arguments.count &&
                caller->arguments.items[event->detail].is_aggregate)
                record_argument(s, caller, event->detail, wanted, class);
        }
        return;
    case EVENT_CALL:
        slice_add(s, DEMAND_CALL, event->call->id, 0);
        break;
    case EVENT_COPY:
        slice_add(s, DEMAND_CALL, event->call->id, 0);
        copy_event(s, wanted, class, event);
        break;
    case EVENT_PAYLOAD:
        s->why = "receives what is needed";
        slice_add(s, DEMAND_PAYLOAD, event->call->id, 0);
        break;
    case EVENT_RESULT:
        result_event(s, wanted, class, event->call);
        break;
    }
    raise_chain(s, function, wanted.object);
}

static void events_of(struct slice *s, struct location wanted, int class) {
    const struct object *object = s->program->objects.items[wanted.object];
    declare(s, object);
    if ((size_t)wanted.object >= s->events.count || s->events.items[wanted.object] == NULL)
        return;
    const struct event_list *list = s->events.items[wanted.object];
    for (size_t i = 0; i < list->items.count; i++) {
        const struct event *event = &list->items.items[i];
        if (location_overlap(s->points_to->locations.items[event->location], wanted) &&
            compatible(s, class, (int)event->class))
            one_event(s, wanted, class, event);
    }
}

static void place(struct slice *s, struct location wanted, int class) {
    const struct points_to *p = s->points_to;
    events_of(s, wanted, class);
    int object = wanted.object;
    if ((size_t)object < p->clone_of.count && p->clone_of.items[object] != NULL) {
        wanted.object = p->clone_of.items[object]->id;
        events_of(s, wanted, class);
        return;
    }
    if ((size_t)object >= p->has_clones.count || !p->has_clones.items[object])
        return;
    for (size_t i = 0; i < p->clone_of.count; i++) {
        if (p->clone_of.items[i] == NULL || p->clone_of.items[i]->id != object)
            continue;
        wanted.object = (int)i;
        events_of(s, wanted, class);
    }
}

/* A static object is declared with its initialiser, and with what that names. */
static void declaration(struct slice *s, const struct object *object) {
    s->why = "is the declaration of what is used";
    if (object->declared_by != NULL)
        slice_add(s, DEMAND_NODE, object->declared_by->id, 0);
    if ((size_t)object->id >= s->events.count || s->events.items[object->id] == NULL)
        return;
    const struct event_list *list = s->events.items[object->id];
    for (size_t i = 0; i < list->items.count; i++) {
        const struct event *event = &list->items.items[i];
        if (event->node != NULL && event->node->kind == NODE_INITIALISE &&
            event->node->declares == object)
            slice_add(s, DEMAND_NODE, event->node->id, 0);
    }
}

/* Messages */

static void payload(struct slice *s, struct call *call) {
    slice_add(s, DEMAND_CALL, call->id, 0);
    s->why = "is the buffer of a message whose contents are needed";
    for (int i = 0; i < call->mpi->parameter_count && i < (int)call->arguments.count; i++) {
        enum mpi_role role = call->mpi->parameters[i].role;
        if (!mpi_role_is_payload(role))
            continue;
        evaluate_argument(s, call, i);
        if (mpi_role_reads(role))
            contents(s, &call->arguments.items[i], events_payload_class(s, call, i), true);
    }
    s->why = "sends what is needed";
    demands_match(s, call);
}

void demands_raise(struct slice *s, struct demand demand) {
    const struct program *program = s->program;
    switch (demand.kind) {
    case DEMAND_NODE:
        node(s, program->nodes.items[demand.subject]);
        return;
    case DEMAND_JUMP:
        raise_control(s, program->nodes.items[demand.subject]);
        return;
    case DEMAND_CALL:
        call(s, program->calls.items[demand.subject]);
        return;
    case DEMAND_VALUE:
        value(s, program->calls.items[demand.subject]);
        return;
    case DEMAND_PLACE:
        place(s, s->points_to->locations.items[demand.subject], demand.detail);
        return;
    case DEMAND_PARAMETER:
        parameter(s, program->functions.items[demand.subject], demand.detail);
        return;
    case DEMAND_CHAIN:
        chain(s, program->functions.items[demand.subject], demand.detail);
        return;
    case DEMAND_PAYLOAD:
        payload(s, program->calls.items[demand.subject]);
        return;
    case DEMAND_DECLARE:
        declaration(s, program->objects.items[demand.subject]);
        return;
    case DEMAND_ARGUMENT:
        argument(s, program->calls.items[demand.subject], demand.detail);
        return;
    }
}
