/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of each function that stays and collects runs of removed ones.
 */
#include "skeletonizer/regions.h"

#include "base/str.h"
#include "skeletonizer/scan.h"

#include <string.h>

/* A few scalar statements cost about as much as the stub that would stand for them, far less than a
 * timer can resolve: they go without one. */
#define TRIVIAL_NODES 4

static bool is_worth_a_stub(struct tree *const *trees, size_t count) {
    node_list nodes = {0};
    size_t code = 0;
    bool costly = false;
    for (size_t i = 0; i < count; i++)
        plan_nodes(trees[i], &nodes);
    for (size_t i = 0; i < nodes.count; i++) {
        const struct node *node = nodes.items[i];
        code += node->kind != NODE_JOIN;
        costly = costly || node->kind == NODE_LOOP || node->calls.count > 0;
    }
    vec_dispose(&nodes);
    return costly || code > TRIVIAL_NODES;
}

static bool is_inside(const struct plan_region *region, const struct tree *tree) {
    for (; tree != NULL; tree = tree->parent)
        for (size_t i = 0; i < region->trees.count; i++)
            if (region->trees.items[i] == tree)
                return true;
    return false;
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

static bool leaves(const struct plan_region *region, const struct tree *tree) {
    switch (tree->ast->kind) {
    case AST_RETURN:
        return true;
    case AST_GOTO: {
        const struct node *node = tree->nodes.items[0];
        return node->next.count == 0 || !is_inside(region, node->next.items[0]->tree);
    }
    case AST_BREAK:
    case AST_CONTINUE:
        return !is_inside(region, jump_target(tree));
    default:
        return false;
    }
}

static void find_exits(struct plan_region *region, const struct tree *tree) {
    if (leaves(region, tree))
        vec_push(&region->exits, tree);
    for (size_t i = 0; i < tree->kids.count; i++)
        find_exits(region, tree->kids.items[i]);
}

static void add_region(struct plan *plan, struct function *function, struct tree *const *trees,
                       size_t count, bool is_body) {
    if (!is_worth_a_stub(trees, count))
        return;
    const struct program *program = plan->slice->program;
    struct plan_region *region = ARENA_NEW(&plan->slice->program->arena, struct plan_region);
    region->function = function;
    region->is_body = is_body;
    for (size_t i = 0; i < count; i++)
        vec_push(&region->trees, trees[i]);
    region->range = trees[0]->ast->range;
    region->range.end = scan_statement_end(program, trees[count - 1]);
    for (size_t i = 0; i < count; i++)
        find_exits(region, trees[i]);
    int column;
    struct range last = {region->range.file, region->range.end - 1, region->range.end};
    program_position(program, region->range, &region->line, &column);
    program_position(program, last, &region->end_line, &column);
    vec_push(&plan->regions, region);
}

static void walk(struct plan *plan, struct function *function, struct tree *tree);

static void walk_block(struct plan *plan, struct function *function, struct tree *tree) {
    size_t begin = 0;
    for (size_t i = 0; i <= tree->kids.count; i++) {
        bool kept = i == tree->kids.count || plan_keeps(plan->slice, tree->kids.items[i]);
        if (!kept)
            continue;
        if (i > begin)
            add_region(plan, function, tree->kids.items + begin, i - begin, false);
        begin = i + 1;
        if (i < tree->kids.count)
            walk(plan, function, tree->kids.items[i]);
    }
}

static void walk(struct plan *plan, struct function *function, struct tree *tree) {
    if (tree->ast->kind == AST_COMPOUND) {
        walk_block(plan, function, tree);
        return;
    }
    for (size_t i = 0; i < tree->kids.count; i++) {
        struct tree *kid = tree->kids.items[i];
        if (plan_keeps(plan->slice, kid))
            walk(plan, function, kid);
        else
            add_region(plan, function, &kid, 1, true);
    }
}

void regions_find(struct plan *plan) {
    const struct program *program = plan->slice->program;
    for (size_t i = 0; i < program->functions.count; i++) {
        struct function *function = program->functions.items[i];
        if (plan_keeps_function(plan->slice, function))
            walk(plan, function, function->tree);
    }
}

/* Names */

static unsigned long long hash_text(const struct source_file *file, struct range range) {
    unsigned long long hash = HASH_SEED;
    unsigned at = range.begin;
    while ((at = scan_skip_space(file, at)) < range.end) {
        hash = hash_bytes(hash, file->text + at, 1);
        at++;
    }
    return hash;
}

static void count_kinds(const struct tree *tree, int *loops, struct str *calls) {
    enum ast_kind kind = tree->ast->kind;
    *loops += kind == AST_FOR || kind == AST_WHILE || kind == AST_DO;
    for (size_t i = 0; i < tree->nodes.count; i++)
        for (size_t k = 0; k < tree->nodes.items[i]->calls.count; k++) {
            const char *name = tree->nodes.items[i]->calls.items[k]->name;
            if (name != NULL && calls->length < 60 && strstr(str_text(calls), name) == NULL)
                str_printf(calls, "%s%s", calls->length > 0 ? ", " : "", name);
        }
    for (size_t i = 0; i < tree->kids.count; i++)
        count_kinds(tree->kids.items[i], loops, calls);
}

static const char *summary(struct arena *arena, const struct plan_region *region) {
    int loops = 0;
    struct str calls = {0};
    for (size_t i = 0; i < region->trees.count; i++)
        count_kinds(region->trees.items[i], &loops, &calls);
    char *text;
    if (loops == 0 && calls.length == 0)
        text = arena_printf(arena, "%zu statement%s", region->trees.count,
                            region->trees.count == 1 ? "" : "s");
    else if (loops == 0)
        text = arena_strdup(arena, calls.text);
    else
        text = arena_printf(arena, "%d loop%s%s%s", loops, loops == 1 ? "" : "s",
                            calls.length > 0 ? ", " : "", str_text(&calls));
    str_dispose(&calls);
    return text;
}

static bool id_is_taken(const struct plan *plan, const char *id, size_t before) {
    for (size_t i = 0; i < before; i++)
        if (strcmp(plan->regions.items[i]->id, id) == 0)
            return true;
    return false;
}

void regions_name(struct plan *plan) {
    struct program *program = plan->slice->program;
    for (size_t i = 0; i < plan->regions.count; i++) {
        struct plan_region *region = plan->regions.items[i];
        const struct source_file *file = program->files.items[region->range.file];
        unsigned hash = (unsigned)(hash_text(file, region->range) & 0xffffffffu);
        region->index = (int)i;
        region->id = arena_printf(&program->arena, "%s-%08x", region->function->name, hash);
        for (int copy = 2; id_is_taken(plan, region->id, i); copy++)
            region->id =
                arena_printf(&program->arena, "%s-%08x.%d", region->function->name, hash, copy);
        region->summary = summary(&program->arena, region);
    }
}

char *regions_bundle_id(const struct plan *plan) {
    unsigned long long hash = HASH_SEED;
    for (size_t i = 0; i < plan->regions.count; i++) {
        const struct plan_region *region = plan->regions.items[i];
        hash = hash_bytes(hash, region->id, strlen(region->id) + 1);
        for (size_t k = 0; k < region->features.count; k++) {
            const char *text = region->features.items[k].expression;
            hash = hash_bytes(hash, text, strlen(text) + 1);
        }
    }
    return arena_printf(&plan->slice->program->arena, "%016llx", hash);
}
