/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of a region, into the functions that it calls, and keeps for each loop how
 * often its body runs in one execution of the region: the trip count, from init, bound and step,
 * times that of the loops around it. Bounds that depend on an outer loop's variable (triangular
 * loops) are averaged over its first and last value, which is exact when they are linear in it; a
 * constant factor is the latency model's business. Loops whose bounds are not known where the
 * region begins (a sparse matrix's rows, a while loop over data) are left out and counted in the
 * summary.
 */
#include "skeletonizer/features.h"

#include "skeletonizer/expression.h"

#include <stdio.h>
#include <string.h>

#define MAX_FEATURES 6
#define MAX_DEPTH 5

struct walk {
    struct slice *slice;
    struct plan_region *region;
    struct choice *choices[16];
    int choice_count;
};

struct loop {
    const struct declaration *variable;
    const struct ast *first, *end, *step; /* step NULL: 1 */
    const struct node *first_node;
    bool down, inclusive, step_negative;
};

static char *keep(const struct walk *w, struct str *text) {
    char *copy = arena_strdup(&w->slice->program->arena, str_text(text));
    str_dispose(text);
    return copy;
}

static void add_feature(struct walk *w, const char *expression, const char *meaning) {
    feature_list *list = &w->region->features;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].expression, expression) == 0)
            return;
    if (list->count >= MAX_FEATURES)
        return;
    struct plan_feature feature = {.expression = expression, .meaning = meaning};
    feature.name = arena_printf(&w->slice->program->arena, "n%zu", list->count + 1);
    vec_push(list, feature);
}

/* The shape of a for loop */

static bool is_variable(const struct ast *ast, const struct declaration *variable) {
    while (ast->kind == AST_CAST && ast->kid_count > 0)
        ast = ast->kids[ast->kid_count - 1];
    return ast->kind == AST_REFERENCE && ast->declaration == variable;
}

static bool read_step(struct loop *loop, const struct ast *step) {
    if (step->kind == AST_BINARY && strcmp(step->op, ",") == 0)
        return read_step(loop, step->kids[0]) || read_step(loop, step->kids[1]);
    const struct ast *target = step->kid_count > 0 ? step->kids[0] : NULL;
    if (target == NULL || target->kind != AST_REFERENCE)
        return false;
    loop->variable = target->declaration;
    if (step->kind == AST_UNARY) {
        loop->down = strstr(step->op, "--") != NULL;
        return loop->down || strstr(step->op, "++") != NULL;
    }
    if (step->kind == AST_COMPOUND_ASSIGN) {
        loop->step = step->kids[1];
        loop->down = strcmp(step->op, "-=") == 0;
        return loop->down || strcmp(step->op, "+=") == 0;
    }
    const struct ast *sum =
        step->kind == AST_BINARY && strcmp(step->op, "=") == 0 ? step->kids[1] : NULL;
    if (sum == NULL || sum->kind != AST_BINARY || !is_variable(sum->kids[0], loop->variable))
        return false;
    loop->step = sum->kids[1];
    loop->down = strcmp(sum->op, "-") == 0;
    return loop->down || strcmp(sum->op, "+") == 0;
}

static bool read_bound(struct loop *loop, const struct ast *condition) {
    if (condition->kind != AST_BINARY)
        return false;
    if (strcmp(condition->op, "&&") == 0)
        return read_bound(loop, condition->kids[0]) || read_bound(loop, condition->kids[1]);
    bool left = is_variable(condition->kids[0], loop->variable);
    bool right = is_variable(condition->kids[1], loop->variable);
    bool compares = strchr("<>", condition->op[0]) != NULL || strcmp(condition->op, "!=") == 0;
    if (left == right || !compares || strcmp(condition->op, "<<") == 0 ||
        strcmp(condition->op, ">>") == 0)
        return false;
    loop->end = condition->kids[left ? 1 : 0];
    loop->inclusive = strlen(condition->op) == 2 && condition->op[0] != '!';
    return true;
}

static const struct ast *find_first(struct loop *loop, const struct tree *init) {
    for (size_t i = 0; init != NULL && i < init->nodes.count; i++) {
        const struct node *node = init->nodes.items[i];
        const struct ast *ast = node->ast;
        loop->first_node = node;
        if (ast->kind == AST_VARIABLE && ast->declaration == loop->variable)
            return ast->kids[0];
        while (ast->kind == AST_BINARY && strcmp(ast->op, ",") == 0) {
            const struct ast *last = ast->kids[1];
            if (last->kind == AST_BINARY && strcmp(last->op, "=") == 0 &&
                is_variable(last->kids[0], loop->variable))
                return last->kids[1];
            ast = ast->kids[0];
        }
        if (ast->kind == AST_BINARY && strcmp(ast->op, "=") == 0 &&
            is_variable(ast->kids[0], loop->variable))
            return ast->kids[1];
    }
    return NULL;
}

