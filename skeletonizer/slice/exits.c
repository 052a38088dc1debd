/* SPDX-License-Identifier: Apache-2.0
 *
 * Fixpoint over nodes and functions: a node ends abnormally if it calls an error exit, or a
 * function whose entry does, or if all its successors do. Of a function that ends the program with
 * a status that it is given (`quit(int status)`), or where one is given (`if (error) abort()`), a
 * call with a constant other than 0 is one.
 */
#include "skeletonizer/slice/exits.h"

#include "base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* By function: parameters of which one is enough to end abnormally where it is not 0. */
typedef unsigned parameter_set;

#define PARAMETERS_MAX (CHAR_BIT * sizeof(parameter_set))

struct marks {
    struct program *program;
    parameter_set *given;
};

bool exits_program(const struct call *call) {
    if (call->mpi != NULL)
        return call->mpi->class == MPI_CLASS_ABORT;
    return call->library != NULL && call->library->kind == EXTERN_EXIT;
}

/* What the program ends with; NULL: no status is given. */
static const struct ast *status_of(const struct call *call) {
    bool with_status = exits_program(call) && call->arguments.count == 1 && call->mpi == NULL &&
                       strstr(call->name, "xit") != NULL;
    return with_status ? call->arguments.items[0].ast : NULL;
}

static bool is_error(const struct ast *status) {
    return status->has_value && status->value != 0;
}

bool exits_is_abnormal(const struct call *call) {
    const struct ast *status = status_of(call);
    return exits_program(call) && !call->is_usual_end && (status == NULL || is_error(status));
}

/* A number other than 0 stays one: what is narrower than an int may be cut off to 0. */
static bool is_wide(const struct type *type) {
    return type->kind == TYPE_INTEGER && type->size_bytes >= (long long)sizeof(int);
}

static bool is_parameter(const struct marks *m, const struct function *function, int parameter,
                         const struct ast *ast) {
    while (ast->kind == AST_CAST && ast->kid_count > 0 && is_wide(ast->type))
        ast = ast->kids[0];
    if (ast->kind != AST_REFERENCE || ast->declaration->kind != DECLARATION_VARIABLE)
        return false;
    const struct object *object = program_object(m->program, function, ast->declaration);
    return object != NULL && object->function == function && object->parameter == parameter;
}

/* An argument with which the function ends abnormally: a constant other than 0, or where the
 * caller's `parameter` is not -1, that one handed on. */
static bool has_deadly_argument(const struct marks *m, const struct call *call,
                                const struct function *function, int parameter) {
    for (size_t k = 0; k < call->arguments.count && k < PARAMETERS_MAX; k++) {
        const struct ast *ast = call->arguments.items[k].ast;
        bool is_deadly =
            parameter < 0 ? is_error(ast) : is_parameter(m, call->node->function, parameter, ast);
        if ((m->given[function->id] >> k & 1) != 0 && is_deadly)
            return true;
    }
    return false;
}

/* To where an error is dealt with. */
static bool jumps_away(const struct call *call) {
    return call->library != NULL && strstr(call->library->name, "longjmp") != NULL;
}

static bool never_returns(const struct marks *m, const struct call *call) {
    if (call->conditional || call->is_usual_end)
        return false;
    if (call->targets.count == 0)
        return exits_is_abnormal(call) || jumps_away(call);
    for (size_t i = 0; i < call->targets.count; i++)
        if (!call->targets.items[i]->entry->ends_abnormally &&
            !has_deadly_argument(m, call, call->targets.items[i], -1))
            return false;
    return true;
}

static bool ends(const struct marks *m, const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (never_returns(m, node->calls.items[i]))
            return true;
    for (size_t i = 0; i < node->next.count; i++)
        if (!node->next.items[i]->ends_abnormally)
            return false;
    return node->next.count > 0;
}

/* ---- Functions that are given the status ---- */

static bool passes_on(const struct marks *m, const struct call *call, int parameter) {
    const struct ast *status = status_of(call);
    if (call->conditional)
        return false;
    if (call->targets.count == 0)
        return status != NULL && is_parameter(m, call->node->function, parameter, status);
    for (size_t i = 0; i < call->targets.count; i++)
        if (!has_deadly_argument(m, call, call->targets.items[i], parameter))
            return false;
    return true;
}

