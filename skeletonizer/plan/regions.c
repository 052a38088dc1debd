/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of each function that stays and collects runs of removed ones.
 */
#include "skeletonizer/plan/regions.h"

#include "frontend/program/tree.h"
#include "skeletonizer/features/program_inputs.h"
#include "skeletonizer/plan/device_operations.h"
#include "skeletonizer/plan/given_values.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/text/macro_calls.h"
#include "skeletonizer/text/scan.h"

#include <string.h>

/* A few scalar statements cost about as much as the stub that would stand for them, far less than a
 * timer can resolve: they go without one. Ending the program is no computation. */
#define TRIVIAL_NODES 4

static bool is_worth_a_stub(struct tree *const *trees, size_t count) {
    node_list nodes = {0};
    size_t code = 0;
    bool costly = false;
    for (size_t i = 0; i < count; i++)
        tree_nodes(trees[i], &nodes);
    for (size_t i = 0; i < nodes.count; i++) {
        const struct node *node = nodes.items[i];
        if (node->ends_abnormally)
            continue;
        code += node->kind != NODE_JOIN;
        costly = costly || node->kind == NODE_LOOP;
        for (size_t k = 0; k < node->calls.count; k++)
            costly = costly || !exits_program(node->calls.items[k]);
    }
    vec_dispose(&nodes);
    return costly || code > TRIVIAL_NODES;
}

/* Kept statements */

struct regions_finder {
    struct plan *plan;
    bool *talks; /* by function: makes an MPI call that has to appear in the skeleton, or reads a
                    clock there */
};

/* A clock that stays: what was computed in front of it has to have taken its time by then. What is
 * called through a pointer and has no source may be one. */
static bool reads_clock(const struct regions_finder *finder, const struct call *call) {
    bool is_clock = call->mpi != NULL       ? call->mpi->class == MPI_CLASS_TIME
                    : call->library != NULL ? call->library->kind == EXTERN_TIMER
                                            : call->callee >= 0 && !call->never_made;
    const struct slice *s = finder->plan->slice;
    return is_clock && (slice_keeps_node(s, call->node) || slice_keeps_call(s, call));
}

static bool call_talks(const struct regions_finder *finder, const struct call *call) {
    for (size_t i = 0; i < call->targets.count; i++)
        if (finder->talks[call->targets.items[i]->id])
            return true;
    if (call->targets.count > 0)
        return false;
    return reads_clock(finder, call) || operations_take_time(call) ||
           (call->mpi != NULL && call->mpi->criterion && !exits_program(call) &&
            !call->node->ends_abnormally);
}

static void find_talking(struct regions_finder *finder) {
    const struct program *program = finder->plan->slice->program;
    size_t count = program->functions.count;
    finder->talks = memset(xmalloc(count + 1), 0, count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->calls.count; i++) {
            const struct call *call = program->calls.items[i];
            const struct function *function = call->node->function;
            if (function == NULL || finder->talks[function->id] || !call_talks(finder, call))
                continue;
            finder->talks[function->id] = changed = true;
        }
    }
}

/* `do { ... } while (0)`, in which macros wrap their statements, is no loop. */
static bool is_loop(const struct node *node) {
    return node->kind == NODE_LOOP &&
           !(node->ast != NULL && node->ast->has_value && node->ast->value == 0);
}

/* Computes (a loop, a function with one, a library kernel) and does not communicate. */
static bool is_silent_computation(const struct regions_finder *finder, struct tree *const *trees,
                                  size_t count) {
    node_list nodes = {0};
    bool computes = false, talks = false;
    for (size_t i = 0; i < count; i++) {
        talks = talks || trees[i]->ast->kind == AST_CASE || trees[i]->ast->kind == AST_LABEL;
        tree_nodes(trees[i], &nodes);
    }
    for (size_t i = 0; i < nodes.count; i++) {
        const struct node *node = nodes.items[i];
        computes = computes || is_loop(node);
        for (size_t k = 0; k < node->calls.count; k++) {
            const struct call *call = node->calls.items[k];
            talks = talks || call_talks(finder, call);
            computes = computes || (call->library != NULL && call->library->cost != NULL);
            for (size_t t = 0; t < call->targets.count && !computes; t++)
                computes = slice_computes(finder->plan->slice, call->targets.items[t]);
        }
    }
    vec_dispose(&nodes);
    return computes && !talks;
}

