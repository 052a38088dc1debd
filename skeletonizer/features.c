/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of a region, into the functions that it calls, and keeps for each loop how
 * often its body runs in one execution of the region: the product of its trip count and those of
 * the loops around it. Where bounds depend on the variables of outer loops (triangular loops,
 * blocks), the product is averaged over their first and last values: exact when it is linear in
 * them, and otherwise a factor away, which is the latency model's business. Loops whose bounds are
 * not known where the region begins (the rows of a sparse matrix, a while loop over data) are left
 * out.
 */
#include "skeletonizer/features.h"

#include "skeletonizer/cut_parts.h"
#include "skeletonizer/feature_walk.h"
#include "skeletonizer/loops.h"

#include <string.h>

#define MAX_FEATURE_TEXT 1200 /* beyond it, a stub would cost more than it is worth */
#define MAX_AVERAGED 3

/* What multiplies a statement's executions: a loop around it, or a condition. */
struct level {
    const struct level *outer;
    const struct frame *frame;
    const struct loop *loop;     /* or */
    const struct node *guard;    /* the condition's node, its expression, */
    const struct ast *condition; /* and whether this is the else branch */
    bool negated;
};

static char *keep(const struct walk *w, struct str *text) {
    char *copy = arena_strdup(&w->slice->program->arena, str_text(text));
    str_dispose(text);
    return copy;
}

/* Products */

static bool print_factor(struct str *out, const struct level *level) {
    if (level->loop != NULL)
        return loop_print_trips(out, level->frame, level->loop);
    str_add(out, level->negated ? "(!" : "(");
    if (!expression_print(out, level->frame, level->guard, level->condition))
        return false;
    str_add(out, " ? 1 : 0)");
    return true;
}

static bool print_product(struct str *out, const struct level *level) {
    if (level == NULL) {
        str_addc(out, '1');
        return true;
    }
    if (level->outer == NULL)
        return print_factor(out, level);
    str_add(out, "BSIM_TIMES(");
    if (!print_product(out, level->outer))
        return false;
    str_add(out, ", ");
    if (!print_factor(out, level))
        return false;
    str_addc(out, ')');
    return true;
}

/* `inner` (may be NULL) is a further factor: operations of a kernel. */
struct product {
    const struct level *level;
    const struct frame *frame;
    const struct node *node;
    const struct call *kernel;
};

static bool print_cost(struct str *out, const struct product *p);

static bool print_all(struct str *out, const struct product *p) {
    if (p->kernel == NULL)
        return print_product(out, p->level);
    if (p->level == NULL)
        return print_cost(out, p);
    str_add(out, "BSIM_TIMES(");
    if (!print_product(out, p->level))
        return false;
    str_add(out, ", ");
    if (!print_cost(out, p))
        return false;
    str_addc(out, ')');
    return true;
}

static int find_touched(const struct walk *w, struct choice **touched) {
    int count = 0;
    for (int i = 0; i < w->choice_count; i++) {
        if (!w->choices[i]->touched)
            continue;
        if (count == MAX_AVERAGED)
            return -1;
        touched[count++] = w->choices[i];
    }
    return count;
}

/* The mean over first and last values of the loop variables that the product mentions, or NULL. */
static char *print_mean(const struct walk *w, const struct product *p) {
    struct choice *touched[MAX_AVERAGED];
    struct str text = {0};
    for (int i = 0; i < w->choice_count; i++)
        *w->choices[i] = (struct choice){0};
    bool known = print_all(&text, p);
    int count = known ? find_touched(w, touched) : -1;
    if (count <= 0) {
        char *single = keep(w, &text);
        return count == 0 && strlen(single) <= MAX_FEATURE_TEXT ? single : NULL;
    }
    text.length = 0;
    for (int corner = 0; corner < 1 << count && known; corner++) {
        for (int i = 0; i < count; i++)
            touched[i]->last = (corner >> i) & 1;
        str_add(&text, corner == 0 ? "((" : " + ");
        known = print_all(&text, p);
    }
    for (int i = 0; i < count; i++)
        touched[i]->last = false;
    str_printf(&text, ") / %d)", 1 << count);
    char *mean = keep(w, &text);
    return known && strlen(mean) <= MAX_FEATURE_TEXT ? mean : NULL;
}

