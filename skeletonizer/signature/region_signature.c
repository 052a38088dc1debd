/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of a region, into the functions that it calls, as features.c does, and
 * opens a block for each loop and branch. How often a block is executed is a feature where the
 * product of what is around it is one; else it is told by constants, by half of the parent's where
 * data decide a branch, or not at all. What leaves a loop or a function early is taken never to
 * happen. Not handled: functions that call themselves, switches (each case counts as a half).
 */
#include "skeletonizer/signature/region_signature.h"

#include "skeletonizer/features/feature_walk.h"
#include "skeletonizer/features/features.h"
#include "skeletonizer/signature/access_address.h"
#include "skeletonizer/signature/signature_walk.h"

#include <math.h>
#include <string.h>

#define HALF 0.5

static void walk_tree(const struct signature_place *place, const struct tree *tree);

/* ---- Parts ---- */

int signature_open(struct signature_walk *walk, struct signature_block block) {
    struct open_block *open = ARENA_NEW(walk->arena, struct open_block);
    open->block = block;
    vec_push(&walk->blocks, open);
    return (int)walk->blocks.count - 1;
}

void signature_note_unknown(struct signature_walk *walk, const char *what, int line) {
    struct signature_unknown unknown = {what, line};
    for (size_t i = 0; i < walk->unknowns.count; i++)
        if (walk->unknowns.items[i].line == line && strcmp(walk->unknowns.items[i].what, what) == 0)
            return;
    vec_push(&walk->unknowns, unknown);
}

const struct call *signature_call_of(const struct signature_place *place, const struct ast *ast,
                                     const struct node **out_node) {
    for (size_t i = 0; place->tree != NULL && i < place->tree->nodes.count; i++) {
        const struct call *call = frame_find_call(place->tree->nodes.items[i], ast);
        if (call != NULL) {
            *out_node = place->tree->nodes.items[i];
            return call;
        }
    }
    *out_node = NULL;
    return NULL;
}

int signature_feature_of(const struct signature_walk *walk, const struct product *product) {
    size_t mark = slice_mark(walk->slice);
    const char *text = product_print(walk->slice, product);
    slice_take_back(walk->slice, mark);
    if (text == NULL)
        return -1;
    const char *plain = features_plain(&walk->slice->program->arena, text);
    for (size_t i = 0; i < walk->region->features.count; i++)
        if (strcmp(walk->region->features.items[i].expression, plain) == 0)
            return (int)i;
    return -1;
}

static bool is_printable(const struct signature_walk *walk, const struct level *level) {
    size_t mark = slice_mark(walk->slice);
    const char *text = product_print(walk->slice, &(struct product){.level = level});
    slice_take_back(walk->slice, mark);
    return text != NULL;
}

bool signature_enter(const struct signature_place *place, const struct node *node,
                     const struct call *call) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    if (place->walk->blocks.count > SIGNATURE_BLOCKS_MAX ||
        !frame_enter(&inner, bindings, place->frame, node, call))
        return false;
    struct signature_place there = *place;
    there.frame = &inner;
    walk_tree(&there, inner.function->tree);
    return true;
}

/* ---- Loops ---- */

static double number_of(const struct signature_place *place, const struct ast *ast,
                        const struct tree *tree) {
    struct signature_place there = *place;
    there.tree = tree;
    struct address value = address_value(&there, ast);
    bool moves = value.is_unknown || value.is_indexed || value.is_chased;
    for (int i = 0; i < SIGNATURE_STEPS_MAX; i++)
        moves = moves || value.step[i] != 0;
    return moves || value.terms[0] != '\0' || value.base[0] != '\0' ? NAN : value.offset;
}

/* Of a loop between constants; NAN: it is none. */
static double constant_trips(const struct signature_place *place, const struct loop_shape *loop) {
    double first = number_of(place, loop->first, loop->first_node->tree);
    double end = number_of(place, loop->end, loop->tree);
    double step = loop->step == NULL ? 1 : number_of(place, loop->step, loop->step_node->tree);
    if (loop->geometric || loop->conditional || !(step > 0))
        return NAN;
    double distance = (loop->down ? first - end : end - first) + (loop->inclusive ? 1 : 0);
    return distance > 0 ? ceil(distance / step) : isnan(distance) ? NAN : 0;
}

