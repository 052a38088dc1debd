/* SPDX-License-Identifier: Apache-2.0
 *
 * A flag is an expression that is always 0 or 1: a comparison, the constants 0 and 1, a variable
 * that only flags are assigned to, a call of a function that returns only flags, or a reduction of
 * flags.
 *
 * Not handled: flags in bits of a word, flags that are told apart by other numbers than 0 and 1.
 */
#include "skeletonizer/given/given_flags.h"

#include "base/str.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/events.h"

#include <string.h>

/* What only gets what it had before is a flag as well, so each statement is looked at once. */
struct flags {
    const struct slice *s;
    VEC(const struct node *) seen;
};

static bool is_flag(struct flags *f, const struct node *node, const struct ast *ast);

/* What the statement assigns or returns. */
static bool gives_flag(struct flags *f, const struct node *node) {
    const struct ast *ast = node->ast, *value = NULL;
    if (!vec_push_new(&f->seen, node))
        return true;
    if (ast_is_assignment(ast))
        value = ast->kids[1];
    else if (ast != NULL && (ast->kind == AST_VARIABLE || ast->kind == AST_RETURN))
        value = ast->kid_count > 0 ? ast->kids[0] : NULL;
    return value != NULL && is_flag(f, node, value);
}

static bool returns_flags(struct flags *f, const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++)
        if (function->nodes.items[i]->kind == NODE_RETURN &&
            !gives_flag(f, function->nodes.items[i]))
            return false;
    return true;
}

static bool call_gives_flag(struct flags *f, const struct node *node, const struct ast *ast) {
    const struct call *call = NULL;
    for (size_t i = 0; i < node->calls.count; i++)
        if (node->calls.items[i]->ast == ast)
            call = node->calls.items[i];
    for (size_t i = 0; call != NULL && i < call->targets.count; i++)
        if (!returns_flags(f, call->targets.items[i]))
            return false;
    return call != NULL && call->targets.count > 0;
}

static bool all_definitions(struct flags *f, const struct node *node, const struct object *object) {
    node_list definitions = {0};
    flow_reaching(&f->s->flow, node, object, &definitions);
    bool all = definitions.count > 0;
    for (size_t i = 0; i < definitions.count && all; i++)
        all = gives_flag(f, definitions.items[i]);
    vec_dispose(&definitions);
    return all;
}

/* Messages carry what others have written. */
static bool all_writes(struct flags *f, int object) {
    const struct event_list *list = events_of_object(f->s, object);
    size_t found = 0;
    for (size_t i = 0; list != NULL && i < list->items.count; i++) {
        const struct event *event = list->items.items[i].event;
        if (event->kind == EVENT_PAYLOAD)
            continue;
        if (event->kind != EVENT_NODE || !gives_flag(f, event->node))
            return false;
        found++;
    }
    return found > 0;
}

static bool variable_is_flag(struct flags *f, const struct node *node, const struct ast *ast) {
    for (size_t i = 0; i < node->uses.count; i++) {
        int object = node->uses.items[i].object;
        if (ast_without_casts(node->uses.items[i].ast) == ast && object >= 0)
            return flow_tracks(f->s->program->objects.items[object])
                       ? all_definitions(f, node, f->s->program->objects.items[object])
                       : all_writes(f, object);
    }
    return false;
}

static bool is_flag(struct flags *f, const struct node *node, const struct ast *ast) {
    static const char *const ops[] = {"<", ">", "<=", ">=", "==", "!=", "&&", "||", "!", NULL};
    ast = ast_without_casts(ast);
    if (ast == NULL)
        return false;
    if (ast->has_value)
        return ast->value == 0 || ast->value == 1;
    switch (ast->kind) {
    case AST_BINARY:
    case AST_UNARY:
        return text_is_one_of(ast->op, ops);
    case AST_CONDITIONAL:
        return is_flag(f, node, ast->kids[1]) && is_flag(f, node, ast->kids[2]);
    case AST_CALL:
        return call_gives_flag(f, node, ast);
    case AST_REFERENCE:
        return variable_is_flag(f, node, ast);
    default:
        return false;
    }
}

/* ---- Messages ---- */

/* Of a variable whose address is an argument. */
static bool addressed_is_flag(const struct slice *s, const struct ast *address) {
    const struct ast *number = address != NULL ? given_part_addressed(address) : NULL;
    if (number == NULL || number->kind != AST_REFERENCE)
        return false;
    bool found = false;
    for (size_t i = 0; i < s->program->objects.count && !found; i++) {
        struct flags flags = {.s = s};
        found = s->program->objects.items[i]->declaration == number->declaration &&
                all_writes(&flags, (int)i);
        vec_dispose(&flags.seen);
    }
    return found;
}

/* A sum of flags is none. */
static bool is_told_flag(const struct slice *s, const struct call *call, int index) {
    static const char *const logical[] = {"MPI_LOR", "MPI_LAND", "MPI_LXOR", NULL};
    static const char *const alike[] = {"MPI_MAX",  "MPI_MIN",  "MPI_BOR",
                                        "MPI_BAND", "MPI_BXOR", NULL};
    int operation = mpi_call_parameter(call->mpi, MPI_ROLE_OPERATION);
    int sent = mpi_call_parameter(call->mpi, MPI_ROLE_PAYLOAD_IN);
    const char *name = operation >= 0 ? events_handle(call, operation) : NULL;
    if (name != NULL && text_is_one_of(name, logical))
        return true;
    if (operation >= 0 && (name == NULL || !text_is_one_of(name, alike)))
        return false;
    bool is_apart = sent >= 0 && given_part_addressed(call->arguments.items[sent].ast) != NULL;
    return addressed_is_flag(s, call->arguments.items[is_apart ? sent : index].ast);
}

bool given_part_is_flag(const struct slice *s, const struct node *node, const struct ast *part) {
    int index;
    const struct call *call = call_argument_find(node, part, &index);
    if (given_part_type(node, part)->kind == TYPE_FLOATING ||
        (call != NULL && call_argument_is_vector(call, index)))
        return false;
    if (call != NULL && call_argument_is_told(call, index))
        return is_told_flag(s, call, index);
    if (call != NULL && call_argument_is_sent(call, index))
        return addressed_is_flag(s, part);
    struct flags flags = {.s = s};
    bool is = is_flag(&flags, node, part);
    vec_dispose(&flags.seen);
    return is;
}
