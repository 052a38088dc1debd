/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the expression of an address. Out: how it moves with each loop around it: a sum of a base,
 * constant multiples of the loops' iterations, and what stays. Parameters stand for their
 * arguments, locals with one definition for that, functions that only return an expression for
 * that. A variable that is counted in a loop moves with it. Not handled: products of two things
 * that move, remainders, and what is assigned in several places: they are unknown.
 */
#include "skeletonizer/signature/access_address.h"

#include "frontend/program/tree.h"
#include "skeletonizer/signature/address_sum.h"

#include "skeletonizer/slice/flow.h"

#include <math.h>
#include <string.h>

#define DEPTH_MAX 40   /* of expressions and definitions that are followed */
#define STEPS_MAX 1000 /* all of them for one address: definitions by others multiply */

static struct address value_of(const struct signature_place *place, const struct ast *ast,
                               int depth);
static struct address place_of(const struct signature_place *place, const struct ast *ast,
                               int depth);

static int loop_count(const struct signature_place *place) {
    int count = 0;
    for (const struct enclosing_loop *loop = place->loops; loop != NULL; loop = loop->outer)
        count++;
    return count;
}

/* Of the loops around, counted from the outermost one; -1: beyond the limit. */
static int position_of(const struct signature_place *place, const struct enclosing_loop *wanted) {
    int position = loop_count(place) - 1;
    for (const struct enclosing_loop *loop = place->loops; loop != wanted; loop = loop->outer)
        position--;
    return position < SIGNATURE_STEPS_MAX ? position : -1;
}

static const char *text_of(const struct signature_place *place, const struct ast *ast) {
    return program_text(place->walk->slice->program, ast->range);
}

/* What moves in it, by how much is not known: remainders, quotients. */
static struct address blurred(const struct signature_place *place, struct address a,
                              struct address b, const struct ast *ast) {
    if (!address_moves(&a) && !address_moves(&b))
        return address_is_number(&a) && address_is_number(&b) ? address_unknown()
                                                              : address_term(text_of(place, ast));
    return address_unknown();
}

/* ---- Variables ---- */

static const struct enclosing_loop *loop_of(const struct signature_place *place,
                                            const struct declaration *variable) {
    for (const struct enclosing_loop *loop = place->loops; loop != NULL; loop = loop->outer)
        if (loop->variable != NULL && strcmp(loop->variable->key, variable->key) == 0)
            return loop;
    return NULL;
}

static struct address of_loop_variable(const struct signature_place *place,
                                       const struct enclosing_loop *loop, int depth) {
    struct signature_place there = *place;
    int position = position_of(place, loop);
    if (position < 0)
        return address_unknown();
    there.frame = loop->frame;
    there.tree = loop->first_tree;
    there.loops = loop->outer;
    struct address address = value_of(&there, loop->first, depth + 1);
    address.step[position] = loop->step != 0 ? (double)loop->step : NAN;
    return address;
}

static const struct ast *assigned_by(const struct node *node, const struct object *object) {
    const struct ast *ast = node->ast;
    if (ast == NULL)
        return NULL;
    if (ast->kind == AST_VARIABLE && ast->declaration == object->declaration)
        return ast->kid_count > 0 ? ast->kids[0] : NULL;
    return ast_is_assignment(ast) && ast->kids[0]->kind == AST_REFERENCE &&
                   ast->kids[0]->declaration == object->declaration
               ? ast->kids[1]
               : NULL;
}

struct definitions {
    int count;              /* all */
    const struct node *set; /* that assigns a value, if there is one only */
    const struct node *other;
    int set_count;
};

static struct definitions definitions_of(const struct function *function,
                                         const struct object *object) {
    struct definitions found = {0};
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_ENTRY || !node_defines(node, object))
            continue;
        found.count++;
        if (assigned_by(node, object) != NULL) {
            found.set = node;
            found.set_count++;
        } else {
            found.other = node;
        }
    }
    return found;
}

/* The node, of the place's frame, is executed in each iteration of the loop. Loops of functions
 * that are called from there are within it, those of its callers around it. */
static bool is_executed_in(const struct signature_place *place, const struct enclosing_loop *loop,
                           const struct node *node) {
    int depth = place->frame->depth;
    return loop->depth < depth ||
           (loop->depth == depth && node->tree != NULL && tree_is_within(node->tree, loop->tree));
}

/* The innermost loop around the place in which the node is executed, too. */
static const struct enclosing_loop *loop_with(const struct signature_place *place,
                                              const struct node *node) {
    for (const struct enclosing_loop *loop = place->loops; loop != NULL; loop = loop->outer)
        if (is_executed_in(place, loop, node))
            return loop;
    return NULL;
}

