/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop ends where its condition is false, or where an `if` in it leads to a jump out of it. For
 * flags the conditions of all loops are looked at, down through variables, functions and copies to
 * what is given; each negation on the way turns its sense.
 *
 * Not handled: jumps by goto; decisions of which only a part of a branch leaves; flags that several
 * loops wait for in different senses.
 */
#include "skeletonizer/given/given_exits.h"

#include "base/str.h"
#include "skeletonizer/given/given_flags.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/events.h"

#include <string.h>

/* ---- Decisions ---- */

static bool jumps(const struct ast *ast, enum ast_kind kind) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_COMPOUND)
        return ast->kid_count > 0 && jumps(ast->kids[ast->kid_count - 1], kind);
    return ast->kind == kind;
}

static bool leaves(const struct ast *branch) {
    return jumps(branch, AST_BREAK) || jumps(branch, AST_RETURN);
}

/* A break leaves the switch that it is in. */
static const struct tree *loop_left_by(const struct tree *tree, const struct ast *branch) {
    while (tree != NULL && !tree_is_loop(tree)) {
        if (tree->ast->kind == AST_SWITCH && jumps(branch, AST_BREAK))
            return NULL;
        tree = tree->parent;
    }
    return tree;
}

const struct tree *given_exit_of(const struct node *node, bool *goes_on) {
    const struct tree *tree = node->tree;
    *goes_on = true;
    if (node->kind == NODE_LOOP) {
        while (tree != NULL && !tree_is_loop(tree))
            tree = tree->parent;
        return tree;
    }
    if (node->kind != NODE_CONDITION)
        return NULL;
    while (tree != NULL && tree->ast->kind != AST_IF)
        tree = tree_is_loop(tree) ? NULL : tree->parent;
    if (tree == NULL || tree->nodes.count == 0 || tree->nodes.items[0] != node)
        return NULL;
    const struct ast *ast = tree->ast, *other = ast->kid_count > 2 ? ast->kids[2] : NULL;
    *goes_on = leaves(other);
    if (leaves(ast->kids[1]) == *goes_on)
        return NULL;
    return loop_left_by(tree, *goes_on ? other : ast->kids[1]);
}

/* ---- Flags ---- */

/* The flag that is looked for: what the node gives, or what a call of it stores. */
struct flag {
    const struct slice *s;
    const struct node *node;
    bool *seen; /* by node: it is looked at, or has been */
};

/* 1: it is the flag, -1: its negation, 0: something else. */
static int sense_of(const struct flag *flag, const struct node *node, const struct ast *ast);

static int sense_of_value(const struct flag *flag, const struct node *node) {
    const struct ast *ast = node->ast, *value = NULL;
    if (node == flag->node)
        return 1;
    if (flag->seen[node->id])
        return 0;
    flag->seen[node->id] = true;
    if (ast_is_assignment(ast))
        value = ast->kids[1];
    else if (ast != NULL && (ast->kind == AST_VARIABLE || ast->kind == AST_RETURN))
        value = ast->kid_count > 0 ? ast->kids[0] : NULL;
    return value != NULL ? sense_of(flag, node, value) : 0;
}

static int sense_of_definitions(const struct flag *flag, const struct node *node,
                                const struct object *object) {
    node_list definitions = {0};
    int sense = 0;
    flow_reaching(&flag->s->flow, node, object, &definitions);
    for (size_t i = 0; i < definitions.count && sense == 0; i++)
        sense = sense_of_value(flag, definitions.items[i]);
    vec_dispose(&definitions);
    return sense;
}

static int sense_of_writes(const struct flag *flag, int object) {
    const struct slice *s = flag->s;
    const struct event_list *list = events_of_object(s, object);
    int sense = 0;
    for (size_t i = 0; list != NULL && i < list->items.count && sense == 0; i++) {
        const struct event *event = list->items.items[i].event;
        if (event->kind == EVENT_NODE)
            sense = sense_of_value(flag, event->node);
        else if (event->kind == EVENT_PAYLOAD && event->call->node == flag->node)
            sense = 1;
    }
    return sense;
}

