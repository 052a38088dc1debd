/* SPDX-License-Identifier: Apache-2.0
 *
 * In: an expression. Out: its operations, loads and stores, added to the block that it stands in.
 * Each operator counts as written, so that the numbers are those of code without optimisation:
 * nothing is folded but integer constant expressions, nothing is hoisted or kept in a register but
 * scalars on the stack, which count neither as loads nor as stores.
 */
#include "skeletonizer/signature/access_address.h"

#include "base/str.h"
#include "skeletonizer/signature/signature_calls.h"

#include <math.h>
#include <string.h>

#define HALF 0.5 /* of what data decide: nothing in the source tells */

static struct open_block *block_of(const struct signature_place *place) {
    return place->walk->blocks.items[place->block];
}

static void count(const struct signature_place *place, enum signature_operation operation) {
    block_of(place)->block.operations[operation]++;
}

static bool is_floating(const struct ast *ast) {
    return ast->type != NULL && ast->type->kind == TYPE_FLOATING;
}

/* ---- Loads and stores ---- */

static enum stride_class class_of(const struct address *address, int loop_count, int bytes) {
    double step =
        loop_count > 0 && loop_count <= SIGNATURE_STEPS_MAX ? address->step[loop_count - 1] : 0;
    if (address->is_unknown)
        return STRIDE_UNKNOWN;
    if (address->is_chased)
        return STRIDE_CHASE;
    if (isnan(step))
        return address->is_indexed ? STRIDE_INDEXED : STRIDE_CONSTANT;
    return step == 0 ? STRIDE_FIXED : fabs(step) <= bytes ? STRIDE_UNIT : STRIDE_CONSTANT;
}

static bool moves_with(const struct address *address, int position) {
    return address->is_unknown || address->is_chased || address->step[position] != 0;
}

static void add_steps(struct signature_access *out, const struct signature_place *place,
                      const struct address *address) {
    struct signature_step *steps =
        ARENA_ARRAY(place->walk->arena, struct signature_step, SIGNATURE_STEPS_MAX);
    int blocks[SIGNATURE_STEPS_MAX], count = 0;
    for (const struct enclosing_loop *loop = place->loops; loop != NULL; loop = loop->outer)
        count++;
    int at = count;
    for (const struct enclosing_loop *loop = place->loops; loop != NULL; loop = loop->outer)
        if (--at < SIGNATURE_STEPS_MAX)
            blocks[at] = loop->block;
    for (int i = 0; i < count && i < SIGNATURE_STEPS_MAX; i++)
        if (moves_with(address, i))
            steps[out->step_count++] = (struct signature_step){
                blocks[i], address->is_unknown || isnan(address->step[i]) ? 0 : address->step[i]};
    out->steps = steps;
    out->class = class_of(address, count, out->element_bytes);
}

static bool is_same(const struct signature_access *a, const struct signature_access *b) {
    if (strcmp(a->array, b->array) != 0 || strcmp(a->offset, b->offset) != 0 ||
        a->class != b->class || a->element_bytes != b->element_bytes ||
        a->step_count != b->step_count)
        return false;
    for (int i = 0; i < a->step_count; i++)
        if (a->steps[i].block != b->steps[i].block ||
            a->steps[i].stride_bytes != b->steps[i].stride_bytes)
            return false;
    return true;
}

static void add_access(const struct signature_place *place, const struct ast *lvalue, double loads,
                       double stores) {
    struct address address = address_of(place, lvalue);
    long long bytes = lvalue->type != NULL ? lvalue->type->size_bytes : 0;
    struct signature_access access = {.array = address.base[0] != '\0' ? address.base : "?",
                                      .element_bytes = bytes > 0 ? (int)bytes : 1,
                                      .loads = loads,
                                      .stores = stores};
    access.offset =
        arena_printf(place->walk->arena, "%g%s%s", address.offset,
                     address.terms[0] != '\0' && address.terms[0] != '-' ? "+" : "", address.terms);
    add_steps(&access, place, &address);
    struct open_block *block = block_of(place);
    for (size_t i = 0; i < block->accesses.count; i++)
        if (is_same(&block->accesses.items[i], &access)) {
            block->accesses.items[i].loads += loads;
            block->accesses.items[i].stores += stores;
            return;
        }
    vec_push(&block->accesses, access);
}

/* What is evaluated to find out where an lvalue lies. */
static void count_where(const struct signature_place *place, const struct ast *lvalue) {
    switch (lvalue->kind) {
    case AST_CAST:
        count_where(place, lvalue->kids[lvalue->kid_count - 1]);
        return;
    case AST_MEMBER:
        if (lvalue->arrow)
            signature_count(place, lvalue->kids[0]);
        else
            count_where(place, lvalue->kids[0]);
        return;
    case AST_SUBSCRIPT:
        signature_count(place, lvalue->kids[0]);
        signature_count(place, lvalue->kids[1]);
        if (!lvalue->kids[1]->has_value)
            count(place, OPERATION_INTEGER); /* base and index */
        return;
    case AST_UNARY:
        signature_count(place, lvalue->kids[0]);
        return;
    case AST_REFERENCE:
        return;
    default:
        signature_count(place, lvalue);
    }
}

