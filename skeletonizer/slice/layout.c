/* SPDX-License-Identifier: Apache-2.0
 *
 * All that writes the datatype's variable, and the arrays of lengths and displacements that it is
 * made of: constants (also offsetof), differences of addresses as MPI_Get_address tells them, and
 * extents. What is told of an address itself goes with MPI_BOTTOM, whose target is not known.
 *
 * Not handled: numbers in locals that loops count, arrays on the heap.
 */
#include "skeletonizer/slice/layout.h"

#include "base/str.h"
#include "skeletonizer/slice/element_types.h"
#include "skeletonizer/slice/events.h"

#include <string.h>

#define MOST_STEPS 200 /* from one number, array or datatype to the next */
#define MOST_OBJECTS 16

struct layout {
    const struct slice *slice;
    int steps_left;
    const struct function *maker;            /* of the datatype that is looked at */
    const struct object *seen[MOST_OBJECTS]; /* which are looked at, or have been */
    int seen_count;
};

static bool is_number(struct layout *l, const struct function *function, const struct ast *ast);

/* What is subtracted from it, or it from that. */
static bool is_address(struct layout *l, const struct function *function, const struct ast *ast) {
    if (ast->kind == AST_REFERENCE)
        return true;
    if (ast->kind == AST_SUBSCRIPT && !is_number(l, function, ast->kids[1]))
        return false;
    bool leads = ast->kind == AST_MEMBER || ast->kind == AST_SUBSCRIPT || ast->kind == AST_CAST ||
                 (ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0);
    return leads && ast->kid_count > 0 &&
           is_address(l, function, ast->kids[ast->kind == AST_CAST ? ast->kid_count - 1 : 0]);
}

static bool is_initialiser(struct layout *l, const struct function *function,
                           const struct ast *ast) {
    if (ast == NULL)
        return true;
    if (ast->kind != AST_INIT_LIST && ast->kind != AST_DESIGNATED)
        return is_number(l, function, ast);
    for (int i = 0; i < ast->kid_count; i++)
        if (!is_initialiser(l, function, ast->kids[i]))
            return false;
    return true;
}

static bool is_assigned_number(struct layout *l, const struct node *node) {
    static const char *const ops[] = {"=", "+=", "-=", NULL};
    const struct ast *ast = node->ast;
    if (ast == NULL)
        return false;
    if (ast->kind == AST_VARIABLE)
        return is_initialiser(l, node->function, ast->kids[0]);
    bool assigns = ast->kind == AST_BINARY || ast->kind == AST_COMPOUND_ASSIGN;
    return assigns && text_is_one_of(ast->op, ops) && is_number(l, node->function, ast->kids[1]);
}

/* On all ranks alike: in the function that makes the datatype, under no condition but that of a
 * loop up to a constant. */
static bool is_executed_alike(const struct layout *l, const struct node *node) {
    if (node == NULL || node->function != l->maker)
        return false;
    const node_list *controllers = flow_controllers(&l->slice->flow, node);
    for (size_t i = 0; i < controllers->count; i++) {
        const struct node *controller = controllers->items[i];
        const struct ast *ast = controller->ast;
        bool counts = controller->kind == NODE_LOOP && ast != NULL && ast->kind == AST_BINARY &&
                      strchr("<>", ast->op[0]) != NULL && ast->kids[1]->has_value;
        if (!counts && controller->kind != NODE_ENTRY)
            return false;
    }
    return true;
}

static bool is_event_of_numbers(struct layout *l, const struct event *event) {
    const struct node *node = event->call != NULL ? event->call->node : event->node;
    if (!is_executed_alike(l, node))
        return false;
    if (event->kind == EVENT_NODE)
        return is_assigned_number(l, event->node);
    return event->kind == EVENT_CALL && mpi_call_is(event->call->mpi, MPI_IS_MEASURE);
}

static const struct event_list *events_of(const struct slice *s, const struct object *object) {
    bool is_known = object != NULL && object->in_memory && object->kind == OBJECT_VARIABLE;
    return is_known ? events_of_object(s, object->id) : NULL;
}

/* A variable or an array of numbers; `places[1] = places[1] - begin` is one if the others are. */
static bool are_numbers(struct layout *l, const struct object *object) {
    const struct event_list *list = events_of(l->slice, object);
    for (int i = 0; i < l->seen_count; i++)
        if (l->seen[i] == object)
            return true;
    if (l->seen_count == MOST_OBJECTS)
        return false;
    l->seen[l->seen_count++] = object;
    for (size_t i = 0; list != NULL && i < list->items.count; i++)
        if (l->steps_left-- <= 0 || !is_event_of_numbers(l, list->items.items[i].event))
            return false;
    return list != NULL;
}

