/* SPDX-License-Identifier: Apache-2.0
 *
 * A communicator is known by the call that made it, and its handle followed like a pointer, which
 * it is in SimGrid's mpi.h. A handle that comes from elsewhere (from intercommunicators, dynamic
 * processes, code without source) may be any.
 *
 * Programs that keep handles in ints (right for MPICH) get no answer: ints are not followed.
 * Limit: an int in the initialiser list of a record that holds a handle is not noticed.
 */
#include "skeletonizer/pointsto/communicator_handles.h"

#include <string.h>

#define WORLD "MPI_COMM_WORLD"
#define SELF "MPI_COMM_SELF"
#define POINTER_BYTES ((long long)sizeof(void *))

/* Handles in ints */

static bool is_handle(const struct type *type) {
    return type->kind == TYPE_POINTER && type->element != NULL && type->element->name != NULL &&
           strstr(type->element->name, "SMPI_Comm") != NULL;
}

static bool is_narrow(const struct type *type) {
    return type->kind == TYPE_INTEGER && type->size_bytes < POINTER_BYTES;
}

static bool types_mix(const struct type *one, const struct type *other) {
    if (one == NULL || other == NULL)
        return false;
    if ((is_handle(one) && is_narrow(other)) || (is_narrow(one) && is_handle(other)))
        return true;
    return one->kind == TYPE_POINTER && other->kind == TYPE_POINTER &&
           types_mix(one->element, other->element);
}

/* A constant is MPI_COMM_NULL. */
static bool mixes(const struct type *type, const struct ast *from) {
    return from != NULL && !from->has_value && types_mix(type, from->type);
}

static bool holds_mixture(const struct ast *ast) {
    if (ast == NULL)
        return false;
    bool assigns = ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0;
    if ((assigns && mixes(ast->kids[0]->type, ast->kids[1])) ||
        ((ast->kind == AST_CAST || ast->kind == AST_VARIABLE) && ast->kid_count > 0 &&
         mixes(ast->type, ast->kids[0])))
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (holds_mixture(ast->kids[i]))
            return true;
    return false;
}

static bool call_mixes(const struct call *call) {
    const struct type *type = call->ast->kids[0]->type;
    type = type->kind == TYPE_POINTER ? type->element : type;
    for (size_t i = 0; i < call->arguments.count && type != NULL; i++)
        if ((int)i < type->parameter_count &&
            mixes(type->parameters[i], call->arguments.items[i].ast))
            return true;
    return false;
}

static bool keeps_handles_in_ints(const struct program *program) {
    for (size_t i = 0; i < program->calls.count; i++)
        if (call_mixes(program->calls.items[i]))
            return true;
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        const struct ast *value =
            node->kind == NODE_RETURN && node->ast->kid_count > 0 ? node->ast->kids[0] : NULL;
        if (holds_mixture(node->ast) ||
            (value != NULL && mixes(node->function->result_type, value)))
            return true;
    }
    return false;
}

/* Objects */

static struct object *made_by(struct points_to *p, struct call *call) {
    if (!mpi_call_is(call->mpi, MPI_IS_DIVISION))
        return p->outside;
    char *name = arena_printf(&p->program->arena, "the communicator made by call %d", call->id);
    struct object *object = points_to_state(p, name);
    object->call = call;
    return object;
}

/* A library without source may give any communicator. */
static void connect_library(struct points_to *p, const struct call *call) {
    for (size_t i = 0; i < call->arguments.count; i++) {
        const struct argument *argument = &call->arguments.items[i];
        const struct type *type = argument->type;
        struct lvalue lvalue = {
            .object = -1, .pointer = argument->value, .length_bytes = POINTER_BYTES};
        if (argument->value >= 0 && type->kind == TYPE_POINTER && type->element != NULL &&
            is_handle(type->element) &&
            extern_effect_writes(extern_argument(call->library, (int)i).effect))
            points_to_store_address(p, lvalue, p->outside);
    }
}

static void connect(struct points_to *p, struct call *call) {
    int out = call->mpi != NULL ? mpi_call_parameter(call->mpi, MPI_ROLE_COMMUNICATOR_OUT) : -1;
    if (out >= 0 && (size_t)out < call->arguments.count && call->arguments.items[out].value >= 0) {
        struct lvalue lvalue = {.object = -1,
                                .pointer = call->arguments.items[out].value,
                                .length_bytes = POINTER_BYTES};
        points_to_store_address(p, lvalue, made_by(p, call));
    }
    if (call->name != NULL && strcmp(call->name, "smpi_process_comm_self") == 0)
        points_to_store_address(p, points_to_lvalue(call->result), points_to_state(p, SELF));
    else if (is_handle(call->type) && (call->mpi != NULL || call->library != NULL))
        points_to_store_address(p, points_to_lvalue(call->result), p->outside);
    if (call->mpi == NULL && call->library != NULL)
        connect_library(p, call);
}

/* An opened file is known by the call that opened it, likewise. */
static void connect_file(struct points_to *p, struct call *call) {
    int out = call->mpi != NULL ? mpi_call_parameter(call->mpi, MPI_ROLE_FILE_OUT) : -1;
    if (out < 0 || (size_t)out >= call->arguments.count || call->arguments.items[out].value < 0)
        return;
    char *name = arena_printf(&p->program->arena, "the file opened by call %d", call->id);
    struct object *object = points_to_state(p, name);
    struct lvalue lvalue = {
        .object = -1, .pointer = call->arguments.items[out].value, .length_bytes = POINTER_BYTES};
    object->call = call;
    points_to_store_address(p, lvalue, object);
}

void communicator_handles_connect(struct points_to *p) {
    for (size_t i = 0; i < p->program->calls.count; i++)
        connect_file(p, p->program->calls.items[i]);
    p->knows_communicators = !keeps_handles_in_ints(p->program);
    for (size_t i = 0; p->knows_communicators && i < p->program->calls.count; i++)
        connect(p, p->program->calls.items[i]);
    size_t count = p->knows_communicators ? p->program->objects.count : 0;
    for (size_t i = 0; i < count; i++) {
        const struct object *object = p->program->objects.items[i];
        if (object->kind == OBJECT_VARIABLE && object->function == NULL &&
            strcmp(object->name, WORLD) == 0)
            points_to_store_address(p, points_to_lvalue(object), points_to_state(p, WORLD));
    }
}

const struct call *communicator_handles_opened_by(const struct object *object) {
    bool is_made = object->kind == OBJECT_STATE && object->call != NULL;
    return is_made && mpi_call_parameter(object->call->mpi, MPI_ROLE_FILE_OUT) >= 0 ? object->call
                                                                                    : NULL;
}

bool communicator_handles_is_communicator(const struct object *object) {
    return object->kind == OBJECT_STATE && communicator_handles_opened_by(object) == NULL &&
           (object->call != NULL || strcmp(object->name, WORLD) == 0 ||
            strcmp(object->name, SELF) == 0);
}