static void count_lvalue(const struct signature_place *place, const struct ast *lvalue,
                         double loads, double stores) {
    lvalue = lvalue->kind == AST_CAST ? lvalue->kids[lvalue->kid_count - 1] : lvalue;
    count_where(place, lvalue);
    if (lvalue->type != NULL &&
        (lvalue->type->kind == TYPE_ARRAY || lvalue->type->kind == TYPE_FUNCTION))
        return;
    if (lvalue->kind == AST_REFERENCE && lvalue->declaration->kind != DECLARATION_VARIABLE)
        return;
    if (!address_is_local(lvalue))
        add_access(place, lvalue, loads, stores);
}

/* ---- Operators ---- */

static bool is_product(const struct ast *ast) {
    return ast->kind == AST_BINARY && strcmp(ast->op, "*") == 0 && is_floating(ast);
}

static enum signature_operation arithmetic(char op, bool floating) {
    switch (op) {
    case '*':
        return floating ? OPERATION_MULTIPLY : OPERATION_INTEGER;
    case '/':
        return floating ? OPERATION_DIVIDE : OPERATION_INTEGER_DIVIDE;
    case '%':
        return OPERATION_INTEGER_DIVIDE;
    default:
        return floating ? OPERATION_ADD : OPERATION_INTEGER;
    }
}

static void count_conversion(const struct signature_place *place, const struct ast *operand,
                             bool floating) {
    if (floating && !is_floating(operand) && operand->kind != AST_CONSTANT)
        count(place, OPERATION_COMPARE);
}

static void count_operator(const struct signature_place *place, char op, const struct ast *left,
                           const struct ast *right, bool floating) {
    enum signature_operation operation = arithmetic(op, floating);
    count(place, operation);
    if (operation == OPERATION_ADD && (is_product(right) || is_product(left)))
        count(place, OPERATION_FUSED);
    count_conversion(place, left, floating);
    count_conversion(place, right, floating);
}

/* ---- What waits for the iteration before ---- */

static bool is_declared_within(const struct signature_place *place,
                               const struct declaration *variable) {
    const struct object *object =
        program_object(place->walk->slice->program, place->frame->function, variable);
    return object != NULL && object->declared_in != NULL &&
           tree_is_within(object->declared_in, place->loops->tree);
}

static void add_chain(const struct signature_place *place, const struct ast *target, char op) {
    if (place->loops == NULL || target->kind != AST_REFERENCE || !is_floating(target) ||
        is_declared_within(place, target->declaration))
        return;
    enum signature_operation operation =
        op == '+' || op == '-' ? OPERATION_CHAIN_ADD : OPERATION_CHAIN_OTHER;
    struct open_block *block = block_of(place);
    for (size_t i = 0; i < block->chains.count; i++) {
        struct signature_chain *chain = &block->chains.items[i];
        if (chain->variable == target->declaration && chain->operation == operation) {
            chain->count++;
            return;
        }
    }
    struct signature_chain chain = {target->declaration, operation, 1};
    vec_push(&block->chains, chain);
}

static bool is_variable_of(const struct ast *ast, const struct ast *target) {
    ast = ast_without_casts(ast);
    return ast != NULL && ast->kind == AST_REFERENCE && target->kind == AST_REFERENCE &&
           ast->declaration == target->declaration;
}

/* `x = x + y`, `x = a * x + b`. */
static void find_chain(const struct signature_place *place, const struct ast *target,
                       const struct ast *value) {
    value = ast_without_casts(value);
    if (value == NULL || value->kind != AST_BINARY || value->op[1] != '\0' ||
        strchr("+-*/", value->op[0]) == NULL)
        return;
    for (int i = 0; i < 2; i++)
        if (is_variable_of(value->kids[i], target) || is_product(value->kids[i])) {
            size_t before = block_of(place)->chains.count;
            if (!is_variable_of(value->kids[i], target))
                find_chain(place, target, value->kids[i]);
            if (is_variable_of(value->kids[i], target) || block_of(place)->chains.count > before)
                add_chain(place, target, value->op[0]);
        }
}

static void count_assignment(const struct signature_place *place, const struct ast *ast) {
    signature_count(place, ast->kids[1]);
    count_conversion(place, ast->kids[1], is_floating(ast->kids[0]));
    count_lvalue(place, ast->kids[0], 0, 1);
    find_chain(place, ast->kids[0], ast->kids[1]);
}

