/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of a region, into the functions that it calls, and keeps for each loop how
 * often its body runs in one execution of the region: the product of its trip count and those of
 * the loops around it. Where bounds depend on the variables of outer loops (triangular loops,
 * blocks), the product is summed over their values at a few of the iterations (BSIM_SUM): exact
 * when it is linear in them but for the last iteration, and otherwise a factor away, which is the
 * latency model's business. Where a condition on such a variable decides (rows dealt out to ranks
 * in turn), all iterations are summed, or many (BSIM_SUM_PARTS). Loops whose bounds are not known
 * where the region begins (the rows of a sparse matrix, a while loop over data) are left out, but
 * for bounds that loops around only count up or down.
 */
#include "skeletonizer/features/features.h"

#include "skeletonizer/features/feature_product.h"
#include "skeletonizer/features/feature_walk.h"
#include "skeletonizer/features/kernel_cost.h"
#include "skeletonizer/given/given_parts.h"
#include "skeletonizer/slice/call_argument.h"
#include "skeletonizer/slice/loop_shape.h"

#include <math.h>
#include <string.h>

#define MAX_SOURCES 24 /* of which the ones that tell most become features */
#define MAX_STEPS 2000 /* of following what loops of unknown length go by */

#define RANK_OF_GUARDS (-1)   /* no features, but what is under them is known or not */
#define RANK_OF_KERNELS 1e300 /* most of the time, and they say how much it is */

/* How often a loop's condition is evaluated, or how deep it lies, where nothing was counted. */
static double rank_of_loop(const struct walk *w, const struct level *level) {
    double rank =
        w->counts != NULL ? (double)counts_of(w->counts, level->loop->tree->condition) : -1;
    if (rank >= 0)
        return rank;
    rank = 0;
    for (; level != NULL; level = level->outer)
        rank += level->loop != NULL ? PRODUCT_LEVELS_MAX : -1;
    return fmax(rank, 0);
}

/* The product as text: NULL if it is not known, "" if it was not chosen. */
static const char *print_candidate(struct walk *w, const struct product *p, double rank) {
    if (w->chooses) {
        const struct feature_candidate *candidate = &w->candidates.items[w->next++];
        w->may_differ = candidate->may_differ;
        return candidate->chosen               ? product_print(w->slice, p)
               : candidate->expression == NULL ? NULL
                                               : "";
    }
    int uses = w->uses_of_begins;
    struct feature_candidate candidate = {.expression = product_print(w->slice, p), .rank = rank};
    candidate.may_differ = w->may_differ = w->uses_of_begins != uses;
    if (candidate.expression != NULL)
        candidate.plain = features_plain(&w->slice->program->arena, candidate.expression);
    vec_push(&w->candidates, candidate);
    return candidate.expression;
}

static void add_chosen(struct walk *w, const char *expression, const char *meaning) {
    if (w->chooses && expression != NULL && expression[0] != '\0')
        features_add(w, expression, meaning);
}

