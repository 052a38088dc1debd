/* SPDX-License-Identifier: Apache-2.0
 *
 * A derived datatype has the type signature of what it was made of (MPI 3.1, section 4.1): rows,
 * blocks and strides of doubles are doubles, a struct has elements of the types in an array. So a
 * variable that nothing writes but constructors has elements of the types that these were given.
 *
 * Not handled: datatypes in records and arrays, datatypes that are assigned.
 */
#include "skeletonizer/slice/element_types.h"

#include "skeletonizer/slice/events.h"

#include <string.h>

/* Not its caller's, which is passed on. */
static bool is_own(const struct call *call, int index) {
    return call->arguments.items[index].passed == NULL;
}

const struct object *datatypes_variable(const struct slice *s, const struct call *call, int index) {
    const struct ast *ast = ast_without_casts(program_argument(call, index));
    if (ast == NULL || ast->kind != AST_REFERENCE)
        return NULL;
    if (call->node->function != NULL && is_own(call, index)) /* of this instance of it */
        return program_object(s->program, call->node->function, ast->declaration);
    const struct object *found = NULL;
    for (size_t i = 0; i < s->program->objects.count; i++) {
        const struct object *object = s->program->objects.items[i];
        if (object->kind != OBJECT_VARIABLE || object->declaration != ast->declaration)
            continue;
        if (found != NULL) /* instances of its function */
            return NULL;
        found = object;
    }
    return found;
}

struct element_types_search {
    const struct slice *slice;
    datatype_names *out;
    VEC(const struct object *) seen; /* variables whose elements are there, or are looked for */
};

/* Pairs for MPI_MINLOC and MPI_MAXLOC are structs of two (MPI 3.1, section 5.9.4). */
static void add_predefined(datatype_names *out, const char *name) {
    static const char *const pairs[][3] = {{"MPI_FLOAT_INT", "MPI_FLOAT", "MPI_INT"},
                                           {"MPI_DOUBLE_INT", "MPI_DOUBLE", "MPI_INT"},
                                           {"MPI_LONG_INT", "MPI_LONG", "MPI_INT"},
                                           {"MPI_2INT", "MPI_INT", "MPI_INT"},
                                           {"MPI_SHORT_INT", "MPI_SHORT", "MPI_INT"},
                                           {"MPI_LONG_DOUBLE_INT", "MPI_LONG_DOUBLE", "MPI_INT"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], name) == 0) {
            vec_push(out, pairs[i][1]);
            name = pairs[i][2];
        }
    vec_push(out, name);
}

static bool add_argument(struct element_types_search *search, const struct call *call, int index);

/* ---- Structs: arrays of datatypes ---- */

static bool add_expression(struct element_types_search *search, const struct ast *ast) {
    if (ast->kind == AST_INIT_LIST || ast->kind == AST_DESIGNATED) {
        for (int i = 0; i < ast->kid_count; i++)
            if (!add_expression(search, ast->kids[i]))
                return false;
        return true;
    }
    const char *name = events_handle_of(ast);
    if (name != NULL)
        add_predefined(search->out, name);
    return name != NULL;
}

/* `MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};` or `types[1] = MPI_DOUBLE;` */
static bool add_assigned(struct element_types_search *search, const struct node *node) {
    const struct ast *ast = node->ast;
    if (ast == NULL)
        return false;
    if (ast->kind == AST_VARIABLE)
        return ast->kids[0] == NULL || add_expression(search, ast->kids[0]);
    return ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0 &&
           add_expression(search, ast->kids[1]);
}

static bool add_array(struct element_types_search *search, const struct call *call, int index) {
    const struct object *array = datatypes_variable(search->slice, call, index);
    bool is_array = array != NULL && array->type->kind == TYPE_ARRAY;
    const struct event_list *list = is_array ? events_of_object(search->slice, array->id) : NULL;
    for (size_t i = 0; list != NULL && i < list->items.count; i++)
        if (list->items.items[i].event->kind != EVENT_NODE ||
            !add_assigned(search, list->items.items[i].event->node))
            return false;
    return list != NULL;
}

/* ---- Variables ---- */

bool datatypes_is_none_yet(const struct event *event) {
    const struct ast *ast = event->kind == EVENT_NODE ? event->node->ast : NULL;
    ast = ast != NULL && ast->kind == AST_VARIABLE ? ast->kids[0] : NULL;
    while (ast != NULL && (ast->kind == AST_INIT_LIST || ast->kind == AST_CAST) &&
           ast->kid_count == 1)
        ast = ast->kids[0];
    if (ast == NULL)
        return false;
    const char *name = events_handle_of(ast);
    return (ast->has_value && ast->value == 0) ||
           (name != NULL && strcmp(name, "MPI_DATATYPE_NULL") == 0);
}

static bool add_event(struct element_types_search *search, const struct event *event) {
    if (datatypes_is_none_yet(event))
        return true;
    if (event->kind != EVENT_CALL || event->call->mpi == NULL)
        return false;
    const struct mpi_call *mpi = event->call->mpi;
    if (mpi_call_parameter(mpi, MPI_ROLE_DATATYPE_INOUT) >= 0) /* commits or frees it */
        return true;
    int several = mpi_call_parameter(mpi, MPI_ROLE_DATATYPES);
    if (several >= 0 && mpi_call_parameter(mpi, MPI_ROLE_DATATYPE_OUT) >= 0)
        return add_array(search, event->call, several);
    int old = mpi_call_parameter(mpi, MPI_ROLE_DATATYPE);
    return mpi_call_is(mpi, MPI_HAS_ONE_TYPE) && add_argument(search, event->call, old);
}

static bool add_variable(struct element_types_search *search, const struct object *variable) {
    const struct event_list *list = events_of_object(search->slice, variable->id);
    if (!vec_push_new(&search->seen, variable))
        return true;
    for (size_t i = 0; list != NULL && i < list->items.count; i++)
        if (!add_event(search, list->items.items[i].event))
            return false;
    return list != NULL;
}

static bool add_argument(struct element_types_search *search, const struct call *call, int index) {
    const char *name = events_handle(call, index);
    const struct object *variable = datatypes_variable(search->slice, call, index);
    if (name == NULL)
        return variable != NULL && add_variable(search, variable);
    add_predefined(search->out, name);
    return true;
}

static void find_elements(datatype_names *out, const struct slice *s, const struct call *call,
                          int index,
                          bool (*add)(struct element_types_search *, const struct call *, int)) {
    struct element_types_search search = {.slice = s, .out = out};
    *out = (datatype_names){0};
    if (!add(&search, call, index))
        out->count = 0;
    vec_dispose(&search.seen);
}

void datatypes_elements(datatype_names *out, const struct slice *s, const struct call *call,
                        int index) {
    find_elements(out, s, call, index, add_argument);
}

void datatypes_of_array(datatype_names *out, const struct slice *s, const struct call *call,
                        int index) {
    find_elements(out, s, call, index, add_array);
}
