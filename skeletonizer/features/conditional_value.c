/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a local and the node that reads it. Out: its value as an expression, with the conditions of
 * the branches that assign it (the gates of gated single assignment: R. A. Ballance, A. B. Maccabe,
 * K. J. Ottenstein, The Program Dependence Web, PLDI 1990). What is in memory (written_value.h) is
 * followed through calls, inwards and outwards.
 *
 * Statements are walked backwards from the read: what does not assign the local is skipped, an
 * assignment ends the walk, an `if` that assigns it in a branch becomes a conditional expression.
 * Where the region begins the local itself is the value.
 *
 * Gives up at loops and switches that assign it (`begins` of the frame: but for those that only
 * count it up or down, where it is what it was before), at branches that jump, and at anything that
 * assigns in another way than `=`.
 */
#include "skeletonizer/features/conditional_value.h"

#include "frontend/program/tree.h"
#include "skeletonizer/features/always_executed.h"
#include "skeletonizer/features/origins.h"
#include "skeletonizer/slice/assigned.h"
#include "skeletonizer/slice/loop_shape.h"

#include <string.h>

struct gate {
    struct str *out;
    const struct frame *frame;
    const struct object *object;
    const struct held *held;   /* in memory; NULL: a local that flow tracks */
    const struct node *reader; /* of such a local */
};

static bool print_before(const struct gate *gate, const struct tree *tree);

static bool defines_gated(const struct gate *gate, const struct node *node) {
    return gate->held != NULL ? written_value_writes(gate->frame->slice, gate->held, node)
                              : node_defines(node, gate->object);
}

static bool jumps(const struct node *node) {
    switch (node->ast != NULL ? node->ast->kind : AST_COMPOUND) {
    case AST_GOTO:
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_RETURN:
        return true;
    default:
        return false;
    }
}

/* With what it contains; `defined` NULL: whether anything jumps. */
static bool any_node(const struct tree *tree, const struct gate *defined) {
    node_list nodes = {0};
    bool found = false;
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count && !found; i++)
        found = defined != NULL ? defines_gated(defined, nodes.items[i]) : jumps(nodes.items[i]);
    vec_dispose(&nodes);
    return found;
}

static bool defines(const struct gate *gate, const struct tree *tree) {
    return any_node(tree, gate);
}

/* `n > 3 && (k = 9)`, `c ? f(&k) : 0`: it may not be assigned. */
static bool may_not_happen(const struct gate *gate, const struct node *node) {
    const struct ast *ast = node->ast;
    bool is_root = ast != NULL && (ast->kind == AST_VARIABLE ||
                                   (ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0));
    bool calls = gate->held != NULL && node->calls.count > 0;
    return ast == NULL || ((!is_root || calls) && always_executed_is_in_part(ast));
}

/* The value that the only assignment in a plain statement gives. */
static bool print_assigned(const struct gate *gate, const struct tree *tree) {
    const struct node *found = NULL;
    if (tree->kids.count > 0)
        return false;
    for (size_t i = 0; i < tree->nodes.count; i++) {
        if (!defines_gated(gate, tree->nodes.items[i]))
            continue;
        if (found != NULL)
            return false;
        found = tree->nodes.items[i];
    }
    if (found != NULL && may_not_happen(gate, found))
        return false;
    if (gate->held != NULL)
        return found != NULL &&
               written_value_print_written(gate->out, gate->frame, found, gate->held);
    const struct ast *value = found != NULL ? assigned_value(found, gate->object) : NULL;
    return value != NULL &&
           expression_print_as(gate->out, gate->frame, found, value, gate->object->type);
}

static bool print_after(const struct gate *gate, const struct tree *tree);

/* The value behind the last statement of a branch. */
static bool print_end(const struct gate *gate, const struct tree *branch) {
    if (branch->ast->kind != AST_COMPOUND)
        return defines(gate, branch) ? print_after(gate, branch) : print_before(gate, branch);
    for (size_t i = branch->kids.count; i-- > 0;)
        if (defines(gate, branch->kids.items[i]))
            return print_after(gate, branch->kids.items[i]);
    return print_before(gate, branch);
}

static bool print_if(const struct gate *gate, const struct tree *tree) {
    const struct node *condition = tree->nodes.count > 0 ? tree->nodes.items[0] : NULL;
    if (condition == NULL || any_node(tree, NULL))
        return false;
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (defines_gated(gate, tree->nodes.items[i]))
            return false;
    bool sources = gate->frame->sources != NULL; /* of both branches */
    if (sources && !origins_may_go_on(gate->frame->sources))
        return false;
    str_addc(gate->out, '(');
    if (!sources && !expression_print(gate->out, gate->frame, condition, tree->ast->kids[0]))
        return false;
    str_add(gate->out, " ? ");
    if (!print_end(gate, tree->kids.items[0]) && !sources)
        return false;
    str_add(gate->out, " : ");
    if (!(tree->kids.count > 1 ? print_end(gate, tree->kids.items[1]) : print_before(gate, tree)))
        return false;
    str_addc(gate->out, ')');
    return true;
}

/* `tree` assigns the local somewhere. */
static bool print_after(const struct gate *gate, const struct tree *tree) {
    switch (tree->ast->kind) {
    case AST_IF:
        return print_if(gate, tree);
    case AST_COMPOUND:
        return print_end(gate, tree);
    default:
        return print_assigned(gate, tree);
    }
}

/* Where the region begins. */
static bool print_itself(const struct gate *gate) {
    const struct object *object = gate->object;
    if (gate->held != NULL || !expression_is_in_scope(gate->frame->region, object) ||
        !expression_obtains(gate->frame, object))
        return false;
    str_add(gate->out, object->name);
    return true;
}

