/* SPDX-License-Identifier: Apache-2.0
 *
 * See cut_sums.h. Variables, in one function, and members behind pointers, by their names.
 */
#include "skeletonizer/given/cut_sums.h"

#include "base/str.h"
#include "base/text_set.h"

#include <string.h>

/* Per process: a sum over the run begins once, or for each case of a few. */
#define RESTARTS_MIN 4

static bool reads(const struct node *node, int object) {
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.items[i].object == object)
            return true;
    return false;
}

bool cut_sum_adds(const struct node *node) {
    for (size_t i = 0; i < node->defines.count; i++)
        for (size_t k = 0; k < node->uses.count; k++)
            if (node->defines.items[i].object >= 0 &&
                node->defines.items[i].object == node->uses.items[k].object &&
                node->defines.items[i].offset_bytes == node->uses.items[k].offset_bytes)
                return true;
    return false;
}

bool cut_sum_scales(const struct node *node) {
    const struct ast *ast = node->ast;
    if (ast == NULL || (ast->kind != AST_COMPOUND_ASSIGN && ast->kind != AST_BINARY))
        return false;
    if (ast->kind == AST_COMPOUND_ASSIGN)
        return strcmp(ast->op, "*=") == 0 || strcmp(ast->op, "/=") == 0;
    const struct ast *value = strcmp(ast->op, "=") == 0 ? ast->kids[1] : NULL;
    return value != NULL && value->kind == AST_BINARY &&
           (strcmp(value->op, "*") == 0 || strcmp(value->op, "/") == 0);
}

/* ---- Sums up to now ---- */

/* Two expressions that name the same variable, or the same element or member of it. */
static bool is_same_place(const struct ast *left, const struct ast *right) {
    left = ast_without_casts(left);
    right = ast_without_casts(right);
    if (left == NULL || right == NULL)
        return left == right;
    if (left->kind != right->kind || left->kid_count != right->kid_count)
        return false;
    switch (left->kind) {
    case AST_REFERENCE:
        return left->declaration != NULL && left->declaration == right->declaration;
    case AST_CONSTANT:
        return left->has_value && right->has_value && left->value == right->value;
    case AST_MEMBER:
        if (strcmp(left->name, right->name) != 0 || left->arrow != right->arrow)
            return false;
        break;
    case AST_UNARY:
        if (strcmp(left->op, "*") != 0 || strcmp(right->op, "*") != 0)
            return false;
        break;
    case AST_SUBSCRIPT:
        break;
    default:
        return false;
    }
    for (int i = 0; i < left->kid_count; i++)
        if (!is_same_place(left->kids[i], right->kids[i]))
            return false;
    return true;
}

/* What an assignment or initialised variable stores to. */
static bool stores_to(const struct ast *holder, const struct ast *place) {
    place = ast_without_casts(place);
    if (holder->kind == AST_VARIABLE)
        return place->kind == AST_REFERENCE && place->declaration == holder->declaration;
    return is_same_place(holder->kids[0], place);
}

/* `time = next`, where the holder stores to `next`. */
static bool is_copied_to(const struct function *function, const struct ast *holder,
                         const struct ast *place) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct ast *ast = function->nodes.items[i]->ast;
        if (ast_is_assignment(ast) && is_same_place(ast->kids[0], place) &&
            stores_to(holder, ast->kids[1]))
            return true;
    }
    return false;
}

static bool adds_to_itself(const struct node *node, const struct ast *holder,
                           const struct ast *value) {
    value = ast_without_casts(value);
    if (value->kind == AST_BINARY && strcmp(value->op, "+") == 0)
        return adds_to_itself(node, holder, value->kids[0]) ||
               adds_to_itself(node, holder, value->kids[1]);
    if (value->kind == AST_BINARY && strcmp(value->op, "-") == 0)
        return adds_to_itself(node, holder, value->kids[0]);
    bool is_place = value->kind == AST_REFERENCE || value->kind == AST_MEMBER ||
                    value->kind == AST_SUBSCRIPT || value->kind == AST_UNARY;
    return is_place && (stores_to(holder, value) || is_copied_to(node->function, holder, value));
}