static bool read_loop(struct loop *out, const struct tree *tree) {
    *out = (struct loop){0};
    if (tree->ast->kind != AST_FOR || tree->ast->kids[2] == NULL || tree->ast->kids[1] == NULL)
        return false;
    if (!read_step(out, tree->ast->kids[2]) || !read_bound(out, tree->ast->kids[1]))
        return false;
    out->first = find_first(out, tree->init);
    return out->first != NULL && out->variable->type->kind == TYPE_INTEGER;
}

/* Trip counts as text */

struct trip_text {
    char *first, *step, *trips;
};

static bool print_trips(struct walk *w, const struct frame *frame, const struct tree *tree,
                        const struct loop *loop, struct trip_text *out) {
    struct str first = {0}, end = {0}, step = {0}, trips = {0};
    const struct node *step_node =
        tree->step->nodes.count > 0 ? tree->step->nodes.items[0] : tree->condition;
    bool known = expression_print(&first, frame, loop->first_node, loop->first) &&
                 expression_print(&end, frame, tree->condition, loop->end);
    str_add(&step, loop->down ? "-" : "");
    if (loop->step == NULL)
        str_addc(&step, '1');
    else
        known = known && expression_print(&step, frame, step_node, loop->step);
    str_printf(&trips, "bsim_trips(%s, %s%s, %s)", str_text(&first), str_text(&end),
               !loop->inclusive ? ""
               : loop->down     ? " - 1"
                                : " + 1",
               str_text(&step));
    *out = (struct trip_text){keep(w, &first), keep(w, &step), keep(w, &trips)};
    str_dispose(&end);
    return known;
}

/* The mean over first and last values of the outer loop variables that the bounds mention. */
static bool mean_trips(struct walk *w, const struct frame *frame, const struct tree *tree,
                       const struct loop *loop, struct trip_text *out) {
    struct choice *touched[3];
    int count = 0;
    for (int i = 0; i < w->choice_count; i++)
        *w->choices[i] = (struct choice){0};
    if (!print_trips(w, frame, tree, loop, out))
        return false;
    for (int i = 0; i < w->choice_count; i++) {
        if (!w->choices[i]->touched)
            continue;
        if (count == 3)
            return false;
        touched[count++] = w->choices[i];
    }
    if (count == 0)
        return true;
    struct str sum = {0};
    for (int corner = 0; corner < 1 << count; corner++) {
        struct trip_text one;
        for (int i = 0; i < count; i++)
            touched[i]->last = (corner >> i) & 1;
        print_trips(w, frame, tree, loop, &one);
        str_printf(&sum, "%s%s", corner == 0 ? "((" : " + ", one.trips);
    }
    for (int i = 0; i < count; i++)
        touched[i]->last = false;
    str_printf(&sum, ") / %d)", 1 << count);
    out->trips = keep(w, &sum);
    return true;
}

/* The walk */

static void walk_tree(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const char *times);

static char *multiply(struct walk *w, const char *times, const char *factor) {
    struct arena *arena = &w->slice->program->arena;
    return strcmp(times, "1") == 0 ? arena_strdup(arena, factor)
                                   : arena_printf(arena, "BSIM_TIMES(%s, %s)", times, factor);
}

static void walk_kernel(struct walk *w, const struct frame *frame, const struct node *node,
                        const struct call *call, const char *times) {
    const char *cost = call->library->cost;
    struct str text = {0};
    bool known = true;
    while (*cost != '\0' && known) {
        size_t length = strspn(cost, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        int index = -1;
        for (int i = 0; length > 0 && i < call->library->parameter_count; i++) {
            const char *name = call->library->parameters[i].name;
            if (name != NULL && strlen(name) == length && strncmp(name, cost, length) == 0)
                index = i;
        }
        if (length == 0) {
            str_addc(&text, *cost++);
            continue;
        }
        known = index >= 0 && (size_t)index < call->arguments.count;
        str_add(&text, "(double)");
        known = known && expression_print(&text, frame, node, call->arguments.items[index].ast);
        cost += length;
    }
    char *expression = keep(w, &text);
    if (known)
        add_feature(w, multiply(w, times, expression),
                    arena_printf(&w->slice->program->arena, "operations of %s at line %d",
                                 call->name, call->ast->line));
}

static void walk_call(struct walk *w, const struct frame *frame, const struct node *node,
                      const struct call *call, const char *times) {
    if (call->library != NULL && call->library->cost != NULL) {
        walk_kernel(w, frame, node, call, times);
        return;
    }
    if (call->targets.count != 1 || frame->depth >= MAX_DEPTH)
        return;
    const struct function *function = call->targets.items[0];
    if (function == frame->function)
        return;
    struct frame inner = *frame;
    struct binding bindings[32];
    inner.function = function;
    inner.bindings = NULL;
    inner.depth++;
    size_t count = 0;
    for (size_t i = 0; i < function->parameters.count && i < call->arguments.count && count < 32;
         i++) {
        const struct object *parameter = function->parameters.items[i];
        bool changed = !flow_tracks(parameter);
        for (size_t n = 0; n < function->nodes.count && !changed; n++)
            for (size_t d = 0; d < function->nodes.items[n]->defines.count; d++)
                changed =
                    changed || function->nodes.items[n]->defines.items[d].object == parameter->id;
        if (changed)
            continue;
        bindings[count] = (struct binding){.outer = inner.bindings,
                                           .declaration = parameter->declaration,
                                           .argument = call->arguments.items[i].ast,
                                           .argument_node = node,
                                           .argument_frame = frame};
        inner.bindings = &bindings[count++];
    }
    walk_tree(w, &inner, function->tree, times);
}

static void walk_calls(struct walk *w, const struct frame *frame, const struct tree *tree,
                       const char *times) {
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct node *node = tree->nodes.items[i];
        for (size_t k = 0; k < node->calls.count; k++)
            walk_call(w, frame, node, node->calls.items[k], times);
    }
}

