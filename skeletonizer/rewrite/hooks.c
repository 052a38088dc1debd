/* SPDX-License-Identifier: Apache-2.0
 *
 * Which loops have hooks, their numbers, and the edits; see hooks.h.
 */
#include "skeletonizer/rewrite/hooks.h"

#include "frontend/program/tree.h"
#include "skeletonizer/plan/given_values.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/text/directives.h"
#include "skeletonizer/text/spelling.h"

#include <string.h>

struct node *hooks_condition(const struct tree *loop) {
    for (size_t i = 0; i < loop->nodes.count; i++)
        if (loop->nodes.items[i]->kind == NODE_LOOP)
            return loop->nodes.items[i];
    return loop->condition;
}

/* ---- What happens in a loop ---- */

struct hooks_finder {
    const struct plan *plan;
    struct slice *slice;
    struct program *program;
    bool *acts;  /* by function: the simulation sees something of it */
    bool *talks; /* by function: it makes an MPI call */
    bool *inner; /* by function: called in a loop that talks */
};

static bool is_mpi_call(const struct slice *s, const struct call *call) {
    return slice_keeps_call(s, call) && call->targets.count == 0 && call->mpi != NULL &&
           call->mpi->criterion && !exits_program(call) && !call->node->ends_abnormally;
}

static bool any_of(const bool *functions, const struct slice *s, const struct call *call) {
    for (size_t i = 0; i < call->targets.count && slice_keeps_call(s, call); i++)
        if (functions[call->targets.items[i]->id])
            return true;
    return false;
}

static bool node_has(const struct hooks_finder *f, const bool *functions, const struct node *node) {
    for (size_t k = 0; k < node->calls.count; k++)
        if (is_mpi_call(f->slice, node->calls.items[k]) ||
            any_of(functions, f->slice, node->calls.items[k]))
            return true;
    return false;
}

static bool tree_has(const struct hooks_finder *f, const bool *functions, const struct tree *tree) {
    node_list nodes = {0};
    bool has = false;
    tree_nodes(tree, &nodes);
    for (size_t i = 0; i < nodes.count && !has; i++)
        has = node_has(f, functions, nodes.items[i]);
    vec_dispose(&nodes);
    return has;
}

static void spread(const struct hooks_finder *f, bool *functions) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < f->program->nodes.count; i++) {
            const struct node *node = f->program->nodes.items[i];
            if (node->function == NULL || functions[node->function->id] ||
                !node_has(f, functions, node))
                continue;
            functions[node->function->id] = changed = true;
        }
    }
}

static bool *new_flags(const struct hooks_finder *f) {
    size_t count = f->program->functions.count + 1;
    return memset(xmalloc(count), 0, count);
}

static bool is_stub(const struct code_region *region) {
    return region->value == NULL && !region->is_kept;
}

static void look_at_functions(struct hooks_finder *f) {
    f->talks = new_flags(f);
    f->acts = new_flags(f);
    f->inner = new_flags(f);
    spread(f, f->talks);
    for (size_t i = 0; i < f->plan->regions.count; i++)
        if (is_stub(f->plan->regions.items[i]))
            f->acts[f->plan->regions.items[i]->function->id] = true;
    spread(f, f->acts);
}

static bool holds_stub(const struct hooks_finder *f, const struct tree *loop) {
    for (size_t i = 0; i < f->plan->regions.count; i++)
        if (is_stub(f->plan->regions.items[i]) &&
            tree_is_within(f->plan->regions.items[i]->trees.items[0], loop))
            return true;
    return false;
}

static bool in_kept_region(const struct hooks_finder *f, const struct tree *tree) {
    for (size_t i = 0; i < f->plan->regions.count; i++) {
        const struct code_region *region = f->plan->regions.items[i];
        if (region->value == NULL && region->is_kept &&
            tree_is_within(tree, region->trees.items[0]))
            return true;
    }
    return false;
}

/* ---- Obstacles ---- */

static bool calls_itself(const struct slice *s, const struct function *function) {
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            for (size_t t = 0; t < call->targets.count; t++)
                if (slice_may_run(s, call->targets.items[t], function))
                    return true;
        }
    return false;
}