static bool is_never_written(const struct function *function, const struct object *object) {
    bool written = object->in_memory || !is_wide(object->type);
    for (size_t i = 0; i < function->nodes.count && !written; i++) {
        const struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->defines.count && node->kind != NODE_ENTRY; k++)
            written = written || node->defines.items[k].object == object->id;
    }
    return !written;
}

enum truth { TRUTH_OPEN, TRUTH_FALSE, TRUTH_TRUE };

/* Of a condition where the parameter is not 0. */
static enum truth truth_with(const struct marks *m, const struct function *function, int parameter,
                             const struct ast *ast) {
    enum truth inner;
    if (is_parameter(m, function, parameter, ast))
        return TRUTH_TRUE;
    if (ast->kind == AST_CAST && ast->kid_count > 0 && is_wide(ast->type))
        return truth_with(m, function, parameter, ast->kids[0]);
    if (ast->kind == AST_UNARY && strcmp(ast->op, "!") == 0) {
        inner = truth_with(m, function, parameter, ast->kids[0]);
        return inner == TRUTH_OPEN ? inner : inner == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
    }
    bool equal = ast->kind == AST_BINARY && strcmp(ast->op, "==") == 0;
    if (!equal && (ast->kind != AST_BINARY || strcmp(ast->op, "!=") != 0))
        return TRUTH_OPEN;
    for (int side = 0; side < 2; side++) {
        const struct ast *other = ast->kids[!side];
        if (is_parameter(m, function, parameter, ast->kids[side]) && other->has_value &&
            other->value == 0)
            return equal ? TRUTH_FALSE : TRUTH_TRUE;
    }
    return TRUTH_OPEN;
}

/* Which branch of an `if` it is in, 0 or 1; -1: behind both. */
static int branch_of(const struct node *node, const struct node *next) {
    for (size_t i = 0; i < node->tree->kids.count; i++)
        if (tree_is_within(next->tree, node->tree->kids.items[i]))
            return (int)i;
    return -1;
}

/* A branch that is empty, or not there, leads behind the `if`. */
static bool goes_to(const struct node *node, const struct node *next, enum truth truth) {
    int taken = truth == TRUTH_TRUE ? 0 : 1;
    bool has_taken = false;
    if (truth == TRUTH_OPEN)
        return true;
    for (size_t i = 0; i < node->next.count; i++)
        has_taken = has_taken || branch_of(node, node->next.items[i]) == taken;
    return branch_of(node, next) == (has_taken ? taken : -1);
}

/* A way from the entry leads to where the function returns, or nobody knows where. */
static bool may_return(const struct function *function, const bool *ended,
                       const enum truth *truths) {
    node_list open = {0};
    bool *seen = memset(xmalloc(function->nodes.count + 1), 0, function->nodes.count + 1);
    bool returns = false;
    vec_push(&open, function->entry);
    seen[function->entry->index] = true;
    while (open.count > 0 && !returns) {
        const struct node *node = open.items[--open.count];
        if (ended[node->index])
            continue;
        returns = node->kind == NODE_EXIT || node->next.count == 0;
        for (size_t k = 0; k < node->next.count; k++) {
            struct node *next = node->next.items[k];
            if (seen[next->index] || !goes_to(node, next, truths[node->index]))
                continue;
            seen[next->index] = true;
            vec_push(&open, next);
        }
    }
    vec_dispose(&open);
    free(seen);
    return returns;
}

/* Every way from the entry ends so. */
static bool ends_with(const struct marks *m, const struct function *function, int parameter) {
    size_t count = function->nodes.count;
    bool *ended = xmalloc(count + 1), passes = false;
    enum truth *truths = xmalloc((count + 1) * sizeof *truths);
    for (size_t i = 0; i < count; i++) {
        const struct node *node = function->nodes.items[i];
        ended[i] = node->ends_abnormally;
        for (size_t k = 0; k < node->calls.count && !ended[i]; k++)
            ended[i] = passes_on(m, node->calls.items[k], parameter);
        truths[i] = node->kind == NODE_CONDITION && node->tree->ast->kind == AST_IF
                        ? truth_with(m, function, parameter, node->ast)
                        : TRUTH_OPEN;
        passes = passes || truths[i] != TRUTH_OPEN || (ended[i] && !node->ends_abnormally);
    }
    bool result = passes && !may_return(function, ended, truths);
    free(truths);
    free(ended);
    return result;
}