static void count_at(const struct signature_place *place, int block, const struct tree *tree,
                     const struct ast *ast) {
    struct signature_place there = *place;
    there.block = block;
    there.tree = tree;
    if (ast != NULL)
        signature_count(&there, ast);
}

/* The condition is evaluated, and decides, once more than the body is executed. */
static void count_condition(const struct signature_place *place, int body, const struct tree *tree,
                            const struct ast *condition) {
    int blocks[] = {place->block, body};
    for (int i = 0; i < 2 && condition != NULL; i++) {
        count_at(place, blocks[i], tree, condition);
        place->walk->blocks.items[blocks[i]]->block.operations[OPERATION_BRANCH]++;
    }
}

static int open_loop(const struct signature_place *place, const struct tree *tree,
                     const char *variable, int feature, double factor) {
    struct signature_walk *walk = place->walk;
    if (feature < 0 && isnan(factor))
        signature_note_unknown(walk, "how often a loop iterates", tree->ast->line);
    return signature_open(walk, (struct signature_block){.kind = BLOCK_LOOP,
                                                         .parent = place->block,
                                                         .line = tree->ast->line,
                                                         .variable = variable,
                                                         .feature = feature,
                                                         .factor = factor});
}

static void walk_body(const struct signature_place *place, const struct tree *tree,
                      const struct ast *condition, struct enclosing_loop *loop) {
    struct signature_place inner = *place;
    count_condition(place, loop->block, tree, condition);
    inner.block = loop->block;
    inner.loops = loop;
    if (tree->step != NULL && tree->ast->kind == AST_FOR && tree->ast->kids[2] != NULL)
        count_at(&inner, loop->block, tree->step, tree->ast->kids[2]);
    walk_tree(&inner, tree->kids.items[0]);
}

static void walk_unknown_loop(const struct signature_place *place, const struct tree *tree) {
    const struct ast *condition = tree->ast->kids[tree->ast->kind == AST_WHILE ? 0 : 1];
    struct signature_place there = *place;
    struct enclosing_loop loop = {
        .outer = place->loops, .tree = tree, .depth = place->frame->depth};
    loop.block = open_loop(place, tree, "", -1, NAN);
    there.share = NAN;
    walk_body(&there, tree, condition, &loop);
}

/* The product is a feature, or is one with the bounds that loops around begin with. */
static int feature_of_loop(const struct signature_place *place, struct level *level,
                           struct frame *begun, int *uses) {
    const struct product product = {.level = level};
    int feature = signature_feature_of(place->walk, &product);
    if (feature >= 0)
        return feature;
    begun->begins = uses;
    level->frame = begun;
    feature = signature_feature_of(place->walk, &product);
    if (feature < 0)
        level->frame = place->frame;
    return feature;
}

static void walk_counting_loop(const struct signature_place *place, const struct tree *tree,
                               struct loop_shape *shape) {
    struct signature_place inner = *place;
    struct branch_choice choice = {
        .name = arena_printf(&place->walk->slice->program->arena, "bsim_i%d", place->counted + 1)};
    struct level level = {
        .outer = place->level, .frame = place->frame, .loop = shape, .choice = &choice};
    struct frame begun = *place->frame, frame = *place->frame;
    struct binding binding = {
        .outer = frame.bindings, .declaration = shape->variable, .choice = &choice};
    int uses = 0, feature = feature_of_loop(place, &level, &begun, &uses);
    double trips = constant_trips(place, shape);
    double step = shape->step == NULL ? 1 : number_of(place, shape->step, shape->step_node->tree);
    struct enclosing_loop loop = {.outer = place->loops,
                                  .variable = shape->variable,
                                  .step = shape->geometric || isnan(step) ? 0 : (long long)step,
                                  .tree = tree,
                                  .first = shape->first,
                                  .first_tree = shape->first_node->tree,
                                  .frame = place->frame,
                                  .depth = place->frame->depth};
    loop.step *= shape->down ? -1 : 1;
    bool known = feature >= 0 && !isnan(place->share);
    loop.block = open_loop(place, tree, shape->variable->name, known ? feature : -1,
                           known ? place->share : trips);
    frame.bindings = &binding;
    inner.frame = &frame;
    inner.level = &level;
    inner.counted = place->counted + 1;
    walk_body(&inner, tree, NULL, &loop);
    count_condition(place, loop.block, tree, tree->ast->kids[1]);
}