/* Its operations, and with them its faces, as far as there is room. */
static void walk_kernel(struct walk *w, const struct frame *frame, const struct node *node,
                        const struct call *call, const struct level *level) {
    struct arena *arena = &w->slice->program->arena;
    struct kernel_call kernel = {frame, node, call};
    struct product product = {.level = level, .kernel = &kernel, .face = KERNEL_COST_WHOLE};
    const char *operations = print_candidate(w, &product, RANK_OF_KERNELS);
    int faces = w->region->value == NULL ? kernel_face_count(&kernel) : 0;
    add_chosen(w, operations,
               arena_printf(arena, "operations of %s at line %d", call->name, call->ast->line));
    if (operations != NULL && faces > 0)
        w->busiest_known = RANK_OF_KERNELS;
    for (product.face = 0; product.face < faces; product.face++)
        add_chosen(w, print_candidate(w, &product, FEATURE_FACE),
                   arena_printf(arena, "%s of %s at line %d",
                                kernel_face_name(arena, &kernel, product.face), call->name,
                                call->ast->line));
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
    else if (w->chooses)
        for (size_t i = 0; i < call->targets.count; i++)
            features_note_gap(
                w,
                (struct region_gap){.loop = -1, .same_as = -1, .function = call->targets.items[i]});
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

/* What it goes by, if that is wanted. */
static void gather_sources(struct walk *w, const struct frame *frame, const struct tree *loop,
                           const struct level *level) {
    const struct node *condition = features_condition_of(loop);
    if (w->next_unknown >= w->unknown.count)
        return;
    const struct unknown_loop *unknown = &w->unknown.items[w->next_unknown];
    w->sources.weight = unknown->executions;
    w->sources.followed.count = 0;
    if (unknown->wanted && level != NULL && unknown->executions > w->busiest_around) {
        w->busiest_around = unknown->executions;
        w->around = product_print(w->slice, &(struct product){.level = level});
    }
    if (unknown->wanted && condition != NULL && condition->ast != NULL)
        origins_gather(&w->sources, frame, condition, condition->ast);
}

static void walk_unknown_loop(struct walk *w, const struct frame *frame, const struct tree *tree,
                              const struct level *level) {
    int outer = w->outer_unknown;
    if (w->chooses)
        gather_sources(w, frame, tree, level);
    else
        vec_push(&w->unknown,
                 (struct unknown_loop){.executions = features_counted(w, tree), .outer = outer});
    w->outer_unknown = (int)w->next_unknown++;
    w->unknown_loops++;
    features_note_executions(w, tree, false);
    w->inside_unknown++;
    walk_unknown(w, frame, tree, level);
    w->inside_unknown--;
    w->outer_unknown = outer;
}

/* A loop whose bounds are not known, since loops around it count them up or down: they are taken
 * for what these begin with. */
static const char *print_begun(struct walk *w, struct frame *begun, struct level *level) {
    struct product product = {.level = level};
    begun->begins = &w->uses_of_begins;
    level->frame = begun;
    return print_candidate(w, &product, rank_of_loop(w, level));
}

static void walk_loop(struct walk *w, const struct frame *frame, const struct tree *tree,
                      const struct level *outer) {
    struct loop_shape loop;
    struct branch_choice choice = {
        .name = arena_printf(&w->slice->program->arena, "bsim_i%d", w->loops_around + 1)};
    struct level level = {.outer = outer, .frame = frame, .loop = &loop, .choice = &choice};
    struct product product = {.level = &level};
    struct frame begun = *frame, inner = *frame;
    const char *total = NULL;
    bool reads = loop_shape_read(&loop, tree), known;
    if (reads)
        total = print_candidate(w, &product, rank_of_loop(w, &level));
    known = total != NULL;
    if (!known && w->chooses)
        features_note_gap(w,
                          (struct region_gap){.loop = w->slice->loop_numbers[tree->condition->id],
                                              .same_as = -1});
    if (!known && reads && w->region->value == NULL)
        total = print_begun(w, &begun, &level);
    if (total == NULL) {
        walk_unknown_loop(w, frame, tree, outer);
        return;
    }
    features_note_executions(w, tree, known);
    add_chosen(w, total,
               arena_printf(&w->slice->program->arena,
                            "iterations of the loop over %s at line %d%s", loop.variable->name,
                            tree->ast->line, known ? "" : ", with the bounds that it begins with"));
    struct binding binding = {
        .outer = frame->bindings, .declaration = loop.variable, .choice = &choice};
    inner.bindings = &binding;
    inner.unsafe = inner.unsafe || loop.conditional || (!known && w->may_differ) ||
                   always_executed_ends_loop(tree->kids.items[0]);
    w->unknown_loops += !known;
    w->inside_unknown += !known;
    w->loops_around++;
    walk_tree(w, &inner, tree->kids.items[0], &level);
    w->loops_around--;
    w->inside_unknown -= !known;
}

static void walk_if(struct walk *w, const struct frame *frame, const struct tree *tree,
                    const struct level *outer) {
    int constant = expression_truth(frame, tree->nodes.items[0], tree->ast->kids[0]);
    if (constant >= 0) {
        size_t taken = constant == 1 ? 0 : 1;
        if (taken < tree->kids.count)
            walk_tree(w, frame, tree->kids.items[taken], outer);
        return;
    }
    struct level level = {.outer = outer, .frame = frame};
    struct product product = {.level = &level};
    level.guard = tree->nodes.items[0];
    level.condition = tree->ast->kids[0];
    bool is_feature = features_tell_ranks_apart(w, frame, tree, level.condition);
    size_t own = w->candidates.count;
    int unknown_loops = w->unknown_loops;
    const char *holds = print_candidate(w, &product, is_feature ? 0 : RANK_OF_GUARDS);
    if (holds == NULL) {
        walk_unknown(w, frame, tree, outer);
        return;
    }
    if (is_feature)
        add_chosen(w, holds,
                   arena_printf(&w->slice->program->arena, "whether the condition at line %d holds",
                                tree->ast->line));
    for (size_t i = 0; i < tree->kids.count; i++) {
        level.negated = i > 0;
        walk_tree(w, frame, tree->kids.items[i], &level);
    }
    if (is_feature && !w->chooses && features_follow_from_loops(w, own + 1, unknown_loops))
        w->candidates.items[own].rank = RANK_OF_GUARDS;
}

static bool is_in_loop(const struct code_region *region, const struct tree *tree) {
    for (; tree != NULL && tree != region->trees.items[0]; tree = tree->parent)
        if (tree_is_loop(tree))
            return true;
    return false;
}

bool features_is_way_out(const struct code_region *region, const struct tree *tree) {
    if (tree->ast->kind != AST_IF || tree->kids.count != 1)
        return false;
    const struct tree *last = tree->kids.items[0];
    while (last->ast->kind == AST_COMPOUND && last->kids.count > 0)
        last = last->kids.items[last->kids.count - 1];
    return last->ast->kind == AST_CONTINUE ||
           (last->ast->kind == AST_RETURN && !is_in_loop(region, tree));
}

/* Statements one behind the other, from the first one on. Behind those that may go on elsewhere
 * nothing is certain, if it is not known whether they do. */
static void walk_statements(struct walk *w, const struct frame *frame, struct tree *const *trees,
                            size_t count, const struct level *level) {
    size_t i = 0;
    while (i < count && !always_executed_leaves(trees[i]))
        walk_tree(w, frame, trees[i++], level);
    if (i == count)
        return;
    const struct tree *tree = trees[i++];
    walk_tree(w, frame, tree, level);
    struct frame rest = *frame;
    struct level otherwise = {.outer = level, .frame = frame, .negated = true};
    if (i < count && features_is_way_out(w->region, tree)) {
        const struct product product = {.level = &otherwise};
        otherwise.guard = tree->nodes.items[0];
        otherwise.condition = tree->ast->kids[0];
        int constant = expression_truth(frame, otherwise.guard, otherwise.condition);
        if (constant == 1)
            return;
        if (constant < 0 && print_candidate(w, &product, RANK_OF_GUARDS) != NULL)
            level = &otherwise;
        else
            rest.unsafe = rest.unsafe || constant < 0;
    } else {
        rest.unsafe = true;
    }
    walk_statements(w, &rest, trees + i, count - i, level);
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
        walk_unknown_loop(w, frame, tree, level);
        return;
    case AST_SWITCH:
        walk_unknown(w, frame, tree, level);
        return;
    default:
        walk_statements(w, frame, tree->kids.items, tree->kids.count, level);
    }
}

