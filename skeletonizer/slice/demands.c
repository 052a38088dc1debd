/* SPDX-License-Identifier: Apache-2.0
 *
 * The backward closure, one rule per kind of demand (M. Weiser, Program slicing, 1981; with calls
 * as in S. Horwitz, T. Reps, D. Binkley, 1990, but without summary edges: a parameter is demanded
 * of all kept calls of its function).
 */
#include "skeletonizer/slice/demands.h"

#include "skeletonizer/pointsto/pointsto_moves.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/events.h"

#include <string.h>

#define TYPED_MAX_BYTES 64

static bool compatible(const struct slice *s, int one, int other) {
    return !s->assumptions.type_classes || one == CLASS_ANY || other == CLASS_ANY || one == other;
}

void demands_declare(struct slice *s, const struct object *object) {
    if (object->kind == OBJECT_VARIABLE || object->kind == OBJECT_FUNCTION)
        slice_add(s, DEMAND_DECLARE, object->id, 0);
}

static bool type_holds(const struct type *type, enum value_class class) {
    switch (type->kind) {
    case TYPE_INTEGER:
    case TYPE_FLOATING:
    case TYPE_POINTER:
        return type_class(type) == class;
    case TYPE_ARRAY:
        return type->element == NULL || type_holds(type->element, class);
    case TYPE_RECORD:
        for (int i = 0; i < type->field_count; i++)
            if (type_holds(type->fields[i].type, class))
                return true;
        return type->is_union || type->field_count == 0;
    default:
        return true;
    }
}

/* Larger objects may be work space for anything. */
bool demands_may_read(const struct slice *s, struct lvalue lvalue, int object_id) {
    const struct object *object = s->program->objects.items[object_id];
    return lvalue.ast == NULL || lvalue.class == CLASS_ANY || !s->types_tell ||
           object->kind != OBJECT_VARIABLE || object->type == NULL ||
           object->type->size_bytes > TYPED_MAX_BYTES || object->type->size_bytes == 0 ||
           type_holds(object->type, lvalue.class);
}

void demands_contents_at(struct slice *s, const struct node *node, struct lvalue lvalue) {
    int_list locations = {0};
    points_to_locations(s->points_to, lvalue, &locations);
    for (size_t i = 0; i < locations.count; i++) {
        int location = locations.items[i];
        if (!demands_may_read(s, lvalue, s->points_to->locations.items[location].object))
            continue;
        if (node != NULL)
            location = versions_at(s, node, location);
        slice_add(s, DEMAND_PLACE, location, (int)lvalue.class);
    }
    vec_dispose(&locations);
}