/* Kernels: the cost of a row of externs.def with arguments for names. */

static int cost_argument(const struct call *call, const char *name, size_t length) {
    for (int i = 0; i < call->library->parameter_count; i++) {
        const char *parameter = call->library->parameters[i].name;
        if (parameter != NULL && strlen(parameter) == length &&
            strncmp(parameter, name, length) == 0)
            return (size_t)i < call->arguments.count ? i : -1;
    }
    return -1;
}

static bool print_cost(struct str *out, const struct product *p) {
    const char *cost = p->kernel->library->cost;
    str_addc(out, '(');
    while (*cost != '\0') {
        size_t length = strspn(cost, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        if (length == 0) {
            str_addc(out, *cost++);
            continue;
        }
        int index = cost_argument(p->kernel, cost, length);
        str_add(out, "(double)");
        if (index < 0 ||
            !expression_print(out, p->frame, p->node, p->kernel->arguments.items[index].ast))
            return false;
        cost += length;
    }
    str_addc(out, ')');
    return true;
}

static void walk_kernel(struct walk *w, const struct frame *frame, const struct node *node,
                        const struct call *call, const struct level *level) {
    struct product product = {level, frame, node, call};
    char *text = print_mean(w, &product);
    if (text != NULL)
        features_add_kernel(w, text,
                            arena_printf(&w->slice->program->arena, "operations of %s at line %d",
                                         call->name, call->ast->line));
}

/* The walk */

static void walk_tree(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const struct level *level);

static void walk_call(struct walk *w, const struct frame *frame, const struct node *node,
                      const struct call *call, const struct level *level) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    if (call->library != NULL && call->library->cost != NULL && call->targets.count == 0)
        walk_kernel(w, frame, node, call, level);
    else if (frame_enter(&inner, bindings, frame, node, call))
        walk_tree(w, &inner, inner.function->tree, level);
}

static void walk_calls(struct walk *w, const struct frame *frame, const struct tree *tree,
                       const struct level *level) {
    for (size_t i = 0; i < tree->nodes.count; i++) {
        const struct node *node = tree->nodes.items[i];
        for (size_t k = 0; k < node->calls.count; k++)
            walk_call(w, frame, node, node->calls.items[k], level);
    }
}

static void walk_unknown(struct walk *w, const struct frame *frame, const struct tree *tree,
                         const struct level *level) {
    struct frame inner = *frame;
    inner.unsafe = true;
    for (size_t i = 0; i < tree->kids.count; i++)
        walk_tree(w, &inner, tree->kids.items[i], level);
}

static void walk_loop(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const struct level *outer) {
    struct loop loop;
    struct level level = {.outer = outer, .frame = frame, .loop = &loop};
    struct product product = {.level = &level};
    char *total = NULL;
    if (loop_read(&loop, tree) && w->choice_count < FEATURES_MAX_CHOICES)
        total = print_mean(w, &product);
    if (total == NULL) {
        w->unknown_loops++;
        walk_unknown(w, frame, tree, outer);
        return;
    }
    features_add(w, total,
                 arena_printf(&w->slice->program->arena,
                              "iterations of the loop over %s at line %d", loop.variable->name,
                              tree->ast->line));
    struct choice choice = {0};
    struct binding binding = {.outer = frame->bindings,
                              .declaration = loop.variable,
                              .loop = &loop,
                              .loop_frame = frame,
                              .choice = &choice};
    struct frame inner = *frame;
    inner.bindings = &binding;
    w->choices[w->choice_count++] = &choice;
    walk_tree(w, &inner, tree->kids.items[0], &level);
    w->choice_count--;
}

