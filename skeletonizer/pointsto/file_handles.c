/* SPDX-License-Identifier: Apache-2.0
 *
 * Files are known by the calls that open them, and handles and streams followed like pointers; of
 * a local that is the handle of one file after the other, only those count that some way leads
 * from.
 */
#include "skeletonizer/pointsto/file_handles.h"

#include "skeletonizer/pointsto/communicator_handles.h"

#include <string.h>

static const struct object *target(const struct points_to *p, const int_list *targets, size_t i) {
    int object = p->locations.items[targets->items[i]].object;
    return p->program->objects.items[object];
}

/* ---- Names ---- */

static const struct ast *name_of(const struct file_opening *opening) {
    return ast_without_casts(program_argument(opening->call, opening->name));
}

static bool are_elements_apart(const struct ast *one, const struct ast *other) {
    if (one->kind != AST_SUBSCRIPT || other->kind != AST_SUBSCRIPT)
        return false;
    const struct ast *base = ast_without_casts(one->kids[0]);
    const struct ast *other_base = ast_without_casts(other->kids[0]);
    return base->kind == AST_REFERENCE && other_base->kind == AST_REFERENCE &&
           base->declaration == other_base->declaration && one->kids[1]->has_value &&
           other->kids[1]->has_value && one->kids[1]->value != other->kids[1]->value;
}

static size_t count_of(const int_list *targets) {
    return targets != NULL ? targets->count : 0;
}

/* Pointers of which nothing is known (optarg) may be alike. */
static bool may_be_one_place(const struct points_to *p, const int_list *left,
                             const int_list *right) {
    for (size_t i = 0; i < count_of(left); i++)
        for (size_t k = 0; k < count_of(right); k++)
            if (target(p, left, i) == target(p, right, k))
                return true;
    return count_of(left) == 0 && count_of(right) == 0;
}

static bool is_literal(const struct ast *ast) {
    if (ast->kind == AST_CONDITIONAL)
        return is_literal(ast_without_casts(ast->kids[1])) &&
               is_literal(ast_without_casts(ast->kids[2]));
    return ast->kind == AST_STRING && ast->name != NULL;
}

/* Also of `rank == 0 ? "a" : "b"`. */
static bool literals_differ(const struct ast *one, const struct ast *other) {
    if (one->kind == AST_CONDITIONAL)
        return literals_differ(ast_without_casts(one->kids[1]), other) &&
               literals_differ(ast_without_casts(one->kids[2]), other);
    if (other->kind == AST_CONDITIONAL)
        return literals_differ(other, one);
    return strcmp(one->name, other->name) != 0;
}

static bool names_are_apart(const struct points_to *p, const struct file_opening *one,
                            const struct file_opening *other) {
    const struct ast *left = name_of(one), *right = name_of(other);
    if (left == NULL || right == NULL)
        return false;
    if (is_literal(left) && is_literal(right))
        return literals_differ(left, right);
    if (are_elements_apart(left, right))
        return true;
    const int_list *places = points_to_targets(p, one->call->arguments.items[one->name].value);
    const int_list *others = points_to_targets(p, other->call->arguments.items[other->name].value);
    return !may_be_one_place(p, places, others);
}

bool file_handles_may_be_one(const struct points_to *p, const file_opening_list *one,
                             const file_opening_list *other, bool names_tell) {
    for (size_t i = 0; i < one->count; i++)
        for (size_t k = 0; k < other->count; k++)
            if (one->items[i].call == other->items[k].call || !names_tell ||
                !names_are_apart(p, &one->items[i], &other->items[k]))
                return true;
    return one->count == 0 || other->count == 0;
}

/* ---- Which file ---- */

/* `opens` NULL: what comes from elsewhere. */
static bool add_opening(file_opening_list *out, const struct call *opens, int name) {
    if (opens == NULL)
        return false;
    vec_push(out, ((struct file_opening){opens, name}));
    return true;
}

const struct call *file_handles_stream_opened_by(const struct object *object) {
    bool opens = object->kind == OBJECT_HEAP && object->call != NULL &&
                 object->call->library != NULL &&
                 strncmp(object->call->library->name, "fopen", strlen("fopen")) == 0;
    return opens ? object->call : NULL;
}