bool cut_sum_goes_on(const struct node *node, const struct ast *holder) {
    const struct ast *value = ast_is_assignment(holder)      ? holder->kids[1]
                              : holder->kind == AST_VARIABLE ? holder->kids[0]
                                                             : NULL;
    value = ast_without_casts(value);
    return value != NULL && node->function != NULL && value->kind == AST_BINARY &&
           adds_to_itself(node, holder, value);
}

/* ---- Sides of comparisons ---- */

static bool names(const struct node *node, const struct ast *side, int object) {
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.items[i].object == object && ast_holds(side, node->uses.items[i].ast))
            return true;
    return false;
}

/* The sides with the variable, from *next on; `both`: those of a comparison are one. */
static unsigned sides_within(const struct node *node, const struct ast *ast, int object, bool both,
                             unsigned *next) {
    static const char *const joins[] = {"&&", "||", "!", NULL};
    static const char *const compares[] = {"<", ">", "<=", ">=", "==", "!=", NULL};
    bool is_operator = ast->kind == AST_BINARY || ast->kind == AST_UNARY;
    bool is_comparison = ast->kind == AST_BINARY && text_is_one_of(ast->op, compares);
    unsigned sides = 0;
    if (ast->kind == AST_CAST || (is_operator && text_is_one_of(ast->op, joins))) {
        for (int i = 0; i < ast->kid_count; i++)
            if (ast->kids[i] != NULL)
                sides |= sides_within(node, ast->kids[i], object, both, next);
        return sides;
    }
    bool is_split = is_comparison && !both;
    for (int i = 0; i < (is_split ? 2 : 1); i++) {
        sides |= names(node, is_split ? ast->kids[i] : ast, object) ? *next : 0;
        *next <<= 1;
    }
    return sides;
}

unsigned cut_sides_of(const struct node *decision, int object, bool both) {
    unsigned next = 1;
    unsigned sides = object >= 0 && decision->ast != NULL
                         ? sides_within(decision, decision->ast, object, both, &next)
                         : 0;
    return sides != 0 ? sides : CUT_ALL_SIDES;
}

bool cut_sum_copies(const struct node *node) {
    const struct ast *ast = node->ast;
    if (ast == NULL || node->defines.count != 1 || node->calls.count > 0)
        return false;
    if (ast->kind == AST_VARIABLE)
        ast = ast->kids[0];
    else if (ast_is_assignment(ast))
        ast = ast->kids[1];
    else
        return false;
    ast = ast_without_casts(ast);
    return ast != NULL && (ast->kind == AST_REFERENCE || ast->kind == AST_MEMBER);
}

/* What is executed as often as the function is called, as far as lines tell: not in the line of a
 * loop. */
static const struct node *find_straight(const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_EXPRESSION && node->tree != NULL &&
            node->tree->parent == function->tree)
            return node;
    }
    return NULL;
}

/* Lines are counted, not statements: what a `for` begins with stands in the line of its condition.
 * It is executed no more often than what is around the loop. */
static double executions_of_begin(const struct hotness *hotness, const struct node *node) {
    double often = executions_of(&hotness->executions, node);
    const struct tree *loop = node->tree != NULL ? node->tree->parent : NULL, *outer = loop;
    if (loop == NULL || !tree_is_loop(loop) || loop->init != node->tree)
        return often;
    do
        outer = outer->parent;
    while (outer != NULL && !tree_is_loop(outer));
    const struct node *around = outer != NULL && outer->nodes.count > 0
                                    ? outer->nodes.items[0]
                                    : find_straight(node->function);
    double most = around != NULL ? executions_of(&hotness->executions, around) : often;
    return often < most ? often : most;
}

static bool restarts(const struct node *node, const struct hotness *hotness, double starts) {
    const struct function *function = node->function;
    int sum = node->defines.count > 0 ? node->defines.items[0].object : -1;
    for (size_t i = 0; function != NULL && sum >= 0 && i < function->nodes.count; i++) {
        const struct node *other = function->nodes.items[i];
        if (other->kind != NODE_ENTRY && other->defines.count == 1 &&
            other->defines.items[0].object == sum && !cut_sum_adds(other) &&
            executions_of_begin(hotness, other) > RESTARTS_MIN * starts)
            return true;
    }
    return false;
}