/* Nothing tells the value that the node assigns: it moves with the loops that it is executed in. */
static struct address assigned_at(const struct signature_place *place, const struct node *node,
                                  struct address stays) {
    for (const struct enclosing_loop *loop = place->loops; loop != NULL; loop = loop->outer) {
        int position = position_of(place, loop);
        if (is_executed_in(place, loop, node) && position >= 0)
            stays.step[position] = NAN;
    }
    stays.is_unknown = place->loops != NULL && is_executed_in(place, place->loops, node);
    return stays;
}

/* `p++` and `i += 2` in a loop. */
static struct address counted(const struct signature_place *place, const struct node *node,
                              const struct ast *reference) {
    const struct enclosing_loop *loop = loop_with(place, node);
    struct address address = address_term(text_of(place, reference));
    struct loop_shape shape = {0};
    int position = loop != NULL ? position_of(place, loop) : -1;
    if (reference->type->kind == TYPE_POINTER) {
        address.base = address.terms;
        address.terms = "";
    }
    if (loop == NULL)
        return address;
    if (position < 0 || node->ast == NULL || !loop_shape_read_step(&shape, node->ast) ||
        shape.variable != reference->declaration || shape.geometric)
        return address_unknown();
    double step = shape.step == NULL ? 1 : shape.step->has_value ? (double)shape.step->value : NAN;
    double unit = reference->type->kind == TYPE_POINTER && reference->type->element != NULL
                      ? (double)reference->type->element->size_bytes
                      : 1;
    address.step[position] = (shape.down ? -1 : 1) * step * unit;
    return address;
}

/* The pointer's new value is what was loaded behind its old one. */
static bool is_chase(const struct ast *value, const struct declaration *pointer) {
    value = ast_without_casts(value);
    while (value != NULL && value->kid_count > 0 &&
           (value->kind == AST_MEMBER || value->kind == AST_SUBSCRIPT || value->kind == AST_UNARY))
        value = ast_without_casts(
            value->kids[value->kind == AST_SUBSCRIPT && value->kids[1]->kind == AST_REFERENCE &&
                                value->kids[1]->declaration == pointer
                            ? 1
                            : 0]);
    return value != NULL && value->kind == AST_REFERENCE && value->declaration == pointer;
}

/* By several nodes. */
static struct address assigned_anywhere(const struct signature_place *place,
                                        const struct object *object, struct address stays) {
    const struct function *function = place->frame->function;
    for (size_t i = 0; i < function->nodes.count; i++)
        if (function->nodes.items[i]->kind != NODE_ENTRY &&
            node_defines(function->nodes.items[i], object)) {
            bool was_unknown = stays.is_unknown;
            stays = assigned_at(place, function->nodes.items[i], stays);
            stays.is_unknown = stays.is_unknown || was_unknown;
        }
    return stays;
}

static struct address of_local(const struct signature_place *place, const struct ast *reference,
                               const struct object *object, int depth) {
    const struct definitions found = definitions_of(place->frame->function, object);
    const struct ast *value = found.set != NULL ? assigned_by(found.set, object) : NULL;
    struct address stays = address_term(text_of(place, reference));
    if (reference->type->kind == TYPE_POINTER)
        stays = (struct address){.base = stays.terms, .terms = ""};
    if (found.count == 0)
        return stays; /* a parameter, or never assigned */
    if (found.count == 1 && found.set_count == 1) {
        struct signature_place there = *place;
        there.tree = found.set->tree;
        if (is_chase(value, reference->declaration)) {
            stays.is_chased = loop_with(place, found.set) != NULL;
            return stays;
        }
        struct address followed = value_of(&there, value, depth + 1);
        return followed.is_unknown ? assigned_at(place, found.set, stays) : followed;
    }
    if (found.set_count >= 1 && found.set_count == found.count &&
        loop_with(place, found.set) != NULL && is_chase(value, reference->declaration)) {
        stays.is_chased = true;
        return stays;
    }
    if (found.count - found.set_count == 1)
        return counted(place, found.other, reference);
    return assigned_anywhere(place, object, stays);
}

