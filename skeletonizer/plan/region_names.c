/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the regions of a plan, in the order of their places. Out: for each its index, a summary, and
 * an id that hashes its text without white space and comments.
 */
#include "skeletonizer/plan/region_names.h"

#include "base/hash.h"
#include "base/str.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/text/scan.h"

#include <string.h>

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

static const struct call *kernel(const struct code_region *region) {
    const struct tree *tree = region->trees.count == 1 ? region->trees.items[0] : NULL;
    if (region->value != NULL || tree == NULL || tree->kids.count > 0 || tree->nodes.count != 1 ||
        tree->nodes.items[0]->calls.count != 1)
        return NULL;
    const struct call *call = tree->nodes.items[0]->calls.items[0];
    return call->name != NULL && call->targets.count <= 1 ? call : NULL;
}

static const char *summary(struct arena *arena, const struct code_region *region) {
    int loops = 0;
    struct str calls = {0};
    if (region->value != NULL)
        return "a value";
    for (size_t i = 0; i < region->trees.count; i++)
        count_kinds(region->trees.items[i], &loops, &calls);
    char *text;
    if (loops == 0 && calls.length == 0)
        text = arena_printf(arena, "%zu statement%s", region->trees.count,
                            text_plural(region->trees.count));
    else if (loops == 0)
        text = arena_strdup(arena, calls.text);
    else
        text = arena_printf(arena, "%d loop%s%s%s", loops, text_plural(loops),
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

void region_names_assign(struct plan *plan) {
    struct program *program = plan->slice->program;
    for (size_t i = 0; i < plan->regions.count; i++) {
        struct code_region *region = plan->regions.items[i];
        const struct source_file *file = program->files.items[region->range.file];
        unsigned hash =
            (unsigned)(scan_hash(HASH_SEED, file, region->range.begin, region->range.end) &
                       0xffffffffu);
        region->index = (int)i;
        const char *function = variants_name(plan, region->function);
        region->id = arena_printf(&program->arena, "%s-%08x", function, hash);
        for (int copy = 2; id_is_taken(plan, region->id, i); copy++)
            region->id = arena_printf(&program->arena, "%s-%08x.%d", function, hash, copy);
        region->summary = summary(&program->arena, region);
        region->kernel = kernel(region);
    }
}

char *region_names_bundle_id(const struct plan *plan) {
    unsigned long long hash = HASH_SEED;
    for (size_t i = 0; i < plan->regions.count; i++) {
        const struct code_region *region = plan->regions.items[i];
        hash = hash_text(hash, region->id);
        hash = hash_text(hash, region->code);
        for (size_t k = 0; k < region->features.count; k++) {
            const char *text = region->features.items[k].expression;
            hash = hash_text(hash, text);
        }
    }
    for (size_t i = 0; i < plan->operations.count; i++)
        hash = hash_text(hash, plan->operations.items[i].name);
    return arena_printf(&plan->slice->program->arena, "%016llx", hash);
}