static void walk_loop(const struct signature_place *place, const struct tree *tree) {
    struct loop_shape shape;
    if (tree->init != NULL)
        walk_tree(place, tree->init);
    if (loop_shape_read(&shape, tree))
        walk_counting_loop(place, tree, &shape);
    else
        walk_unknown_loop(place, tree);
}

/* ---- Branches ---- */

static void walk_branch(const struct signature_place *place, const struct tree *tree,
                        struct level *level, bool is_printed, double share) {
    struct signature_place inner = *place;
    int feature =
        is_printed ? signature_feature_of(place->walk, &(struct product){.level = level}) : -1;
    struct signature_block block = {.kind = BLOCK_BRANCH,
                                    .parent = place->block,
                                    .line = tree->ast->line,
                                    .variable = "",
                                    .feature = feature,
                                    .factor = feature >= 0 ? place->share : share,
                                    .is_guess = feature < 0};
    inner.block = signature_open(place->walk, block);
    if (is_printed)
        inner.level = level;
    else
        inner.share *= share;
    walk_tree(&inner, tree);
}

static void walk_if(const struct signature_place *place, const struct tree *tree) {
    const struct node *guard = tree->nodes.items[0];
    const struct ast *condition = tree->ast->kids[0];
    int constant = expression_truth(place->frame, guard, condition);
    count_at(place, place->block, tree, condition);
    place->walk->blocks.items[place->block]->block.operations[OPERATION_BRANCH]++;
    if (constant >= 0) {
        size_t taken = constant == 1 ? 0 : 1;
        if (taken < tree->kids.count)
            walk_tree(place, tree->kids.items[taken]);
        return;
    }
    struct level level = {
        .outer = place->level, .frame = place->frame, .guard = guard, .condition = condition};
    bool is_printed = is_printable(place->walk, &level);
    double share = features_is_way_out(place->walk->region, tree) ? 0 : HALF;
    for (size_t i = 0; i < tree->kids.count; i++) {
        level.negated = i > 0;
        walk_branch(place, tree->kids.items[i], &level, is_printed, share);
    }
}

static void walk_switch(const struct signature_place *place, const struct tree *tree) {
    struct level none = {0};
    count_at(place, place->block, tree, tree->ast->kids[0]);
    place->walk->blocks.items[place->block]->block.operations[OPERATION_BRANCH]++;
    for (size_t i = 0; i < tree->kids.count; i++)
        walk_branch(place, tree->kids.items[i], &none, false, HALF);
}

/* One behind the other; behind what may leave, under the condition that it does not. */
static void walk_statements(const struct signature_place *place, struct tree *const *trees,
                            size_t count) {
    size_t i = 0;
    while (i < count && !features_is_way_out(place->walk->region, trees[i]))
        walk_tree(place, trees[i++]);
    if (i == count)
        return;
    const struct tree *tree = trees[i++];
    walk_tree(place, tree);
    struct level otherwise = {.outer = place->level,
                              .frame = place->frame,
                              .guard = tree->nodes.items[0],
                              .condition = tree->ast->kids[0],
                              .negated = true};
    struct signature_place rest = *place;
    if (expression_truth(place->frame, otherwise.guard, otherwise.condition) < 0 &&
        is_printable(place->walk, &otherwise))
        rest.level = &otherwise;
    walk_statements(&rest, trees + i, count - i);
}

static void walk_plain(const struct signature_place *place, const struct tree *tree) {
    const struct ast *ast = tree->ast;
    struct signature_place there = *place;
    there.tree = tree;
    if (ast->kind > AST_LAST_STATEMENT)
        signature_count(&there, ast);
    else if (ast->kind == AST_DECLARE || ast->kind == AST_RETURN)
        for (int i = 0; i < ast->kid_count; i++)
            signature_count(&there, ast->kids[i]);
    else if (ast->kind == AST_UNKNOWN_STATEMENT)
        signature_note_unknown(place->walk, "a statement that is not understood", ast->line);
    walk_statements(place, tree->kids.items, tree->kids.count);
}