static bool computes_itself(const struct slice *s, const struct node *node) {
    for (size_t k = 0; k < node->calls.count; k++) {
        const struct call *call = node->calls.items[k];
        if (call->library != NULL && call->library->cost != NULL)
            return true;
        for (size_t t = 0; t < call->targets.count; t++)
            if (slice_computes(s, call->targets.items[t]))
                return true;
    }
    return false;
}

/* Something in it computes, and is not kept. */
static bool has_removed_computation(const struct slice *s, const struct tree *tree) {
    if (!kept_tree(s, tree)) {
        node_list nodes = {0};
        bool computes = false;
        tree_nodes(tree, &nodes);
        for (size_t i = 0; i < nodes.count && !computes; i++)
            computes = nodes.items[i]->kind == NODE_LOOP || computes_itself(s, nodes.items[i]);
        vec_dispose(&nodes);
        return computes;
    }
    for (size_t i = 0; i < tree->kids.count; i++)
        if (has_removed_computation(s, tree->kids.items[i]))
            return true;
    return false;
}

/* All that the statement calls to compute are functions that are called here alone, of which one
 * has that. Whether such a call happens does not matter: regions in a function that is not called
 * take no time. */
static bool own_function_has(const struct slice *s, const struct node *node,
                             bool (*has)(const struct slice *, const struct tree *)) {
    bool found = false;
    for (size_t k = 0; k < node->calls.count; k++) {
        const struct call *call = node->calls.items[k];
        if (call->library != NULL && call->library->cost != NULL)
            return false;
        for (size_t t = 0; t < call->targets.count; t++) {
            const struct function *target = call->targets.items[t];
            if (!slice_computes(s, target))
                continue;
            if (call->targets.count > 1 || s->callers[target->id].count != 1)
                return false;
            found = found || has(s, target->tree);
        }
    }
    return found;
}

/* A loop in it, or in a function that is called here alone, reads input: how much of it is known
 * there, and not where the statement begins. */
static bool reads_in_a_loop(const struct slice *s, const struct tree *tree) {
    if (tree_is_loop(tree))
        return inputs_are_read(tree);
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (own_function_has(s, tree->nodes.items[i], reads_in_a_loop))
            return true;
    for (size_t i = 0; i < tree->kids.count; i++)
        if (reads_in_a_loop(s, tree->kids.items[i]))
            return true;
    return false;
}

/* Its parts say more than all of it. */
static bool has_parts(const struct slice *s, const struct tree *tree) {
    return has_removed_computation(s, tree) || reads_in_a_loop(s, tree);
}

/* Executed once, its parts may each have a stub, behind what is kept: input that tells how long the
 * other ones compute. */
static bool is_taken_apart(const struct regions_finder *finder, const struct tree *tree) {
    const struct slice *s = finder->plan->slice;
    const struct node *node = tree->nodes.count == 1 ? tree->nodes.items[0] : NULL;
    if (node == NULL || !slice_is_executed_once(s, node))
        return false;
    bool is_own = own_function_has(s, node, has_parts);
    if (tree->ast->kind == AST_IF)
        return computes_itself(s, node) ? is_own : has_parts(s, tree);
    return tree->kids.count == 0 && is_own;
}

static const struct tree *jump_target(const struct tree *jump) {
    bool leave = jump->ast->kind == AST_BREAK;
    for (const struct tree *tree = jump->parent; tree != NULL; tree = tree->parent) {
        enum ast_kind kind = tree->ast->kind;
        if (kind == AST_FOR || kind == AST_WHILE || kind == AST_DO || (leave && kind == AST_SWITCH))
            return tree;
    }
    return NULL;
}

static bool leaves(const struct code_region *region, const struct tree *tree) {
    switch (tree->ast->kind) {
    case AST_RETURN:
        return true;
    case AST_GOTO: {
        const struct node *node = tree->nodes.items[0];
        bool leaves = node->next.count == 0;
        for (size_t i = 0; i < node->next.count; i++)
            leaves = leaves || (!code_region_has(region, node->next.items[i]->tree) &&
                                node->next.items[i]->ast == NULL);
        return leaves;
    }
    case AST_BREAK:
    case AST_CONTINUE:
        return !code_region_has(region, jump_target(tree));
    default:
        return false;
    }
}