/* ---- Members of what pointers point to ---- */

/* Of `domain->t = ...` and `domain->t += ...`; NULL: it is something else. */
static const struct ast *member_of(const struct node *node) {
    const struct ast *ast = node->ast;
    bool assigns = ast != NULL && (ast->kind == AST_COMPOUND_ASSIGN || ast_is_assignment(ast));
    return assigns && node->defines.count == 1 && node->defines.items[0].object < 0 &&
                   ast->kids[0]->kind == AST_MEMBER
               ? ast->kids[0]
               : NULL;
}

static bool adds_to_member(const struct node *node) {
    const struct place *place = &node->defines.items[0];
    for (size_t i = 0; i < node->uses.count; i++)
        if (node->uses.items[i].object < 0 && node->uses.items[i].pointer == place->pointer &&
            node->uses.items[i].offset_bytes == place->offset_bytes)
            return true;
    return false;
}

/* Names of members that are assigned anew time and again, of whatever record. */
static struct text_set find_restarting(const struct program *program, const struct hotness *hotness,
                                       double starts) {
    struct text_set names = {0};
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        const struct ast *member = member_of(node);
        if (member != NULL && !adds_to_member(node) &&
            executions_of(&hotness->executions, node) > RESTARTS_MIN * starts)
            text_set_add(&names, member->name);
    }
    return names;
}

bool *cut_sums_find(const struct program *program, const struct hotness *hotness) {
    double starts = hotness_starts(hotness, program);
    struct text_set restarting = find_restarting(program, hotness, starts);
    bool *sums = memset(xmalloc(program->nodes.count + 1), 0, program->nodes.count + 1);
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        const struct ast *member = member_of(node);
        sums[node->id] = member != NULL && adds_to_member(node)
                             ? !text_set_has(&restarting, member->name)
                             : cut_sum_adds(node) && !restarts(node, hotness, starts);
    }
    text_set_dispose(&restarting);
    return sums;
}

/* ---- Sums that others split ---- */

/* In the loop, but not where the decision leads. */
static bool adds_up_to(const struct node *node, const struct tree *loop,
                       const struct tree *decision) {
    return cut_sum_adds(node) && tree_is_within(node->tree, loop) &&
           !tree_is_within(node->tree, decision);
}

/* What the part is a variable's value of; -1: it is something else. */
static int variable_of(const struct node *node, const struct ast *part) {
    part = ast_without_casts(part);
    for (size_t i = 0; part != NULL && part->kind == AST_REFERENCE && i < node->uses.count; i++)
        if (node->uses.items[i].ast == part)
            return node->uses.items[i].object;
    return -1;
}

bool cut_sum_is_split(const struct node *node, const struct ast *const *parts,
                      const struct hotness *hotness) {
    const struct tree *decision = node->tree, *loop;
    int sum = variable_of(node, parts[node->id]);
    while (decision != NULL && !tree_is_loop(decision) &&
           !(decision->ast != NULL && decision->ast->kind == AST_IF))
        decision = decision->parent;
    for (loop = decision; loop != NULL && !tree_is_loop(loop);)
        loop = loop->parent;
    if (sum < 0 || loop == NULL || loop == decision || decision->nodes.count == 0)
        return false;
    bool could_be_given = false, decides = false;
    for (size_t i = 0; i < node->function->nodes.count; i++) {
        const struct node *other = node->function->nodes.items[i];
        if (!adds_up_to(other, loop, decision))
            continue;
        could_be_given |= other->defines.items[0].object == sum && parts[other->id] != NULL &&
                          !hotness_is_frequent(hotness, other);
        decides |= other->defines.items[0].object != sum &&
                   !tree_is_within(other->tree, loop->step) &&
                   reads(decision->nodes.items[0], other->defines.items[0].object);
    }
    return could_be_given && decides;
}