static struct address of_reference(const struct signature_place *place, const struct ast *ast,
                                   int depth) {
    const struct enclosing_loop *loop = loop_of(place, ast->declaration);
    const struct binding *binding = frame_binding(place->frame, ast->declaration);
    if (loop != NULL)
        return of_loop_variable(place, loop, depth);
    if (ast->type != NULL && ast->type->kind == TYPE_ARRAY)
        return place_of(place, ast, depth + 1);
    if (binding != NULL && binding->argument != NULL) {
        struct signature_place there = *place;
        there.frame = binding->argument_frame;
        there.tree = binding->argument_node->tree;
        return value_of(&there, binding->argument, depth + 1);
    }
    const struct object *object =
        program_object(place->walk->slice->program, place->frame->function, ast->declaration);
    if (object != NULL && flow_tracks(object))
        return of_local(place, ast, object, depth);
    const char *text = text_of(place, ast);
    return ast->type->kind == TYPE_POINTER ? (struct address){.base = text, .terms = ""}
                                           : address_term(text);
}

/* ---- Expressions ---- */

/* What was loaded: a pointer to somewhere, or a number. Where its own place moves, so does it. */
static struct address of_loaded(const struct signature_place *place, const struct ast *ast,
                                int depth) {
    struct address from = place_of(place, ast, depth + 1);
    bool is_pointer = ast->type != NULL && ast->type->kind == TYPE_POINTER;
    bool moved = address_moves(&from);
    struct address loaded = {.base = is_pointer ? text_of(place, ast) : "",
                             .terms = is_pointer ? "" : text_of(place, ast)};
    for (int i = 0; i < SIGNATURE_STEPS_MAX; i++)
        if (from.step[i] != 0)
            loaded.step[i] = NAN;
    loaded.is_indexed = moved && !is_pointer;
    loaded.is_chased = from.is_chased;
    loaded.is_unknown = from.is_unknown;
    return loaded;
}

/* Of a function that returns an expression, perhaps of locals that it declares before. */
static struct address of_call(const struct signature_place *place, const struct ast *ast,
                              int depth) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    const struct node *node;
    const struct call *call = signature_call_of(place, ast, &node);
    if (call == NULL || !frame_enter(&inner, bindings, place->frame, node, call))
        return address_unknown();
    const struct tree *tree = inner.function->tree;
    const struct tree *last = tree->kids.count > 0 ? tree->kids.items[tree->kids.count - 1] : NULL;
    if (last == NULL || last->ast->kind != AST_RETURN || last->ast->kid_count == 0)
        return address_unknown();
    struct signature_place there = *place;
    there.frame = &inner;
    there.tree = last;
    struct address value = value_of(&there, last->ast->kids[0], depth + 1);
    return value;
}

static double element_bytes(const struct type *type) {
    const struct type *element = type != NULL ? type->element : NULL;
    return element != NULL ? (double)element->size_bytes : 0;
}

static struct address of_sum(const struct signature_place *place, const struct ast *ast,
                             int depth) {
    struct address a = value_of(place, ast->kids[0], depth + 1);
    struct address b = value_of(place, ast->kids[1], depth + 1);
    double sign = ast->op[0] == '-' ? -1 : 1;
    double a_bytes = element_bytes(ast->kids[0]->type), b_bytes = element_bytes(ast->kids[1]->type);
    if (a_bytes > 0 && b_bytes > 0)
        return address_unknown(); /* the distance of two pointers */
    if (a_bytes > 0)
        b = address_scale(place->walk->arena, b, address_constant(a_bytes));
    if (b_bytes > 0)
        a = address_scale(place->walk->arena, a, address_constant(b_bytes));
    return address_add(place->walk->arena, a, b, sign);
}

static struct address of_binary(const struct signature_place *place, const struct ast *ast,
                                int depth) {
    if (strcmp(ast->op, "+") == 0 || strcmp(ast->op, "-") == 0)
        return of_sum(place, ast, depth);
    if (strcmp(ast->op, ",") == 0)
        return value_of(place, ast->kids[1], depth + 1);
    struct address a = value_of(place, ast->kids[0], depth + 1);
    struct address b = value_of(place, ast->kids[1], depth + 1);
    if (strcmp(ast->op, "*") == 0)
        return address_multiply(place->walk->arena, a, b);
    if (strcmp(ast->op, "<<") == 0 && address_is_number(&b) && b.offset >= 0 && b.offset < 62)
        return address_scale(place->walk->arena, a,
                             address_constant((double)(1LL << (int)b.offset)));
    return blurred(place, a, b, ast);
}

static struct address of_unary(const struct signature_place *place, const struct ast *ast,
                               int depth) {
    if (strcmp(ast->op, "&") == 0)
        return place_of(place, ast->kids[0], depth + 1);
    if (strcmp(ast->op, "*") == 0)
        return ast->type->kind == TYPE_ARRAY ? place_of(place, ast, depth + 1)
                                             : of_loaded(place, ast, depth + 1);
    if (strcmp(ast->op, "-") == 0)
        return address_scale(place->walk->arena, value_of(place, ast->kids[0], depth + 1),
                             address_constant(-1));
    if (strcmp(ast->op, "!") == 0 || strcmp(ast->op, "~") == 0)
        return address_unknown();
    return value_of(place, ast->kids[0], depth + 1);
}