static bool steps(const struct ast *ast, const struct object *object) {
    struct loop_shape step = {0};
    if (ast->kind == AST_BINARY && strcmp(ast->op, ",") == 0)
        return steps(ast->kids[0], object) || steps(ast->kids[1], object);
    return loop_shape_read_step(&step, ast) && !step.geometric &&
           step.variable == object->declaration;
}

static bool counts(const struct node *node, const struct object *object) {
    size_t writes = 0;
    for (size_t i = 0; i < node->defines.count; i++)
        writes += node->defines.items[i].object == object->id;
    return node->ast != NULL && writes == 1 && steps(node->ast, object);
}

/* In the first round of the loop the local is read before it is counted. */
static bool is_counted_later(const struct gate *gate, const struct tree *loop,
                             const struct node *node) {
    struct range read = gate->reader->range, count = node->range;
    if (loop->step != NULL && node->tree == loop->step)
        return true;
    return gate->reader->function == node->function && read.file == count.file &&
           read.end <= count.begin;
}

/* What the local is in a loop, or behind a statement, is what it was before: nothing assigns it
 * there, or that is not looked at. */
static bool is_constant_in(const struct gate *gate, const struct tree *tree) {
    node_list nodes = {0};
    bool constant = true;
    tree_nodes(tree, &nodes);
    bool counted_before = false;
    for (size_t i = 0; i < nodes.count && constant; i++) {
        if (!defines_gated(gate, nodes.items[i]))
            continue;
        constant = gate->frame->begins != NULL && gate->held == NULL &&
                   counts(nodes.items[i], gate->object);
        counted_before |= constant && !is_counted_later(gate, tree, nodes.items[i]);
    }
    vec_dispose(&nodes);
    if (constant && counted_before)
        (*gate->frame->begins)++;
    return constant;
}

/* What is in front of the block or branch that was walked through. */
static bool print_outside(const struct gate *gate, const struct tree *block) {
    bool branch = block->ast->kind == AST_COMPOUND || block->ast->kind == AST_IF;
    for (size_t i = 0; i < block->nodes.count; i++) /* the condition */
        if (defines_gated(gate, block->nodes.items[i]))
            return false;
    return (branch || (tree_is_loop(block) && is_constant_in(gate, block))) &&
           print_before(gate, block);
}

static bool begins_region(const struct gate *gate, const struct tree *tree) {
    return gate->frame->depth == 0 && tree == gate->frame->region->trees.items[0];
}

/* Nothing else in its statement assigns it. */
static bool print_before_node(const struct gate *gate, const struct node *node) {
    const struct tree *tree = node->tree;
    for (size_t i = 0; tree != NULL && !tree_is_loop(tree) && i < tree->nodes.count; i++)
        if (tree->nodes.items[i] != node && defines_gated(gate, tree->nodes.items[i]))
            return false;
    return tree != NULL && (!tree_is_loop(tree) || is_constant_in(gate, tree)) &&
           print_before(gate, tree);
}

/* Where the function begins: in front of the call, if it is not a variable of its own. */
static bool print_before_call(const struct gate *gate) {
    struct gate outer = *gate;
    if (gate->held == NULL || gate->frame->caller == NULL ||
        gate->object->function == gate->frame->function)
        return false;
    struct frame caller = *gate->frame->caller;
    caller.sources = gate->frame->sources;
    caller.unsafe = caller.unsafe || caller.sources != NULL;
    outer.frame = &caller;
    return print_before_node(&outer, gate->frame->called_at);
}

static bool has_label(const struct tree *tree) {
    if (tree->ast->kind == AST_LABEL)
        return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (has_label(tree->kids.items[i]))
            return true;
    return false;
}

/* What is behind it may be reached without what is in front of it. */
static bool is_entered(const struct tree *tree) {
    return tree->ast->kind == AST_CASE || has_label(tree);
}

static bool print_before(const struct gate *gate, const struct tree *tree) {
    const struct tree *block = tree->parent;
    if (begins_region(gate, tree))
        return print_itself(gate);
    if (block == NULL)
        return print_before_call(gate);
    if (block->ast->kind == AST_FOR && tree == block->init)
        return print_before(gate, block);
    if (block->ast->kind == AST_FOR && tree == block->step)
        return print_outside(gate, block);
    size_t at = 0;
    while (at < block->kids.count && block->kids.items[at] != tree)
        at++;
    if (at == block->kids.count)
        return false;
    for (; block->ast->kind == AST_COMPOUND && at > 0; at--) {
        const struct tree *before = block->kids.items[at - 1];
        if (is_entered(before))
            return false;
        if (!is_constant_in(gate, before))
            return print_after(gate, before);
        if (begins_region(gate, before))
            return print_itself(gate);
    }
    return print_outside(gate, block);
}

bool conditional_value_print(struct str *out, const struct frame *frame,
                             const struct object *object, const struct node *node) {
    struct gate gate = {.out = out, .frame = frame, .object = object, .reader = node};
    return flow_tracks(object) && print_before_node(&gate, node);
}

static struct gate gate_of_written_value(struct str *out, const struct frame *frame,
                                         const struct held *held) {
    return (struct gate){.out = out, .frame = frame, .object = held->object, .held = held};
}

bool conditional_value_print_written(struct str *out, const struct frame *frame,
                                     const struct held *held, const struct node *node) {
    struct gate gate = gate_of_written_value(out, frame, held);
    return (node->calls.count == 0 || !defines_gated(&gate, node)) &&
           print_before_node(&gate, node);
}

bool conditional_value_print_at_end(struct str *out, const struct frame *frame,
                                    const struct held *held) {
    struct gate gate = gate_of_written_value(out, frame, held);
    return print_end(&gate, frame->function->tree);
}