void demands_contents_of(struct slice *s, struct lvalue lvalue) {
    demands_contents_at(s, NULL, lvalue);
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

void demands_use(struct slice *s, struct node *node, struct lvalue lvalue) {
    if (lvalue.object < 0 || !flow_tracks(s->program->objects.items[lvalue.object])) {
        demands_contents_at(s, node, lvalue);
        return;
    }
    const struct object *object = s->program->objects.items[lvalue.object];
    demands_declare(s, object);
    if (node->function == NULL)
        return;
    node_list definitions = {0};
    flow_reaching(&s->flow, node, object, &definitions);
    if (defines_on_the_way(node, object))
        vec_push(&definitions, node);
    for (size_t i = 0; i < definitions.count; i++) {
        const struct node *definition = definitions.items[i];
        if (definition->kind == NODE_ENTRY && object->parameter < 0)
            continue; /* not initialised on some way here */
        if (definition->kind == NODE_ENTRY)
            slice_add(s, DEMAND_PARAMETER, definition->function->id, object->parameter);
        else
            slice_add(s, DEMAND_NODE, definition->id, 0);
    }
    vec_dispose(&definitions);
}

void demands_use_all(struct slice *s, struct node *node, const lvalue_list *uses) {
    for (size_t i = 0; i < uses->count; i++)
        demands_use(s, node, uses->items[i]);
}

void demands_declare_all(struct slice *s, const object_list *objects) {
    for (size_t i = 0; i < objects->count; i++)
        demands_declare(s, objects->items[i]);
}

/* Control */

static bool is_predicate(const struct node *node) {
    return node->kind == NODE_CONDITION || node->kind == NODE_LOOP || node->kind == NODE_SWITCH;
}

void demands_control(struct slice *s, const struct node *node) {
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

/* Nodes */

void demands_set_around(const struct slice *s, bool around) {
    if (s->graph != NULL)
        s->graph->around = around;
}

static bool is_in_part(const struct ast *ast, const struct ast *part) {
    return ast != NULL && part != NULL && ast->range.file == part->range.file &&
           ast->range.begin >= part->range.begin && ast->range.end <= part->range.end;
}

/* What the node reads and calls, inside a part of it or outside. */
static void operands(struct slice *s, struct node *node, const struct ast *part, bool inside) {
    s->why = "is read here";
    for (size_t i = 0; i < node->uses.count; i++)
        if (is_in_part(node->uses.items[i].ast, part) == inside)
            demands_use(s, node, node->uses.items[i]);
    for (size_t i = 0; i < node->calls.count; i++) {
        struct call *inner = node->calls.items[i];
        if (inner->within != NULL || is_in_part(inner->ast, part) != inside)
            continue; /* comes with the argument that it is part of */
        s->why = "gives a value that is used here";
        slice_add(s, demands_needs_value(inner) ? DEMAND_VALUE : DEMAND_CALL, inner->id, 0);
    }
}

/* The part that is given; else that which could be, while edges are recorded. */
static const struct ast *value_part(const struct slice *s, const struct node *node) {
    if (s->cut != NULL && s->cut[node->id] != NULL)
        return s->cut[node->id];
    const struct ast *part = s->graph != NULL ? s->graph->parts[node->id] : NULL;
    int index;
    return call_argument_find(node, part, &index) == NULL ? part : NULL;
}

bool demands_is_given(const struct slice *s, const struct call *call, int index) {
    return s->cut != NULL && s->cut[call->node->id] == call->arguments.items[index].ast;
}

/* While edges are recorded: the argument, or what it sends, could be given. */
static bool demands_could_give(const struct slice *s, const struct call *call, int index) {
    return s->graph != NULL && s->graph->parts[call->node->id] == call->arguments.items[index].ast;
}

void demands_already_sent(struct slice *s, struct node *node, const lvalue_list *uses) {
    if (s->echoes == NULL || !s->echoes[node->id])
        return;
    for (size_t i = 0; i < uses->count; i++) {
        struct lvalue use = uses->items[i];
        if (!is_in_part(use.ast, s->cut[node->id]))
            continue;
        if (use.object >= 0 && !flow_tracks(s->program->objects.items[use.object]))
            demands_declare(s, s->program->objects.items[use.object]);
        else if (use.object >= 0)
            demands_use(s, node, use);
    }
}

static void node(struct slice *s, struct node *node) {
    const struct ast *part = value_part(s, node);
    demands_set_around(s, true);
    demands_control(s, node);
    operands(s, node, part, false);
    demands_set_around(s, false);
    if (part != NULL && (s->cut == NULL || s->cut[node->id] == NULL))
        operands(s, node, part, true);
    s->why = "is read here";
    demands_already_sent(s, node, &node->uses);
    demands_declare_all(s, &node->addresses);
    if (node->declares != NULL)
        demands_declare(s, node->declares);
    for (size_t i = 0; node->opaque && i < node->moves.count; i++)
        demands_contents_of(s, node->moves.items[i].from);
}

/* Contents of memory */

static struct event_sources *sources_of(struct slice *s, struct event *event) {
    if (event->sources != NULL)
        return event->sources;
    int_list all = {0};
    event->sources = ARENA_NEW(&s->arena, struct event_sources);
    points_to_locations(s->points_to, event->from, &all);
    for (size_t i = 0; i < all.count; i++) {
        bool whole = s->points_to->locations.items[all.items[i]].stride_bytes == 1;
        vec_push(whole ? &event->sources->whole : &event->sources->others, all.items[i]);
    }
    vec_dispose(&all);
    return event->sources;
}

/* Each of them as such, unless that has been done. */
static void demand_sources(struct slice *s, const int_list *sources, int class, unsigned *done) {
    if (s->graph == NULL && done[class] == s->generation + 1)
        return;
    done[class] = s->generation + 1;
    for (size_t i = 0; i < sources->count; i++)
        slice_add(s, DEMAND_PLACE, sources->items[i], class);
}

static void copy_event(struct slice *s, struct location wanted, int class,
                       const struct event_at *at) {
    struct event_sources *sources = sources_of(s, at->event);
    struct location_shift shift =
        location_shift_of(wanted, s->points_to->locations.items[at->location]);
    demand_sources(s, &sources->whole, class, sources->whole_done);
    if (shift.is_anywhere) {
        demand_sources(s, &sources->others, class, sources->others_done);
        return;
    }
    for (size_t i = 0; i < sources->others.count; i++) {
        struct location from = s->points_to->locations.items[sources->others.items[i]];
        int part = moves_intern_bounded(s->points_to, location_shifted(from, shift), &s->parts,
                                        DEMANDS_PARTS_MOST);
        slice_add(s, DEMAND_PLACE, part, class);
    }
}

/* memcpy into memory without a declared type takes the effective type along (C11, 6.5); into a
 * variable it may turn a double into an int. */
static int copied_class(const struct slice *s, struct location wanted, int class) {
    const struct object *object = s->program->objects.items[wanted.object];
    return object->kind == OBJECT_VARIABLE ? CLASS_ANY : class;
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
                      const struct event_at *at) {
    const struct event *event = at->event;
    const struct function *function = event->node != NULL   ? event->node->function
                                      : event->call != NULL ? event->call->node->function
                                                            : event->function;
    if (function != NULL && !function->is_live)
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
        copy_event(s, wanted, class, at);
        break;
    case EVENT_PARAMETER:
        slice_add(s, DEMAND_PARAMETER, event->function->id, event->detail);
        for (size_t i = 0; i < s->callers[event->function->id].count; i++) {
            struct call *caller = s->callers[event->function->id].items[i];
            if (slice_keeps_call(s, caller) && caller->targets.count > 0 &&
                (size_t)event->detail < caller->arguments.count &&
                caller->arguments.items[event->detail].is_aggregate)
                demands_record(s, caller, event->detail, wanted, class);
        }
        return;
    case EVENT_CALL:
        slice_add(s, DEMAND_CALL, event->call->id, 0);
        break;
    case EVENT_DEVICE:
        s->why = "brings from a device what is needed";
        slice_add(s, DEMAND_DEVICE, event->call->id, 0);
        break;
    case EVENT_COPY:
        slice_add(s, DEMAND_CALL, event->call->id, 0);
        copy_event(s, wanted, copied_class(s, wanted, class), at);
        break;
    case EVENT_PAYLOAD:
        s->why = "receives what is needed";
        slice_add(s, DEMAND_PAYLOAD, event->call->id, PAYLOAD_ALL);
        demands_sent_part(s, wanted, s->points_to->locations.items[at->location], event->call);
        break;
    case EVENT_SENT:
        s->why = "has sent what is still there";
        slice_add(s, DEMAND_PAYLOAD, event->call->id, PAYLOAD_SENT);
        break;
    case EVENT_RESULT:
        result_event(s, wanted, class, event->call);
        break;
    }
    demands_chain(s, function, wanted.object);
}

/* What the event demands is the same for each location in the object that it may write. */
static bool is_same_for_all_locations(const struct event *event) {
    return event->kind == EVENT_NODE || event->kind == EVENT_CALL || event->kind == EVENT_DEVICE ||
           event->kind == EVENT_SENT;
}

/* All that it demands has been demanded for another location in the object, and is there yet. */
static bool is_raised(const struct slice *s, const struct event_at *at) {
    return s->graph == NULL && at->raised == s->generation + 1;
}

static void mark_raised(const struct slice *s, struct event_at *at) {
    if (s->generation < EVENT_RAISED_MOST && is_same_for_all_locations(at->event))
        at->raised = s->generation + 1;
}

static void events_of(struct slice *s, struct location wanted, int class) {
    s->why = "holds what is needed";
    demands_declare(s, s->program->objects.items[wanted.object]);
    const struct event_list *list = events_of_object(s, wanted.object);
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        struct event_at *at = &list->items.items[i];
        if (is_raised(s, at) ||
            !location_overlap(s->points_to->locations.items[at->location], wanted) ||
            !compatible(s, class, (int)at->class) || !versions_see(s, wanted, at->event))
            continue;
        one_event(s, wanted, class, at);
        mark_raised(s, at);
    }
}