/* Also of a loop around it: `collapse`. */
static bool is_under_pragma(const struct hooks_finder *f, const struct tree *tree) {
    for (; tree != NULL; tree = tree->parent) {
        const struct source_file *file = f->program->files.items[tree->ast->range.file];
        if (tree_is_loop(tree) &&
            directives_before(file, tree->ast->range.begin) != tree->ast->range.begin)
            return true;
    }
    return false;
}

static bool spans_directives(const struct hooks_finder *f, struct range range) {
    const struct source_file *file = f->program->files.items[range.file];
    for (unsigned at = range.begin; at < range.end; at++)
        if (file->text[at] == '#')
            return true;
    return false;
}

static bool is_goto_target(const struct tree *label, const struct tree *loop) {
    const struct function *function = loop->function;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_JUMP && node->ast->kind == AST_GOTO &&
            !tree_is_within(node->tree, loop) && vec_has(&node->next, label->nodes.items[0]))
            return true;
    }
    return false;
}

/* A case of a switch around the loop, or a label: the loop would not be told that it begins. */
static bool is_jumped_into(const struct tree *tree, const struct tree *loop) {
    if (tree->ast->kind == AST_LABEL && is_goto_target(tree, loop))
        return true;
    if (tree->ast->kind == AST_CASE)
        for (const struct tree *outer = tree; outer->ast->kind != AST_SWITCH; outer = outer->parent)
            if (outer == loop)
                return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (is_jumped_into(tree->kids.items[i], loop))
            return true;
    return false;
}

static const char *find_obstacle(const struct hooks_finder *f, const struct tree *loop) {
    const struct node *node = hooks_condition(loop);
    if (node->ast == NULL)
        return "it has no condition";
    if (in_kept_region(f, loop))
        return "it computes what decides about communication, and stays as it is";
    if (!slice_keeps_node(f->slice, node))
        return "its condition is not evaluated in the skeleton";
    if (!tree_has(f, f->acts, loop) && !holds_stub(f, loop))
        return "nothing in it takes simulated time";
    if (node->ast->is_unwritten)
        return "it is a loop over a range";
    if (loop->ast->from_macro || node->ast->in_macro_arg || !spelling_of_part(node, node->ast))
        return "it comes out of a macro";
    if (is_under_pragma(f, loop))
        return "it is under a pragma";
    if (is_jumped_into(loop, loop))
        return "a jump from outside leads into it";
    if (spans_directives(f, node->ast->range))
        return "there are preprocessor directives in its condition";
    return calls_itself(f->slice, loop->function) ? "its function calls itself" : NULL;
}

/* ---- Exits ---- */

static const struct tree *left_by_break(const struct tree *jump) {
    for (const struct tree *tree = jump->parent; tree != NULL; tree = tree->parent)
        if (tree_is_loop(tree) || tree->ast->kind == AST_SWITCH)
            return tree;
    return NULL;
}