static void walk_loop(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const char *times) {
    struct loop loop;
    struct trip_text text;
    struct arena *arena = &w->slice->program->arena;
    const struct tree *body = tree->kids.items[0];
    struct frame inner = *frame;
    bool known =
        read_loop(&loop, tree) && w->choice_count < 16 && mean_trips(w, frame, tree, &loop, &text);
    if (!known) {
        inner.unsafe = true;
        walk_tree(w, &inner, body, times);
        return;
    }
    char *total = multiply(w, times, text.trips);
    add_feature(w, total,
                arena_printf(arena, "iterations of the loop over %s at line %d",
                             loop.variable->name, tree->ast->line));
    struct choice choice = {0};
    struct binding binding = {.outer = frame->bindings, .declaration = loop.variable};
    binding.choice = &choice;
    binding.first = text.first;
    binding.last = arena_printf(arena, "bsim_last(%s, %s, %s)", text.first, text.trips, text.step);
    inner.bindings = &binding;
    w->choices[w->choice_count++] = &choice;
    walk_tree(w, &inner, body, total);
    w->choice_count--;
}

static void walk_if(struct walk *w, const struct frame *frame, const struct tree *tree,
                    const char *times) {
    struct str condition = {0};
    struct frame inner = *frame;
    struct choice saved[16];
    for (int i = 0; i < w->choice_count; i++) {
        saved[i] = *w->choices[i];
        *w->choices[i] = (struct choice){0};
    }
    bool known = expression_print(&condition, frame, tree->nodes.items[0], tree->ast->kids[0]);
    for (int i = 0; i < w->choice_count; i++) {
        known = known && !w->choices[i]->touched;
        *w->choices[i] = saved[i];
    }
    char *text = keep(w, &condition);
    inner.unsafe = frame->unsafe || !known;
    for (size_t i = 0; i < tree->kids.count; i++) {
        const char *guard =
            arena_printf(&w->slice->program->arena, "(%s%s ? 1 : 0)", i == 0 ? "" : "!", text);
        const char *inside = !known                    ? times
                             : strcmp(times, "1") == 0 ? guard
                                                       : multiply(w, times, guard);
        walk_tree(w, &inner, tree->kids.items[i], inside);
    }
}

static void walk_tree(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const char *times) {
    walk_calls(w, frame, tree, times);
    switch (tree->ast->kind) {
    case AST_FOR:
        walk_loop(w, frame, tree, times);
        return;
    case AST_IF:
        walk_if(w, frame, tree, times);
        return;
    case AST_WHILE:
    case AST_DO:
    case AST_SWITCH: {
        struct frame inner = *frame;
        inner.unsafe = true;
        for (size_t i = 0; i < tree->kids.count; i++)
            walk_tree(w, &inner, tree->kids.items[i], times);
        return;
    }
    default:
        for (size_t i = 0; i < tree->kids.count; i++)
            walk_tree(w, frame, tree->kids.items[i], times);
    }
}

void features_find(struct slice *slice, struct plan_region *region) {
    struct walk walk = {.slice = slice, .region = region};
    node_list nodes = {0};
    for (size_t i = 0; i < region->trees.count; i++)
        plan_nodes(region->trees.items[i], &nodes);
    struct frame frame = {.slice = slice, .region = region, .function = region->function};
    region->features.count = 0;
    if (nodes.count > 0) {
        frame.entry = nodes.items[0];
        /* The step of a for loop comes before its body; its init is what is executed first. */
        const struct tree *first = region->trees.items[0];
        if (first->init != NULL && first->init->nodes.count > 0)
            frame.entry = first->init->nodes.items[0];
    }
    for (size_t i = 0; i < region->trees.count && frame.entry != NULL; i++)
        walk_tree(&walk, &frame, region->trees.items[i], "1");
    vec_dispose(&nodes);
}
