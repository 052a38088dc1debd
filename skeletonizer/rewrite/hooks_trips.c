/* SPDX-License-Identifier: Apache-2.0
 *
 * How many iterations of a loop are left when its condition is evaluated, as C in that place: of
 * `i < n` it is bsim_trips(i, n, 1), whichever of the two moves, for what is between them has to
 * become nothing. Of several conditions joined by && it is the first one, which is evaluated
 * always; the loop may then end sooner.
 *
 * In: a comparison of integers without side effects or calls. A step other than one is taken from
 * the header of a `for`. That nothing else changes the distance is not looked at here: the runtime
 * compares with what it was told before. Not handled: the condition of `do`, which is evaluated
 * when an iteration has already been made with variables that may have moved or not.
 */
#include "skeletonizer/rewrite/hooks.h"
#include "skeletonizer/slice/loop_shape.h"
#include "skeletonizer/text/spelling.h"

#include <string.h>

static bool is_plain(const struct ast *ast) {
    bool changes =
        ast->kind == AST_UNARY && (strstr(ast->op, "++") != NULL || strstr(ast->op, "--") != NULL);
    switch (ast->kind) {
    case AST_CONSTANT:
    case AST_SIZEOF:
        return true;
    case AST_REFERENCE:
    case AST_MEMBER:
    case AST_SUBSCRIPT:
    case AST_UNARY:
    case AST_BINARY:
    case AST_CAST:
        break;
    default:
        return false;
    }
    if (changes || (ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0))
        return false;
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kids[i] != NULL && !is_plain(ast->kids[i]))
            return false;
    return true;
}

static bool is_number(const struct ast *ast) {
    return ast->type != NULL &&
           (ast->type->kind == TYPE_INTEGER || ast->type->kind == TYPE_CHARACTER);
}

static const char *text_of(const struct slice *s, const struct node *node, const struct ast *ast) {
    return is_plain(ast) && is_number(ast) && spelling_of_part(node, ast)
               ? program_text(s->program, ast->range)
               : NULL;
}

/* The part of the condition that is evaluated first. */
static const struct ast *first_comparison(const struct ast *ast) {
    while (ast->kind == AST_BINARY && strcmp(ast->op, "&&") == 0)
        ast = ast->kids[0];
    bool compares =
        ast->kind == AST_BINARY &&
        (strcmp(ast->op, "<") == 0 || strcmp(ast->op, "<=") == 0 || strcmp(ast->op, ">") == 0 ||
         strcmp(ast->op, ">=") == 0 || strcmp(ast->op, "!=") == 0);
    return compares ? ast : NULL;
}

static bool mentions(const struct ast *ast, const struct declaration *variable) {
    if (ast->kind == AST_REFERENCE && ast->declaration == variable)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kids[i] != NULL && mentions(ast->kids[i], variable))
            return true;
    return false;
}

struct hooks_trips_shape {
    const struct ast *low, *high;
    bool inclusive;
    struct loop_shape step; /* variable NULL: by one */
};

/* A `for` whose step moves a variable of the comparison. */
static bool read_step(struct hooks_trips_shape *out, const struct slice *s, const struct tree *loop,
                      const struct ast *comparison) {
    bool has_step = loop->ast->kind == AST_FOR && loop->ast->kids[2] != NULL;
    if (!has_step || !loop_shape_read_step(&out->step, loop->ast->kids[2]))
        return true;
    if (!mentions(comparison, out->step.variable)) {
        out->step = (struct loop_shape){0};
        return true;
    }
    return loop->step->nodes.count > 0 && slice_keeps_node(s, loop->step->nodes.items[0]);
}

static bool read_shape(struct hooks_trips_shape *out, const struct slice *s,
                       const struct tree *loop, const struct ast *comparison) {
    *out = (struct hooks_trips_shape){.low = comparison->kids[0], .high = comparison->kids[1]};
    if (!read_step(out, s, loop, comparison))
        return false;
    out->inclusive = strlen(comparison->op) == 2 && comparison->op[0] != '!';
    bool swapped = comparison->op[0] == '>';
    if (comparison->op[0] == '!') {
        if (out->step.variable == NULL)
            return false;
        swapped = mentions(comparison->kids[0], out->step.variable) == out->step.down;
    }
    if (swapped) {
        out->low = comparison->kids[1];
        out->high = comparison->kids[0];
    }
    return true;
}

static const char *step_text(const struct slice *s, const struct tree *loop,
                             const struct loop_shape *step) {
    if (step->variable == NULL || step->step == NULL)
        return "1";
    const char *text = text_of(s, loop->step->nodes.items[0], step->step);
    return text != NULL && step->shift ? arena_printf(&s->program->arena, "(1L << (%s))", text)
                                       : text;
}

/* i *= 2 and i /= 2 start from the variable itself. */
static const char *print(const struct slice *s, const struct hooks_trips_shape *shape,
                         const char *low, const char *high, const char *step) {
    struct arena *arena = &s->program->arena;
    const char *more = shape->inclusive ? " + 1" : "", *less = shape->inclusive ? " - 1" : "";
    if (!shape->step.geometric)
        return arena_printf(arena, "bsim_trips(%s, %s%s, %s)", low, high, more, step);
    const struct ast *from = shape->step.down ? shape->high : shape->low;
    if (from->kind != AST_REFERENCE || from->declaration != shape->step.variable)
        return NULL;
    if (shape->step.down)
        return arena_printf(arena, "bsim_halvings(%s, %s%s, %s)", high, low, less, step);
    return arena_printf(arena, "bsim_doublings(%s, %s%s, %s)", low, high, more, step);
}

const char *hooks_left(const struct slice *s, const struct tree *loop) {
    const struct node *node = hooks_condition(loop);
    const struct ast *comparison = first_comparison(node->ast);
    const struct ast *given = s->cut != NULL ? s->cut[node->id] : NULL;
    struct hooks_trips_shape shape;
    if (comparison == NULL || loop->ast->kind == AST_DO || comparison->from_macro ||
        !read_shape(&shape, s, loop, comparison))
        return NULL;
    if (given != NULL && given->range.begin < comparison->range.end &&
        comparison->range.begin < given->range.end)
        return NULL;
    const char *low = text_of(s, node, shape.low), *high = text_of(s, node, shape.high);
    if (high != NULL && shape.inclusive && shape.high->kind == AST_BINARY)
        high = arena_printf(&s->program->arena, "(%s)", high);
    const char *step = step_text(s, loop, &shape.step);
    return low != NULL && high != NULL && step != NULL ? print(s, &shape, low, high, step) : NULL;
}