static bool is_variable(struct layout *l, const struct function *function, const struct ast *ast) {
    while (ast->kind == AST_SUBSCRIPT && ast->kids[0]->type->kind == TYPE_ARRAY)
        ast = ast->kids[0];
    return ast->kind == AST_REFERENCE && ast->declaration->kind == DECLARATION_VARIABLE &&
           are_numbers(l, program_object(l->slice->program, function, ast->declaration));
}

/* Of a member, and of no element of an array: what tells which is an expression. */
static bool is_offset_of_member(const struct layout *l, const struct ast *ast) {
    const char *text = program_text(l->slice->program, ast->range);
    return ast->kind == AST_OTHER && strchr(text, '[') == NULL &&
           (text_has_prefix(text, "offsetof") || text_has_prefix(text, "__builtin_offsetof"));
}

static bool is_number(struct layout *l, const struct function *function, const struct ast *ast) {
    static const char *const ops[] = {"+", "-", "*", NULL};
    if (ast->has_value || is_offset_of_member(l, ast))
        return true;
    if (l->steps_left-- <= 0)
        return false;
    switch (ast->kind) {
    case AST_CAST:
        return ast->kid_count > 0 && is_number(l, function, ast->kids[ast->kid_count - 1]);
    case AST_BINARY:
        if (strcmp(ast->op, "-") == 0 && ast->kids[0]->type->kind == TYPE_POINTER)
            return is_address(l, function, ast->kids[0]) && is_address(l, function, ast->kids[1]);
        return text_is_one_of(ast->op, ops) && is_number(l, function, ast->kids[0]) &&
               is_number(l, function, ast->kids[1]);
    case AST_REFERENCE:
    case AST_SUBSCRIPT:
        return is_variable(l, function, ast);
    default:
        return false;
    }
}

static bool is_datatype(struct layout *l, const struct call *call, int index);

/* Predefined ones, `MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}`: others are not looked into. */
static bool are_datatypes(const struct layout *l, const struct call *call, int index) {
    struct datatypes elements;
    datatypes_of_array(&elements, l->slice, call, index);
    return elements.count > 0;
}

static bool is_made_alike(struct layout *l, const struct call *call) {
    l->maker = call->node->function;
    for (int i = 0; i < call->mpi->parameter_count && i < (int)call->arguments.count; i++) {
        const struct ast *ast = call->arguments.items[i].ast;
        bool fits = true;
        switch (call->mpi->parameters[i].role) {
        case MPI_ROLE_DATATYPE:
            fits = is_datatype(l, call, i);
            l->maker = call->node->function;
            break;
        case MPI_ROLE_DATATYPES:
            fits = are_datatypes(l, call, i);
            break;
        case MPI_ROLE_DATATYPE_OUT:
            break;
        case MPI_ROLE_ARRAY_IN:
        case MPI_ROLE_RAGGED_IN:
        case MPI_ROLE_DISPLACEMENTS:
        case MPI_ROLE_COUNTS:
            fits = are_numbers(l, datatypes_variable(l->slice, call, i));
            break;
        default:
            fits = is_number(l, call->node->function, ast);
        }
        if (!fits)
            return false;
    }
    return true;
}

static bool is_datatype(struct layout *l, const struct call *call, int index) {
    if (events_handle(call, index) != NULL)
        return true;
    const struct event_list *list = events_of(l->slice, datatypes_variable(l->slice, call, index));
    int made = 0; /* ranks may choose among several */
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        const struct event *event = list->items.items[i].event;
        if (datatypes_is_none_yet(event))
            continue;
        if (l->steps_left-- <= 0 || event->kind != EVENT_CALL || event->call->mpi == NULL)
            return false;
        bool makes = mpi_call_parameter(event->call->mpi, MPI_ROLE_DATATYPE_OUT) >= 0;
        bool leaves = mpi_call_parameter(event->call->mpi, MPI_ROLE_DATATYPE_INOUT) >= 0;
        if (!leaves && !(makes && is_made_alike(l, event->call)))
            return false;
        made += !leaves;
    }
    return made == 1;
}

bool layout_is_same_everywhere(const struct slice *s, const struct call *call, int index) {
    struct layout layout = {.slice = s, .steps_left = MOST_STEPS};
    return index >= 0 && (size_t)index < call->arguments.count && is_datatype(&layout, call, index);
}

bool layout_has_attributes(const struct program *program) {
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->mpi != NULL && strcmp(call->mpi->name, "MPI_Type_create_keyval") == 0)
            return true;
    }
    return false;
}