static int sense_of_variable(const struct flag *flag, const struct node *node,
                             const struct ast *ast) {
    for (size_t i = 0; i < node->uses.count; i++) {
        int object = node->uses.items[i].object;
        if (ast_without_casts(node->uses.items[i].ast) == ast && object >= 0) {
            const struct object *variable = flag->s->program->objects.items[object];
            return flow_tracks(variable) ? sense_of_definitions(flag, node, variable)
                                         : sense_of_writes(flag, object);
        }
    }
    return 0;
}

static int sense_of_call(const struct flag *flag, const struct node *node, const struct ast *ast) {
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        for (size_t t = 0; call->ast == ast && t < call->targets.count; t++) {
            const node_list *nodes = &call->targets.items[t]->nodes;
            for (size_t k = 0; k < nodes->count; k++) {
                int sense = nodes->items[k]->kind == NODE_RETURN
                                ? sense_of_value(flag, nodes->items[k])
                                : 0;
                if (sense != 0)
                    return sense;
            }
        }
    }
    return 0;
}

/* `flag == 0`, `flag != 1`: the side that is not constant. */
static int sense_of_comparison(const struct flag *flag, const struct node *node,
                               const struct ast *ast) {
    bool is_right = ast->kids[0]->has_value;
    const struct ast *constant = ast->kids[is_right ? 0 : 1];
    if (!constant->has_value || (constant->value != 0 && constant->value != 1))
        return 0;
    int sense = sense_of(flag, node, ast->kids[is_right ? 1 : 0]);
    return (strcmp(ast->op, "==") == 0) == (constant->value == 1) ? sense : -sense;
}

static int sense_of_operator(const struct flag *flag, const struct node *node,
                             const struct ast *ast) {
    static const char *const joins[] = {"&&", "||", NULL}, *const compares[] = {"==", "!=", NULL};
    if (ast->kind == AST_UNARY)
        return strcmp(ast->op, "!") == 0 ? -sense_of(flag, node, ast->kids[0]) : 0;
    if (text_is_one_of(ast->op, compares))
        return sense_of_comparison(flag, node, ast);
    if (!text_is_one_of(ast->op, joins))
        return 0;
    int sense = sense_of(flag, node, ast->kids[0]);
    return sense != 0 ? sense : sense_of(flag, node, ast->kids[1]);
}

/* `flag ? 0 : 1` */
static int sense_of_choice(const struct flag *flag, const struct node *node,
                           const struct ast *ast) {
    const struct ast *yes = ast->kids[1], *no = ast->kids[2];
    if (!yes->has_value || !no->has_value || (yes->value != 0) == (no->value != 0))
        return 0;
    int sense = sense_of(flag, node, ast->kids[0]);
    return yes->value != 0 ? sense : -sense;
}

static int sense_of(const struct flag *flag, const struct node *node, const struct ast *ast) {
    ast = ast_without_casts(ast);
    if (ast == NULL)
        return 0;
    switch (ast->kind) {
    case AST_UNARY:
    case AST_BINARY:
        return sense_of_operator(flag, node, ast);
    case AST_CONDITIONAL:
        return sense_of_choice(flag, node, ast);
    case AST_CALL:
        return sense_of_call(flag, node, ast);
    case AST_REFERENCE:
        return sense_of_variable(flag, node, ast);
    default:
        return 0;
    }
}

static enum flag_sense find_sense(const struct flag *flag) {
    for (size_t i = 0; i < flag->s->program->nodes.count; i++) {
        const struct node *other = flag->s->program->nodes.items[i];
        bool goes_on;
        if (other->ast == NULL || other == flag->node || given_exit_of(other, &goes_on) == NULL)
            continue;
        int sense = sense_of(flag, other, other->ast);
        if (sense != 0)
            return (sense > 0) == goes_on ? FLAG_GOES_ON : FLAG_ENDS;
    }
    return FLAG_WAITS_FOR_NOTHING;
}

enum flag_sense given_flag_sense(const struct slice *s, const struct node *node,
                                 const struct ast *part) {
    if (given_part_decides(node, part) || !given_part_is_flag(s, node, part))
        return FLAG_WAITS_FOR_NOTHING;
    const struct flag flag = {s, node, xcalloc(s->program->nodes.count + 1, sizeof(bool))};
    enum flag_sense sense = find_sense(&flag);
    free(flag.seen);
    return sense;
}
