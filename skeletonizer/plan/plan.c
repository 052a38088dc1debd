/* SPDX-License-Identifier: Apache-2.0
 *
 * Settling, joining and finding regions are repeated until no statement changes sides: a feature
 * that joins keeps statements, which may split a region.
 */
#include "skeletonizer/plan/plan.h"

#include "skeletonizer/features/features.h"
#include "skeletonizer/plan/frees.h"
#include "skeletonizer/plan/given_values.h"
#include "skeletonizer/plan/region_names.h"
#include "skeletonizer/plan/regions.h"
#include "skeletonizer/plan/text_demands.h"
#include "skeletonizer/plan/unread_memory.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/slice/slice.h"

#include <stdlib.h>

/* ---- Loop numbers ---- */

/*
 * Which number a loop has in features and hooks.
 * Loops are numbered in the order of their places: instances of a function share its numbers, and
 * so does code that is included twice.
 */

static int compare_places(const void *left, const void *right) {
    const struct range *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

typedef VEC(struct range) range_list;

static void find_places(range_list *out, const struct program *program) {
    size_t left = 0;
    for (size_t i = 0; i < program->nodes.count; i++)
        if (program->nodes.items[i]->kind == NODE_LOOP)
            vec_push(out, program->nodes.items[i]->tree->ast->range);
    if (out->count > 1)
        qsort(out->items, out->count, sizeof *out->items, compare_places);
    for (size_t i = 0; i < out->count; i++)
        if (left == 0 || compare_places(&out->items[left - 1], &out->items[i]) != 0)
            out->items[left++] = out->items[i];
    out->count = left;
}

/* Gives all loops of the program numbers, for the features and hooks of this slice. */
static void loop_numbers_assign(struct slice *slice) {
    struct program *program = slice->program;
    int *numbers = ARENA_ARRAY(&program->arena, int, program->nodes.count + 1);
    range_list places = {0};
    find_places(&places, program);
    for (size_t i = 0; i < program->nodes.count; i++) {
        const struct node *node = program->nodes.items[i];
        const struct range *place =
            node->kind == NODE_LOOP ? bsearch(&node->tree->ast->range, places.items, places.count,
                                              sizeof *places.items, compare_places)
                                    : NULL;
        numbers[node->id] = place != NULL ? (int)(place - places.items) : -1;
    }
    slice->loop_numbers = numbers;
    vec_dispose(&places);
}

/* ---- Plan ---- */

static void free_regions(struct plan *plan) {
    for (size_t i = 0; i < plan->regions.count; i++)
        code_region_dispose(plan->regions.items[i]);
    for (size_t i = 0; i < plan->followers.count; i++)
        code_region_dispose(plan->followers.items[i]);
    plan->regions.count = plan->followers.count = 0;
    plan->untimed.count = 0;
}

void plan_compute(struct plan *out, struct slice *slice, const struct counts *counts) {
    *out = (struct plan){.slice = slice};
    loop_numbers_assign(slice);
    text_demands_add(slice);
    text_demands_joining(slice);
    size_t before;
    do { /* until it asks for nothing more */
        before = slice_mark(slice);
        frees_join(slice); /* features may have brought allocations */
        text_demands_add(slice);
        free_regions(out);
        regions_find(out);
        for (size_t i = 0; i < out->regions.count; i++) {
            struct code_region *region = out->regions.items[i];
            if (!region->is_kept && region->value == NULL && regions_is_untimable(region))
                text_demands_whole(slice, region->trees.items, region->trees.count,
                                   "a jump out of it comes out of a macro");
            else if (region->value == NULL || values_have_features(region))
                features_find(slice, region, counts);
        }
        for (size_t i = 0; i < out->followers.count; i++)
            features_find(slice, out->followers.items[i], counts);
        values_join_features(out);
    } while (slice_mark(slice) != before);
    out->unread = unread_memory_find(slice);
    out->unread_variables = unread_memory_variables(slice);
    variants_choose(out);
    region_names_assign(out);
}

void plan_dispose(struct plan *plan) {
    free_regions(plan);
    vec_dispose(&plan->regions);
    vec_dispose(&plan->followers);
    vec_dispose(&plan->untimed);
    vec_dispose(&plan->operations);
}

const struct code_region *plan_region_at(const struct plan *plan, const struct tree *tree) {
    for (size_t i = 0; i < plan->regions.count; i++)
        if (plan->regions.items[i]->trees.items[0] == tree && plan->regions.items[i]->value == NULL)
            return plan->regions.items[i];
    return NULL;
}