/* One of two things that stay. */
static struct address of_conditional(const struct signature_place *place, const struct ast *ast,
                                     int depth) {
    struct address a = value_of(place, ast->kids[1], depth + 1);
    struct address b = value_of(place, ast->kids[2], depth + 1);
    if (address_moves(&a) || address_moves(&b))
        return address_unknown();
    return (struct address){.base = a.base[0] != '\0' ? a.base : b.base,
                            .terms = text_of(place, ast)};
}

static struct address value_of(const struct signature_place *place, const struct ast *ast,
                               int depth) {
    if (depth > DEPTH_MAX || place->walk->steps_left-- <= 0)
        return address_unknown();
    if (ast->has_value)
        return address_constant((double)ast->value);
    switch (ast->kind) {
    case AST_CAST:
        return value_of(place, ast->kids[ast->kid_count - 1], depth + 1);
    case AST_REFERENCE:
        return ast->declaration->kind == DECLARATION_VARIABLE ? of_reference(place, ast, depth)
                                                              : address_unknown();
    case AST_UNARY:
        return of_unary(place, ast, depth);
    case AST_BINARY:
        return of_binary(place, ast, depth);
    case AST_CONDITIONAL:
        return of_conditional(place, ast, depth);
    case AST_CALL:
        return of_call(place, ast, depth);
    case AST_MEMBER:
    case AST_SUBSCRIPT:
        return ast->type->kind == TYPE_ARRAY ? place_of(place, ast, depth + 1)
                                             : of_loaded(place, ast, depth + 1);
    default:
        return address_unknown();
    }
}

static struct address of_member(const struct signature_place *place, const struct ast *ast,
                                int depth) {
    struct address base = ast->arrow ? value_of(place, ast->kids[0], depth + 1)
                                     : place_of(place, ast->kids[0], depth + 1);
    base.offset += (double)(ast->member_offset_bytes > 0 ? ast->member_offset_bytes : 0);
    if (base.base[0] != '\0' && ast->name != NULL)
        base.base = arena_printf(place->walk->arena, "%s%s%s", base.base, ast->arrow ? "->" : ".",
                                 ast->name);
    return base;
}

static struct address place_of(const struct signature_place *place, const struct ast *ast,
                               int depth) {
    if (depth > DEPTH_MAX)
        return address_unknown();
    switch (ast->kind) {
    case AST_CAST:
        return place_of(place, ast->kids[ast->kid_count - 1], depth + 1);
    case AST_REFERENCE: {
        const struct binding *binding = frame_binding(place->frame, ast->declaration);
        if (binding != NULL && binding->record != NULL) {
            struct signature_place there = *place;
            there.frame = binding->argument_frame;
            there.tree = binding->argument_node->tree;
            return place_of(&there, binding->argument, depth + 1);
        }
        return (struct address){.base = text_of(place, ast), .terms = ""};
    }
    case AST_MEMBER:
        return of_member(place, ast, depth);
    case AST_UNARY:
        return strcmp(ast->op, "*") == 0 ? value_of(place, ast->kids[0], depth + 1)
                                         : address_unknown();
    case AST_SUBSCRIPT: {
        struct address base = value_of(place, ast->kids[0], depth + 1);
        struct address index = value_of(place, ast->kids[1], depth + 1);
        double bytes = ast->type != NULL ? (double)ast->type->size_bytes : 0;
        return bytes > 0
                   ? address_add(place->walk->arena, base,
                                 address_scale(place->walk->arena, index, address_constant(bytes)),
                                 1)
                   : address_unknown();
    }
    default:
        return address_unknown();
    }
}

struct address address_of(const struct signature_place *place, const struct ast *lvalue) {
    place->walk->steps_left = STEPS_MAX;
    return place_of(place, lvalue, 0);
}

struct address address_value(const struct signature_place *place, const struct ast *ast) {
    place->walk->steps_left = STEPS_MAX;
    return value_of(place, ast, 0);
}

bool address_is_local(const struct ast *lvalue) {
    while (lvalue->kind == AST_MEMBER && !lvalue->arrow)
        lvalue = lvalue->kids[0];
    return lvalue->kind == AST_REFERENCE && lvalue->declaration->kind == DECLARATION_VARIABLE &&
           !lvalue->declaration->global && !lvalue->declaration->static_storage;
}