static void count_compound(const struct signature_place *place, const struct ast *ast) {
    const struct ast *target = ast->kids[0], *value = ast->kids[1];
    bool floating = is_floating(target) || is_floating(value);
    signature_count(place, value);
    count_lvalue(place, target, 1, 1);
    count_operator(place, ast->op[0], target, value, floating);
    add_chain(place, target, ast->op[0]);
}

/* What may not be evaluated each time. */
static void count_sometimes(const struct signature_place *place, const struct ast *ast) {
    struct signature_place there = *place;
    there.block = signature_open(place->walk, (struct signature_block){.kind = BLOCK_BRANCH,
                                                                       .parent = place->block,
                                                                       .line = ast->line,
                                                                       .variable = "",
                                                                       .feature = -1,
                                                                       .factor = HALF,
                                                                       .is_guess = true});
    signature_count(&there, ast);
}

static bool is_comparison(const char *op) {
    return strchr("<>=!", op[0]) != NULL && strcmp(op, "<<") != 0 && strcmp(op, ">>") != 0;
}

static void count_binary(const struct signature_place *place, const struct ast *ast) {
    const struct ast *left = ast->kids[0], *right = ast->kids[1];
    bool floating = is_floating(left) || is_floating(right);
    if (ast_is_assignment(ast)) {
        count_assignment(place, ast);
        return;
    }
    signature_count(place, left);
    if (strcmp(ast->op, "&&") == 0 || strcmp(ast->op, "||") == 0) {
        count(place, OPERATION_BRANCH);
        count_sometimes(place, right);
        return;
    }
    signature_count(place, right);
    if (strcmp(ast->op, ",") == 0)
        return;
    if (is_comparison(ast->op))
        count(place, floating ? OPERATION_COMPARE : OPERATION_INTEGER);
    else
        count_operator(place, ast->op[0], left, right, floating);
}

static bool steps(const char *op) {
    return strstr(op, "++") != NULL || strstr(op, "--") != NULL;
}

static void count_unary(const struct signature_place *place, const struct ast *ast) {
    const struct ast *kid = ast->kids[0];
    if (steps(ast->op)) {
        count_lvalue(place, kid, 1, 1);
        count(place, is_floating(kid) ? OPERATION_ADD : OPERATION_INTEGER);
    } else if (strcmp(ast->op, "&") == 0) {
        count_where(place, kid);
    } else if (strcmp(ast->op, "*") == 0) {
        count_lvalue(place, ast, 1, 0);
    } else {
        signature_count(place, kid);
        if (strcmp(ast->op, "-") == 0 || strcmp(ast->op, "~") == 0 || strcmp(ast->op, "!") == 0)
            count(place, is_floating(kid) ? OPERATION_COMPARE : OPERATION_INTEGER);
    }
}

static void count_kids(const struct signature_place *place, const struct ast *ast) {
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kids[i] != NULL)
            signature_count(place, ast->kids[i]);
}

static void count_cast(const struct signature_place *place, const struct ast *ast) {
    const struct ast *kid = ast->kids[ast->kid_count - 1];
    signature_count(place, kid);
    if (is_floating(ast) != is_floating(kid) && kid->kind != AST_CONSTANT && ast->type != NULL &&
        ast->type->kind != TYPE_VOID)
        count(place, OPERATION_COMPARE);
}

void signature_count(const struct signature_place *place, const struct ast *ast) {
    if (ast->has_value)
        return;
    switch (ast->kind) {
    case AST_CONSTANT:
    case AST_STRING:
    case AST_SIZEOF:
        return;
    case AST_REFERENCE:
    case AST_MEMBER:
    case AST_SUBSCRIPT:
        count_lvalue(place, ast, 1, 0);
        return;
    case AST_UNARY:
        count_unary(place, ast);
        return;
    case AST_BINARY:
        count_binary(place, ast);
        return;
    case AST_COMPOUND_ASSIGN:
        count_compound(place, ast);
        return;
    case AST_CONDITIONAL:
        signature_count(place, ast->kids[0]);
        count(place, OPERATION_BRANCH);
        for (int i = 1; i < ast->kid_count; i++)
            count_sometimes(place, ast->kids[i]);
        return;
    case AST_CAST:
        count_cast(place, ast);
        return;
    case AST_VARIABLE:
        if (ast->kid_count > 0 && ast->kids[0] != NULL)
            signature_count(place, ast->kids[0]);
        return;
    case AST_CALL:
        for (int i = 1; i < ast->kid_count; i++)
            signature_count(place, ast->kids[i]);
        signature_count_call(place, ast);
        return;
    case AST_STATEMENT_EXPR:
    case AST_ATOMIC:
    case AST_OTHER:
        signature_note_unknown(place->walk, "an expression that is not understood", ast->line);
        return;
    default:
        count_kids(place, ast);
    }
}