void file_handles_openings(file_opening_list *out, const struct points_to *p, int handle) {
    const int_list *targets = points_to_targets(p, handle);
    bool known = true;
    for (size_t i = 0; targets != NULL && known && i < targets->count; i++) {
        const struct object *object = target(p, targets, i);
        const struct call *opens = communicator_handles_opened_by(object);
        known = opens != NULL
                    ? add_opening(out, opens, mpi_call_parameter(opens->mpi, MPI_ROLE_STRING_IN))
                    : add_opening(out, file_handles_stream_opened_by(object), 0);
    }
    if (!known)
        out->count = 0;
}

/* ---- One variable for several files ---- */

/* The local of the function that is all of the expression; NULL: it is something else. */
static const struct object *local_of(const struct points_to *p, const struct call *call,
                                     const struct ast *ast) {
    ast = ast_without_casts(ast);
    bool is_local = ast != NULL && ast->kind == AST_REFERENCE &&
                    !ast->declaration->static_storage && !ast->declaration->global;
    return is_local ? program_object(p->program, call->node->function, ast->declaration) : NULL;
}

/* The local into which the call opens a file, `&file`. */
static const struct object *opened_local(const struct points_to *p, const struct call *call) {
    int out = call->mpi != NULL ? mpi_call_parameter(call->mpi, MPI_ROLE_FILE_OUT) : -1;
    if (out < 0 || (size_t)out >= call->arguments.count)
        return NULL;
    const struct ast *ast = ast_without_casts(call->arguments.items[out].ast);
    bool is_address = ast->kind == AST_UNARY && strcmp(ast->op, "&") == 0;
    return is_address ? local_of(p, call, ast->kids[0]) : NULL;
}

static bool opens(const struct points_to *p, const struct node *node, const struct object *local) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (opened_local(p, node->calls.items[i]) == local)
            return true;
    return false;
}

static bool makes_mpi_call(const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (node->calls.items[i]->mpi != NULL)
            return true;
    return false;
}

/* Nothing but MPI sets it: it is not assigned, and its address goes nowhere else. */
static bool is_set_by_mpi_alone(const struct function *function, const struct object *local) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        bool declares = node->declares == local;
        for (size_t k = 0; k < node->defines.count; k++)
            if (node->defines.items[k].object == local->id && !declares)
                return false;
        for (size_t k = 0; k < node->moves.count; k++)
            if (node->moves.items[k].to.object == local->id && !declares)
                return false;
        for (size_t k = 0; k < node->addresses.count; k++)
            if (node->addresses.items[k] == local && !declares && !makes_mpi_call(node))
                return false;
    }
    return true;
}

/* Some way leads from behind `from` to `to` on which no other file is opened into the local. */
static bool is_reached(const struct points_to *p, const struct node *from, const struct node *to,
                       const struct object *local) {
    bool *seen = ARENA_ARRAY(&p->program->arena, bool, from->function->nodes.count);
    node_list left = {0};
    bool found = false;
    vec_push(&left, (struct node *)from);
    while (left.count > 0 && !found) {
        const struct node *node = left.items[--left.count];
        for (size_t i = 0; i < node->next.count && !found; i++) {
            struct node *next = node->next.items[i];
            found = next == to;
            if (!found && !seen[next->index] && !opens(p, next, local))
                vec_push(&left, next);
            seen[next->index] = true;
        }
    }
    vec_dispose(&left);
    return found;
}

/* Leaves out files that the variable no longer holds where the call is made. */
static void drop_earlier(file_opening_list *list, const struct points_to *p,
                         const struct call *call, const struct ast *handle) {
    const struct object *local = local_of(p, call, handle);
    size_t count = 0;
    if (local == NULL || !is_set_by_mpi_alone(call->node->function, local))
        return;
    for (size_t i = 0; i < list->count; i++) {
        const struct call *other = list->items[i].call;
        bool is_of_local = other->node->function == call->node->function &&
                           opened_local(p, other) == local && other->node != call->node;
        if (!is_of_local || is_reached(p, other->node, call->node, local))
            list->items[count++] = list->items[i];
    }
    if (count > 0) /* or it is never opened on the way, and nothing is known */
        list->count = count;
}

void file_handles_openings_of_call(file_opening_list *out, const struct points_to *p,
                                   const struct call *call) {
    int handle = mpi_call_parameter(call->mpi, MPI_ROLE_FILE);
    if (handle < 0 || (size_t)handle >= call->arguments.count)
        return;
    file_handles_openings(out, p, call->arguments.items[handle].value);
    drop_earlier(out, p, call, call->arguments.items[handle].ast);
}