static void find_exits(struct code_region *region, const struct tree *tree) {
    if (leaves(region, tree))
        vec_push(&region->exits, tree);
    for (size_t i = 0; i < tree->kids.count; i++)
        find_exits(region, tree->kids.items[i]);
}

bool regions_is_untimable(const struct code_region *region) {
    for (size_t i = 0; i < region->exits.count; i++)
        if (region->exits.items[i]->ast->from_macro ||
            ast_is_asm_goto(region->exits.items[i]->ast)) /* it may leave, or go on */
            return true;
    return false;
}

static void add_region(struct plan *plan, struct function *function, struct tree *const *trees,
                       size_t count, bool is_body) {
    if (!is_worth_a_stub(trees, count))
        return;
    const struct program *program = plan->slice->program;
    struct code_region *region = ARENA_NEW(&plan->slice->program->arena, struct code_region);
    region->function = function;
    region->is_body = is_body;
    for (size_t i = 0; i < count; i++)
        vec_push(&region->trees, trees[i]);
    region->range = scan_statements(program, trees, count);
    for (size_t i = 0; i < count; i++)
        find_exits(region, trees[i]);
    int column;
    struct range last = {region->range.file, region->range.end - 1, region->range.end};
    program_position(program, region->range, &region->line, &column);
    program_position(program, last, &region->end_line, &column);
    vec_push(&plan->regions, region);
}

static void walk(const struct regions_finder *finder, struct function *function, struct tree *tree);

static void add_kept(const struct regions_finder *finder, struct function *function,
                     struct tree *const *trees, size_t count, bool is_body) {
    struct plan *plan = finder->plan;
    size_t before = plan->regions.count;
    add_region(plan, function, trees, count, is_body);
    if (plan->regions.count == before)
        return;
    struct code_region *region = plan->regions.items[before];
    region->is_kept = true;
    if (!regions_is_untimable(region))
        return;
    vec_dispose(&region->trees);
    vec_dispose(&region->exits);
    plan->regions.count--;
    for (size_t i = 0; i < count; i++)
        walk(finder, function, trees[i]);
}

/* One region stands for all that comes out of the macro calls that open and close a loop. */
static bool is_kept_computation(const struct regions_finder *finder, struct tree *const *trees,
                                size_t count) {
    return is_silent_computation(finder, trees, count) &&
           macro_calls_are_whole(finder->plan->slice->program, trees, count) &&
           !(count == 1 && is_taken_apart(finder, trees[0]));
}

/* Kept statements that share their text; their number. */
static size_t walk_kept(const struct regions_finder *finder, struct function *function,
                        const struct tree *block, size_t first) {
    struct tree *const *trees = block->kids.items + first;
    size_t count = macro_calls_shared(block, first);
    if (is_kept_computation(finder, trees, count)) {
        add_kept(finder, function, trees, count, false);
        return count;
    }
    for (size_t i = 0; i < count; i++)
        walk(finder, function, trees[i]);
    return count;
}

static void walk_block(const struct regions_finder *finder, struct function *function,
                       struct tree *tree) {
    size_t begin = 0;
    for (size_t i = 0; i <= tree->kids.count; i++) {
        bool kept = i == tree->kids.count || kept_tree(finder->plan->slice, tree->kids.items[i]);
        if (!kept)
            continue;
        /* Empty macro statements in front are left where they are; the stub stands for the rest. */
        while (i > begin && kept_in_place(finder->plan->slice, tree->kids.items[begin]))
            begin++;
        if (i > begin)
            add_region(finder->plan, function, tree->kids.items + begin, i - begin, false);
        if (i == tree->kids.count)
            return;
        begin = i + walk_kept(finder, function, tree, i);
        i = begin - 1;
    }
}