static void walk_tree(const struct signature_place *place, const struct tree *tree) {
    switch (tree->ast->kind) {
    case AST_FOR:
        walk_loop(place, tree);
        return;
    case AST_IF:
        walk_if(place, tree);
        return;
    case AST_WHILE:
    case AST_DO:
        walk_unknown_loop(place, tree);
        return;
    case AST_SWITCH:
        walk_switch(place, tree);
        return;
    default:
        walk_plain(place, tree);
    }
}

/* ---- What comes out ---- */

/* Independent chains run side by side: the longest one counts. */
static void close_chains(struct open_block *open) {
    for (size_t i = 0; i < open->chains.count; i++) {
        const struct signature_chain *chain = &open->chains.items[i];
        double *longest = &open->block.operations[chain->operation];
        *longest = fmax(*longest, chain->count);
    }
}

static struct signature_block close_block(struct arena *arena, struct open_block *open) {
    struct signature_block *block = &open->block;
    struct signature_access *accesses =
        ARENA_ARRAY(arena, struct signature_access, open->accesses.count + 1);
    struct signature_call *calls = ARENA_ARRAY(arena, struct signature_call, open->calls.count + 1);
    close_chains(open);
    for (size_t i = 0; i < open->accesses.count; i++)
        accesses[i] = open->accesses.items[i];
    for (size_t i = 0; i < open->calls.count; i++)
        calls[i] = open->calls.items[i];
    block->accesses = accesses;
    block->access_count = (int)open->accesses.count;
    block->calls = calls;
    block->call_count = (int)open->calls.count;
    vec_dispose(&open->accesses);
    vec_dispose(&open->calls);
    vec_dispose(&open->chains);
    return *block;
}

static void close_region(struct signature_region *out, struct signature_walk *walk) {
    struct signature_block *blocks =
        ARENA_ARRAY(walk->arena, struct signature_block, walk->blocks.count);
    struct signature_unknown *unknowns =
        ARENA_ARRAY(walk->arena, struct signature_unknown, walk->unknowns.count + 1);
    for (size_t i = 0; i < walk->blocks.count; i++)
        blocks[i] = close_block(walk->arena, walk->blocks.items[i]);
    for (size_t i = 0; i < walk->unknowns.count; i++)
        unknowns[i] = walk->unknowns.items[i];
    *out = (struct signature_region){.index = walk->region->index,
                                     .id = arena_strdup(walk->arena, walk->region->id),
                                     .feature_count = (int)walk->region->features.count,
                                     .block_count = (int)walk->blocks.count,
                                     .unknown_count = (int)walk->unknowns.count,
                                     .blocks = blocks,
                                     .unknowns = unknowns};
    vec_dispose(&walk->blocks);
    vec_dispose(&walk->unknowns);
}

static void find_region(struct signature_region *out, struct arena *arena, struct slice *slice,
                        const struct code_region *region) {
    struct signature_walk walk = {.arena = arena, .slice = slice, .region = region};
    struct always_executed certain = {.arena = &slice->program->arena};
    struct region_writes reached = {0};
    struct frame frame = {.slice = slice,
                          .region = region,
                          .entry = code_region_entry(region),
                          .function = region->function,
                          .certain = &certain,
                          .reached = &reached};
    signature_open(&walk, (struct signature_block){.kind = BLOCK_REGION,
                                                   .parent = -1,
                                                   .line = region->line,
                                                   .variable = "",
                                                   .feature = -1,
                                                   .factor = 1});
    const struct signature_place place = {.walk = &walk, .frame = &frame, .share = 1};
    if (frame.entry != NULL)
        walk_statements(&place, region->trees.items, region->trees.count);
    close_region(out, &walk);
    vec_dispose(&certain.followed);
    region_writes_dispose(&reached);
}

void signature_of_plan(struct signature *out, const struct plan *plan, const char *bundle_id) {
    *out = (struct signature){.path = ""};
    arena_init(&out->arena);
    out->bundle = arena_strdup(&out->arena, bundle_id);
    struct signature_region *regions =
        ARENA_ARRAY(&out->arena, struct signature_region, plan->regions.count + 1);
    size_t mark = slice_mark(plan->slice);
    for (size_t i = 0; i < plan->regions.count; i++)
        if (plan->regions.items[i]->value == NULL)
            find_region(&regions[out->count++], &out->arena, plan->slice, plan->regions.items[i]);
    slice_take_back(plan->slice, mark);
    out->regions = regions;
}