static bool add_given(struct marks *m, const struct function *function) {
    parameter_set before = m->given[function->id];
    for (size_t k = 0; k < function->parameters.count && k < PARAMETERS_MAX; k++)
        if ((before >> k & 1) == 0 && is_never_written(function, function->parameters.items[k]) &&
            ends_with(m, function, (int)k))
            m->given[function->id] |= 1U << k;
    return m->given[function->id] != before;
}

/* ---- Guards ---- */

static bool is_branch(const struct node *guard, const struct node *node) {
    return guard->kind == NODE_CONDITION && tree_is_within(node->tree, guard->tree);
}

/* All that is come to from `first`, which ends abnormally, though `guard` does not. */
static void mark_unguarded(const struct node *guard, struct node *first, bool *seen) {
    VEC(struct node *) open = {0};
    const struct function *function = guard->function;
    memset(seen, 0, function->nodes.count * sizeof *seen);
    seen[first->index] = true;
    vec_push(&open, first);
    while (open.count > 0) {
        struct node *node = open.items[--open.count];
        node->is_unguarded = node->is_unguarded || !is_branch(guard, node);
        for (size_t k = 0; k < node->next.count; k++) {
            struct node *next = node->next.items[k];
            if (seen[next->index] || !next->ends_abnormally)
                continue;
            seen[next->index] = true;
            vec_push(&open, next);
        }
    }
    vec_dispose(&open);
}

static void mark_guards(const struct function *function) {
    bool *seen = xmalloc(function->nodes.count + 1);
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->next.count && !node->ends_abnormally; k++)
            if (node->next.items[k]->ends_abnormally)
                mark_unguarded(node, node->next.items[k], seen);
    }
    free(seen);
}

static void mark(struct marks *m) {
    struct program *program = m->program;
    memset(m->given, 0, (program->functions.count + 1) * sizeof *m->given);
    for (size_t i = 0; i < program->nodes.count; i++)
        program->nodes.items[i]->ends_abnormally = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = program->nodes.count; i-- > 0;) {
            struct node *node = program->nodes.items[i];
            if (node->function == NULL || node->kind == NODE_EXIT || node->ends_abnormally)
                continue;
            node->ends_abnormally = ends(m, node);
            changed = changed || node->ends_abnormally;
        }
        for (size_t i = 0; i < program->functions.count && !changed; i++)
            changed = add_given(m, program->functions.items[i]) || changed;
    }
}

static bool is_unconditional(const struct node *node) {
    const struct tree *body = node->function->tree;
    return node->tree != NULL && (node->tree == body || node->tree->parent == body);
}

/* On some way, maybe through loops, that no error exit ends. */
static bool may_return_from(const struct function *function) {
    bool *seen = memset(xmalloc(function->nodes.count + 1), 0, function->nodes.count + 1);
    VEC(const struct node *) open = {0};
    bool returns = false;
    vec_push(&open, function->entry);
    while (open.count > 0 && !returns) {
        const struct node *node = open.items[--open.count];
        returns = node->kind == NODE_EXIT;
        if (seen[node->index] || node->ends_abnormally)
            continue;
        seen[node->index] = true;
        for (size_t i = 0; i < node->next.count; i++)
            vec_push(&open, node->next.items[i]);
    }
    vec_dispose(&open);
    free(seen);
    return returns;
}

/* A program may end well with any status (`finish(); exit(8);`): where all of main leads to error
 * exits, what stands under no condition there is how it ends. False if there is no such call. */
static bool find_usual_end(const struct marks *m, const struct function *function) {
    bool found = false;
    for (size_t i = function->nodes.count; i-- > 0 && !found;) {
        const struct node *node = function->nodes.items[i];
        for (size_t k = 0; k < node->calls.count && is_unconditional(node); k++) {
            struct call *call = node->calls.items[k];
            if (!never_returns(m, call))
                continue;
            call->is_usual_end = found = true;
            for (size_t t = 0; t < call->targets.count; t++)
                find_usual_end(m, call->targets.items[t]);
        }
    }
    return found;
}

void exits_mark(struct program *program) {
    const struct function *main_function = program_function(program, "main");
    struct marks m = {.program = program};
    m.given = xmalloc((program->functions.count + 1) * sizeof *m.given);
    mark(&m);
    if (main_function != NULL && !may_return_from(main_function) &&
        find_usual_end(&m, main_function))
        mark(&m);
    free(m.given);
    for (size_t i = 0; i < program->functions.count; i++)
        mark_guards(program->functions.items[i]);
}
