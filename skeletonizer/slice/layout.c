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

typedef VEC(const struct object *) seen_list;

/* Of a call that makes a datatype. */
struct layout {
    const struct slice *slice;
    const struct function *maker;
    seen_list numbers; /* variables that are looked at, or have been */
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
    if (!vec_push_new(&l->numbers, object))
        return true;
    for (size_t i = 0; list != NULL && i < list->items.count; i++)
        if (!is_event_of_numbers(l, list->items.items[i].event))
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

/* Predefined ones, `MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}`: others are not looked into. */
static bool are_datatypes(const struct slice *s, const struct call *call, int index) {
    datatype_names elements;
    datatypes_of_array(&elements, s, call, index);
    bool are_known = elements.count > 0;
    vec_dispose(&elements);
    return are_known;
}

/* `seen`: variables of datatypes that are looked at, or have been. */
static bool is_datatype(const struct slice *s, seen_list *seen, const struct call *call, int index);

static bool is_alike(struct layout *l, seen_list *seen, const struct call *call, int index) {
    switch (call->mpi->parameters[index].role) {
    case MPI_ROLE_DATATYPE:
        return is_datatype(l->slice, seen, call, index);
    case MPI_ROLE_DATATYPES:
        return are_datatypes(l->slice, call, index);
    case MPI_ROLE_DATATYPE_OUT:
        return true;
    case MPI_ROLE_ARRAY_IN:
    case MPI_ROLE_RAGGED_IN:
    case MPI_ROLE_DISPLACEMENTS:
    case MPI_ROLE_COUNTS:
        return are_numbers(l, datatypes_variable(l->slice, call, index));
    default:
        return is_number(l, l->maker, call->arguments.items[index].ast);
    }
}

static bool is_made_alike(const struct slice *s, seen_list *seen, const struct call *call) {
    struct layout layout = {.slice = s, .maker = call->node->function};
    bool alike = true;
    for (int i = 0; i < call->mpi->parameter_count && i < (int)call->arguments.count && alike; i++)
        alike = is_alike(&layout, seen, call, i);
    vec_dispose(&layout.numbers);
    return alike;
}

static bool is_datatype(const struct slice *s, seen_list *seen, const struct call *call,
                        int index) {
    if (events_handle(call, index) != NULL)
        return true;
    const struct object *variable = datatypes_variable(s, call, index);
    const struct event_list *list = events_of(s, variable);
    bool is_made = false;
    if (list == NULL || !vec_push_new(seen, variable))
        return false;
    for (size_t i = 0; i < list->items.count; i++) {
        const struct event *event = list->items.items[i].event;
        if (datatypes_is_none_yet(event))
            continue;
        if (event->kind != EVENT_CALL || event->call->mpi == NULL)
            return false;
        bool makes = mpi_call_parameter(event->call->mpi, MPI_ROLE_DATATYPE_OUT) >= 0;
        bool leaves = mpi_call_parameter(event->call->mpi, MPI_ROLE_DATATYPE_INOUT) >= 0;
        if (leaves)
            continue;
        if (!makes || is_made || !is_made_alike(s, seen, event->call))
            return false; /* of several that make one, ranks may choose */
        is_made = true;
    }
    return is_made;
}

bool layout_is_same_everywhere(const struct slice *s, const struct call *call, int index) {
    seen_list seen = {0};
    bool same =
        index >= 0 && (size_t)index < call->arguments.count && is_datatype(s, &seen, call, index);
    vec_dispose(&seen);
    return same;
}

bool layout_has_attributes(const struct program *program) {
    for (size_t i = 0; i < program->calls.count; i++) {
        const struct call *call = program->calls.items[i];
        if (call->mpi != NULL && strcmp(call->mpi->name, "MPI_Type_create_keyval") == 0)
            return true;
    }
    return false;
}