static void walk_if(struct walk *w, const struct frame *frame, const struct tree *tree,
                    const struct level *outer) {
    struct level level = {.outer = outer, .frame = frame};
    struct product product = {.level = &level};
    level.guard = tree->nodes.items[0];
    level.condition = tree->ast->kids[0];
    if (print_mean(w, &product) == NULL) {
        walk_unknown(w, frame, tree, outer);
        return;
    }
    for (size_t i = 0; i < tree->kids.count; i++) {
        level.negated = i > 0;
        walk_tree(w, frame, tree->kids.items[i], &level);
    }
}

static void walk_tree(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const struct level *level) {
    walk_calls(w, frame, tree, level);
    switch (tree->ast->kind) {
    case AST_FOR:
        walk_loop(w, frame, tree, level);
        return;
    case AST_IF:
        walk_if(w, frame, tree, level);
        return;
    case AST_WHILE:
    case AST_DO:
        w->unknown_loops++;
        walk_unknown(w, frame, tree, level);
        return;
    case AST_SWITCH:
        walk_unknown(w, frame, tree, level);
        return;
    default:
        for (size_t i = 0; i < tree->kids.count; i++)
            walk_tree(w, frame, tree->kids.items[i], level);
    }
}

/* Of a loop or branch the code under it is not what decides it. */
static bool is_decision(const struct plan_region *region) {
    return region->value != NULL && cut_part_decides(region->value, region->part);
}

static struct node *find_entry(const struct plan_region *region) {
    node_list nodes = {0};
    struct node *entry = NULL;
    for (size_t i = 0; i < region->trees.count; i++)
        plan_nodes(region->trees.items[i], &nodes);
    if (nodes.count > 0) {
        entry = nodes.items[0];
        /* A for loop's nodes begin with its condition; its init is what is executed first. */
        const struct tree *first = region->trees.items[0];
        if (first->init != NULL && first->init->nodes.count > 0)
            entry = first->init->nodes.items[0];
    }
    vec_dispose(&nodes);
    return is_decision(region) ? region->value : entry;
}

/* Loops in front of the value, at each level of blocks: what they compute may be what is given.
 * What they read through pointers may be gone by now. */
static void walk_before(struct walk *w, const struct frame *frame) {
    struct frame inner = *frame;
    inner.unsafe = inner.scoped = true;
    for (const struct tree *tree = w->region->trees.items[0]; tree->parent != NULL;
         tree = tree->parent)
        for (size_t i = 0; i < tree->parent->kids.count && tree->parent->kids.items[i] != tree; i++)
            walk_tree(w, &inner, tree->parent->kids.items[i], NULL);
}

/* A number of the whole run: what one rank has at hand would only let ranks disagree. */
static bool is_agreed(const struct slice *slice, const struct plan_region *region) {
    return region->value != NULL && !is_decision(region) &&
           cut_part_holder(region->value, region->part)->type->kind == TYPE_FLOATING &&
           cut_part_is_agreed(slice, region->value, region->part);
}

void features_find(struct slice *slice, struct plan_region *region) {
    struct walk walk = {.slice = slice, .region = region};
    struct frame frame = {.slice = slice,
                          .region = region,
                          .entry = find_entry(region),
                          .function = region->function};
    region->features.count = 0;
    if (frame.entry == NULL || is_agreed(slice, region))
        return;
    for (size_t i = 0; i < region->trees.count && !is_decision(region); i++)
        walk_tree(&walk, &frame, region->trees.items[i], NULL);
    if (region->value != NULL && region->features.count == 0)
        walk_before(&walk, &frame);
    if (region->value != NULL || (walk.unknown_loops > 0 && region->features.count == 0)) {
        walk.size_limit = region->features.count + FEATURES_MAX_SIZES;
        features_add_sizes(&walk, &frame);
        features_add_members(&walk, &frame);
    }
}