static void walk_kids(const struct regions_finder *finder, struct function *function,
                      struct tree *tree) {
    for (size_t i = 0; i < tree->kids.count; i++) {
        struct tree *kid = tree->kids.items[i];
        bool block = kid->ast->kind == AST_COMPOUND && !kid->ast->from_macro;
        if (!kept_tree(finder->plan->slice, kid))
            add_region(finder->plan, function, &kid, 1, true);
        else if (!block && is_kept_computation(finder, &kid, 1))
            add_kept(finder, function, &kid, 1, true);
        else
            walk(finder, function, kid);
    }
}

static void walk(const struct regions_finder *finder, struct function *function,
                 struct tree *tree) {
    struct plan *plan = finder->plan;
    size_t before = plan->regions.count;
    if (tree->ast->kind == AST_COMPOUND)
        walk_block(finder, function, tree);
    else
        walk_kids(finder, function, tree);
    if (plan->regions.count == before && tree_is_loop(tree) &&
        is_silent_computation(finder, &tree, 1))
        vec_push(&plan->untimed, tree);
}

/* Functions that are called only from kept computations are covered by those regions. */

struct covered_search {
    const struct slice *slice;
    struct hash_table kept; /* trees of kept computations, by their pointers */
    bool *covered;          /* by function */
};

static bool is_covered(const struct covered_search *search, const struct call *call) {
    const struct tree *tree = call->node->tree;
    if (search->covered[call->node->function->id])
        return true;
    while (tree != NULL && hash_table_find(&search->kept, &tree, sizeof tree) == NULL)
        tree = tree->parent;
    return tree != NULL;
}

static bool is_covered_function(const struct covered_search *search,
                                const struct function *function) {
    const struct slice *s = search->slice;
    size_t kept = 0;
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        const struct call *call = s->callers[function->id].items[i];
        if (call->node->function == NULL || !slice_keeps_call(s, call))
            continue;
        kept++;
        if (call->targets.count == 0 || !is_covered(search, call))
            return false;
    }
    return kept > 0;
}

bool *regions_covered(const struct plan *plan) {
    const struct program *program = plan->slice->program;
    struct covered_search search = {.slice = plan->slice};
    search.covered = xcalloc(program->functions.count + 1, sizeof *search.covered);
    for (size_t i = 0; i < plan->regions.count; i++) {
        const struct code_region *region = plan->regions.items[i];
        for (size_t k = 0; region->is_kept && k < region->trees.count; k++)
            hash_table_add(&search.kept, &region->trees.items[k], sizeof(struct tree *), 1);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < program->functions.count; i++)
            if (!search.covered[i] && is_covered_function(&search, program->functions.items[i]))
                search.covered[i] = changed = true;
    }
    hash_table_dispose(&search.kept);
    return search.covered;
}

static void drop_covered(struct plan *plan) {
    bool *covered = regions_covered(plan);
    size_t left = 0;
    for (size_t i = 0; i < plan->regions.count; i++) {
        struct code_region *region = plan->regions.items[i];
        if (covered[region->function->id]) {
            vec_dispose(&region->trees);
            vec_dispose(&region->exits);
        } else {
            plan->regions.items[left++] = region;
        }
    }
    plan->regions.count = left;
    left = 0;
    for (size_t i = 0; i < plan->untimed.count; i++)
        if (!covered[plan->untimed.items[i]->function->id])
            plan->untimed.items[left++] = plan->untimed.items[i];
    plan->untimed.count = left;
    free(covered);
}

static bool any_reads_clock(const struct regions_finder *finder) {
    const struct slice *s = finder->plan->slice;
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        if (call->targets.count == 0 && slice_keeps_call(s, call) && reads_clock(finder, call))
            return true;
    }
    return false;
}

void regions_find(struct plan *plan) {
    const struct program *program = plan->slice->program;
    struct regions_finder finder = {.plan = plan};
    find_talking(&finder);
    plan->reads_clocks = any_reads_clock(&finder);
    for (size_t i = 0; i < program->functions.count; i++) {
        struct function *function = program->functions.items[i];
        if (kept_function(plan->slice, function) &&
            !program_makes_object(function)) /* there is no place for a stub */
            walk(&finder, function, function->tree);
    }
    free(finder.talks);
    drop_covered(plan);
    for (size_t i = 0; i < program->functions.count; i++)
        if (kept_function(plan->slice, program->functions.items[i]))
            values_find(plan, program->functions.items[i]);
}
