/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions are in one block, apart from one another, free of what has to stay, and each has a name
 * of its own.
 */
#include "skeletonizer/plan/plan_check.h"

#include "frontend/program/tree.h"
#include "skeletonizer/slice/exits.h"
#include "skeletonizer/slice/kept.h"

#include <string.h>

static int check_block(const struct code_region *region, struct error *error) {
    const struct tree *const first = region->trees.items[0];
    const struct tree *block = first->parent;
    size_t at = 0;
    while (block != NULL && at < block->kids.count && block->kids.items[at] != first)
        at++;
    for (size_t i = 0; i < region->trees.count; i++) {
        const struct tree *tree = region->trees.items[i];
        if (tree->function != region->function && tree->function->origin != region->function)
            return error_set(error, "region %s has a statement of %s", region->id,
                             tree->function->name);
        if (tree->parent != block ||
            (block != NULL && (at + i >= block->kids.count || block->kids.items[at + i] != tree)))
            return error_set(error, "region %s is no run of statements of one block", region->id);
    }
    return 0;
}

/* In a removed region nothing stays; in a kept one nothing communicates. */
static int check_nodes(const struct plan *plan, const struct code_region *region,
                       struct error *error) {
    const struct slice *s = plan->slice;
    node_list nodes = {0};
    int result = 0;
    for (size_t i = 0; i < region->trees.count && result == 0; i++) {
        if (!region->is_kept && kept_tree(s, region->trees.items[i]))
            result = error_set(error, "region %s has a statement that stays", region->id);
        tree_nodes(region->trees.items[i], &nodes);
    }
    for (size_t i = 0; i < nodes.count && result == 0; i++)
        for (size_t k = 0; k < nodes.items[i]->calls.count && result == 0; k++) {
            const struct call *call = nodes.items[i]->calls.items[k];
            if (call->mpi != NULL && call->mpi->criterion && slice_is_criterion(s, call) &&
                !(region->is_kept && exits_program(call)))
                result =
                    error_set(error, "region %s has a call of %s in it", region->id, call->name);
        }
    vec_dispose(&nodes);
    return result;
}

static bool overlap(const struct code_region *one, const struct code_region *other) {
    return one->range.file == other->range.file && one->range.begin < other->range.end &&
           other->range.begin < one->range.end && one->function == other->function;
}

static int check_region(const struct plan *plan, size_t index, struct error *error) {
    const struct code_region *region = plan->regions.items[index];
    if (region->index != (int)index)
        return error_set(error, "region %zu has the index %d", index, region->index);
    if (region->id == NULL || region->code == NULL)
        return error_set(error, "region %zu has no %s", index, region->id == NULL ? "id" : "code");
    for (size_t i = 0; i < region->features.count; i++)
        if (region->features.items[i].expression == NULL)
            return error_set(error, "region %s: feature %s has no expression", region->id,
                             region->features.items[i].name);
    if (region->value != NULL)
        return slice_keeps_value(plan->slice, region->value)
                   ? 0
                   : error_set(error, "value %s is asked for by nothing", region->id);
    for (size_t i = 0; i < index; i++)
        if (plan->regions.items[i]->value == NULL && overlap(plan->regions.items[i], region))
            return error_set(error, "regions %s and %s overlap", plan->regions.items[i]->id,
                             region->id);
    return check_block(region, error) == 0 ? check_nodes(plan, region, error) : -1;
}

static int check_names(const struct plan *plan, struct error *error) {
    for (size_t i = 0; i < plan->regions.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(plan->regions.items[i]->id, plan->regions.items[k]->id) == 0)
                return error_set(error, "regions %zu and %zu are both %s", k, i,
                                 plan->regions.items[i]->id);
    return 0;
}

int plan_check(const struct plan *plan, struct error *error) {
    for (size_t i = 0; i < plan->regions.count; i++)
        if (check_region(plan, i, error) != 0)
            return -1;
    return check_names(plan, error);
}