/* Also what is written through clones of a heap block, and through those that it is a clone of. */
static void demand_location(struct slice *s, struct location wanted, int class) {
    const struct points_to *p = s->points_to;
    int object = wanted.object;
    events_of(s, wanted, class);
    while ((size_t)wanted.object < p->clone_of.count && p->clone_of.items[wanted.object] != NULL) {
        wanted.object = p->clone_of.items[wanted.object]->id;
        events_of(s, wanted, class);
    }
    const int_list *clones = points_to_clones(p, object);
    for (size_t i = 0; clones != NULL && i < clones->count; i++) {
        wanted.object = clones->items[i];
        events_of(s, wanted, class);
    }
}

/* A static object is declared with its initialiser, and with what that names. */
static void declaration(struct slice *s, const struct object *object) {
    s->why = "is named in a declaration";
    demands_declare_all(s, &object->named);
    s->why = "is the declaration of what is used";
    if (object->declared_by != NULL)
        slice_add(s, DEMAND_NODE, object->declared_by->id, 0);
    const struct event_list *list = events_of_object(s, object->id);
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        const struct event *event = list->items.items[i].event;
        if (event->node != NULL && event->node->kind == NODE_INITIALISE &&
            event->node->declares == object)
            slice_add(s, DEMAND_NODE, event->node->id, 0);
    }
}