static const struct node *find_exit(const struct hooks_finder *f, const struct tree *loop,
                                    const struct tree *tree) {
    enum ast_kind kind = tree->ast->kind;
    const struct node *node = tree->nodes.count > 0 ? tree->nodes.items[0] : NULL;
    bool leaves = kind == AST_RETURN || kind == AST_GOTO ||
                  (kind == AST_BREAK && left_by_break(tree) == loop);
    if (leaves && node != NULL && slice_keeps_jump(f->slice, node))
        return node;
    for (size_t i = 0; i < tree->kids.count; i++) {
        const struct node *found = find_exit(f, loop, tree->kids.items[i]);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* ---- All loops ---- */

/* Of a condition: the given value that counts; -1: there is none. */
static int counted_by(const struct plan *plan, const struct node *condition) {
    const struct code_region *given = plan_value_of(plan, condition);
    return given != NULL && strcmp(values_kind(given), "trips") == 0 ? given->index : -1;
}

static void add_hook(const struct hooks_finder *f, const struct hook **hooks,
                     const struct tree *loop) {
    const struct node *node = hooks_condition(loop);
    struct hook *hook = ARENA_NEW(&f->program->arena, struct hook);
    hook->number = f->slice->loop_numbers[node->id];
    hook->obstacle = find_obstacle(f, loop);
    hook->talks = tree_has(f, f->talks, loop);
    hook->exit = find_exit(f, loop, loop);
    hook->given = counted_by(f->plan, node);
    if (hook->obstacle == NULL)
        hook->left = hooks_left(f->slice, loop);
    hook->single =
        node->ast != NULL && !(node->ast->kind == AST_BINARY && strcmp(node->ast->op, "&&") == 0);
    if (hook->left != NULL)
        hook->no_longer = hooks_no_longer(f->slice, loop);
    hooks[node->id] = hook;
}

static void find_in(const struct hooks_finder *f, const struct hook **hooks,
                    const struct tree *tree) {
    if (tree_is_loop(tree) && kept_tree(f->slice, tree))
        add_hook(f, hooks, tree);
    for (size_t i = 0; i < tree->kids.count; i++)
        find_in(f, hooks, tree->kids.items[i]);
}

/* Functions that are called in loops that talk, directly or not. */
static void find_inner(struct hooks_finder *f, const struct hook **hooks) {
    for (size_t i = 0; i < f->program->calls.count; i++) {
        const struct call *call = f->program->calls.items[i];
        bool in_loop = false;
        for (const struct tree *tree = call->node->tree; tree != NULL && !in_loop;
             tree = tree->parent)
            in_loop = tree_is_loop(tree) && hooks[hooks_condition(tree)->id] != NULL &&
                      hooks[hooks_condition(tree)->id]->talks;
        for (size_t t = 0; t < call->targets.count && in_loop && slice_keeps_call(f->slice, call);
             t++)
            for (size_t k = 0; k < f->program->functions.count; k++)
                if (slice_may_run(f->slice, call->targets.items[t], f->program->functions.items[k]))
                    f->inner[f->program->functions.items[k]->id] = true;
    }
}

static bool is_outermost(const struct hooks_finder *f, const struct hook *const *hooks,
                         const struct tree *loop) {
    const struct hook *own = hooks[hooks_condition(loop)->id];
    if (!own->talks || own->obstacle != NULL || f->inner[loop->function->id])
        return false;
    for (const struct tree *tree = loop->parent; tree != NULL; tree = tree->parent)
        if (tree_is_loop(tree) && hooks[hooks_condition(tree)->id] != NULL)
            return false;
    return true;
}

void hooks_find(struct plan *plan) {
    struct program *program = plan->slice->program;
    struct hooks_finder f = {.plan = plan, .slice = plan->slice, .program = program};
    const struct hook **hooks =
        ARENA_ARRAY(&program->arena, const struct hook *, program->nodes.count + 1);
    look_at_functions(&f);
    for (size_t i = 0; i < program->functions.count; i++)
        if (kept_function(plan->slice, program->functions.items[i]))
            find_in(&f, hooks, program->functions.items[i]->tree);
    find_inner(&f, hooks);
    for (size_t i = 0; i < program->nodes.count; i++)
        if (hooks[i] != NULL)
            ((struct hook *)hooks[i])->outermost =
                is_outermost(&f, hooks, program->nodes.items[i]->tree);
    plan->hooks = hooks;
    free(f.talks);
    free(f.acts);
    free(f.inner);
}

/* ---- Edits ---- */

void hooks_insert(struct edits *out, const struct plan *plan, const struct tree *loop) {
    struct arena *arena = &plan->slice->program->arena;
    const struct node *node = hooks_condition(loop);
    const struct hook *hook = plan->hooks[node->id];
    if (hook == NULL || hook->obstacle != NULL)
        return;
    struct range begin = loop->ast->range, condition = node->ast->range, end = condition;
    begin.end = begin.begin;
    condition.end = condition.begin;
    end.begin = end.end;
    bool is_counted = hook->given >= 0;
    const char *left = hook->left != NULL ? hook->left : "-1";
    edits_add(
        out, begin,
        arena_printf(arena, "BSIM_ENTER%s(%d) %s", loop->ast->kind == AST_DO ? "_DO" : "",
                     hook->number,
                     is_counted ? arena_printf(arena, "BSIM_BEGIN_TRIPS(%d) ", hook->given) : ""));
    edits_add(
        out, condition,
        arena_printf(
            arena, "BSIM_GOES%s(%d, %s, ", hook->outermost ? "_OUTERMOST" : "", hook->number,
            is_counted ? arena_printf(arena, "BSIM_TRIPS_LEFT(%d, %s)", hook->given, left) : left));
    edits_add(out, end, ")");
}