/* Of a loop or branch the code under it is not what decides it. */
static bool is_decision(const struct code_region *region) {
    return region->value != NULL && given_part_decides(region->value, region->part);
}

static bool is_argument_of_call(const struct code_region *region) {
    int index;
    return region->value != NULL && call_argument_find(region->value, region->part, &index) != NULL;
}

/* Loops in front of the value, at each level of blocks: what they compute may be what is given.
 * What they read through pointers may be gone by now. */
static void walk_before(struct walk *w, const struct frame *frame) {
    struct frame inner = *frame;
    inner.unsafe = inner.scoped = true;
    for (const struct tree *tree = w->region->trees.items[0]; tree->parent != NULL;
         tree = tree->parent) {
        bool in_block = tree->parent->ast->kind == AST_COMPOUND; /* not the other branch */
        for (size_t i = 0; in_block && tree->parent->kids.items[i] != tree; i++)
            walk_tree(w, &inner, tree->parent->kids.items[i], NULL);
    }
}

/* A number of the whole run: what one rank has at hand would only let ranks disagree. */
static bool is_agreed(const struct slice *slice, const struct code_region *region) {
    return region->value != NULL && !is_decision(region) &&
           given_part_type(region->value, region->part)->kind == TYPE_FLOATING &&
           given_part_is_agreed(slice, region->value, region->part);
}

/* Once to see what there is, once more for what was chosen: only that joins the skeleton. */
static void walk_loops(struct walk *w, const struct frame *frame, bool before) {
    size_t mark = slice_mark(w->slice);
    w->candidates.count = w->next = 0;
    w->unknown.count = 0;
    w->chooses = false;
    for (int round = 0; round < 2; round++) {
        w->unknown_loops = 0;
        w->busiest_known = w->busiest_unknown = 0;
        w->next_unknown = 0;
        w->outer_unknown = -1;
        if (before)
            walk_before(w, frame);
        else
            walk_statements(w, frame, w->region->trees.items, w->region->trees.count, NULL);
        if (round > 0)
            return;
        slice_take_back(w->slice, mark);
        features_choose(w);
        features_tie(w);
        features_want_unknown(w);
        w->chooses = true;
    }
}

void features_find(struct slice *slice, struct code_region *region, const struct counts *counts) {
    struct walk walk = {.slice = slice, .region = region, .counts = counts};
    walk.certain.arena = &slice->program->arena;
    walk.sources = (struct origins){.arena = &slice->program->arena,
                                    .limit = region->value == NULL ? MAX_SOURCES : 0,
                                    .steps_left = MAX_STEPS};
    struct frame frame = {.slice = slice,
                          .region = region,
                          .entry = is_decision(region) ? region->value : code_region_entry(region),
                          .function = region->function,
                          .certain = &walk.certain,
                          .reached = &walk.reached,
                          .counts = counts};
    region->features.count = 0;
    region->gaps = NULL;
    if (frame.entry == NULL)
        return;
    if (region->value != NULL && !is_decision(region))
        features_add_elements(&walk, &frame);
    if (is_agreed(slice, region)) {
        features_walk_dispose(&walk);
        return;
    }
    bool is_argument = is_argument_of_call(region);
    if (is_argument)
        features_add_places(&walk, &frame);
    else if (!is_decision(region))
        walk_loops(&walk, &frame, false);
    int unknown_loops = walk.unknown_loops;
    if (region->value != NULL && (is_argument || region->features.count == 0))
        walk_loops(&walk, &frame, true);
    features_add_origins(&walk);
    region->is_late = false;
    if (region->features.count > 0 || unknown_loops == 0 || !features_add_late(&walk, &frame))
        features_add_guessed_sizes(&walk, &frame, unknown_loops);
    if (region->value != NULL && !is_decision(region))
        features_add_summed(&walk, &frame);
    features_walk_dispose(&walk);
}