/* Messages */

/* The argument behind which what all ranks were told is given, or could be: then what is sent does
 * not matter. -1: there is none. */
static int find_told(const struct slice *s, const struct call *call) {
    for (int i = 0; i < (int)call->arguments.count; i++)
        if (call_argument_is_told(call, i) &&
            (demands_is_given(s, call, i) || demands_could_give(s, call, i)))
            return i;
    return -1;
}

static void payload_told(struct slice *s, struct call *call, int told) {
    demands_set_around(s, true);
    s->why = "is the message whose contents are needed";
    slice_add(s, DEMAND_CALL, call->id, 0);
    s->why = "is where a number is given";
    demands_evaluate(s, call, told);
    demands_set_around(s, false);
}

/* What is sent may be given; all else that the message takes goes around that. */
static void payload(struct slice *s, struct call *call, enum payload_side side) {
    int told = side == PAYLOAD_ALL ? find_told(s, call) : -1;
    if (told >= 0)
        payload_told(s, call, told);
    if (told >= 0 && demands_is_given(s, call, told))
        return;
    bool around = false;
    for (int i = 0; i < (int)call->arguments.count; i++)
        around = around || (demands_could_give(s, call, i) && call_argument_is_sent(call, i));
    demands_set_around(s, around);
    s->why = "is the message whose contents are needed";
    slice_add(s, DEMAND_CALL, call->id, 0);
    s->why = "is the buffer of a message whose contents are needed";
    for (int i = 0; i < call->mpi->parameter_count && i < (int)call->arguments.count; i++) {
        enum mpi_role role = call->mpi->parameters[i].role;
        if (!mpi_role_is_payload(role))
            continue;
        demands_evaluate(s, call, i);
        demands_set_around(s, around && !demands_could_give(s, call, i));
        if (mpi_role_reads(role) && !demands_is_given(s, call, i) &&
            !demands_stays_in_place(s, call) && !demands_is_sent_in_place(s, call))
            demands_sent(s, call, i);
        demands_set_around(s, around);
    }
    s->why = "sends what is needed";
    if (side != PAYLOAD_SENT)
        demands_match(s, call);
}

void demands_raise(struct slice *s, struct demand demand) {
    const struct program *program = s->program;
    s->why = NULL; /* that of the demand before is not the reason of any of these */
    switch (demand.kind) {
    case DEMAND_NODE:
        node(s, program->nodes.items[demand.subject]);
        return;
    case DEMAND_JUMP:
        demands_control(s, program->nodes.items[demand.subject]);
        return;
    case DEMAND_DEVICE:
        s->why = "brings from a device what is needed";
        slice_add(s, DEMAND_CALL, demand.subject, 0);
        return;
    case DEMAND_CALL:
        demands_call(s, program->calls.items[demand.subject]);
        return;
    case DEMAND_VALUE:
        demands_value(s, program->calls.items[demand.subject]);
        return;
    case DEMAND_PLACE:
        demand_location(s, s->points_to->locations.items[demand.subject], demand.detail);
        return;
    case DEMAND_PARAMETER:
        demands_parameter(s, program->functions.items[demand.subject], demand.detail);
        return;
    case DEMAND_CHAIN:
        demands_follow_chain(s, program->functions.items[demand.subject], demand.detail);
        return;
    case DEMAND_PAYLOAD:
        payload(s, program->calls.items[demand.subject], (enum payload_side)demand.detail);
        return;
    case DEMAND_DECLARE:
        declaration(s, program->objects.items[demand.subject]);
        return;
    case DEMAND_ARGUMENT:
        demands_argument(s, program->calls.items[demand.subject], demand.detail);
        return;
    }
}
