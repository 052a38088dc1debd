/* SPDX-License-Identifier: Apache-2.0
 *
 * Settling, joining and finding regions are repeated until no statement changes sides: a feature
 * that joins keeps statements, which may split a region.
 */
#include "skeletonizer/plan/plan.h"

#include "skeletonizer/features/features.h"
#include "skeletonizer/plan/given_values.h"
#include "skeletonizer/plan/regions.h"
#include "skeletonizer/plan/text_demands.h"
#include "skeletonizer/plan/variants.h"
#include "skeletonizer/rewrite/hooks.h"

#include "frontend/program/names.h"

#include <string.h>

#define MAX_ROUNDS 8

bool plan_keeps_calls(const struct slice *s, const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (slice_keeps_call(s, node->calls.items[i]))
            return true;
    return false;
}

bool plan_keeps_node(const struct slice *s, const struct node *node) {
    return slice_keeps_jump(s, node) || plan_keeps_calls(s, node);
}

bool plan_is_statement(const struct node *node) {
    return node->function != NULL && node->kind != NODE_ENTRY && node->kind != NODE_EXIT &&
           node->kind != NODE_JOIN;
}

bool plan_keeps_variable(const struct slice *s, const struct object *object) {
    return slice_declares(s, object);
}

static bool declares_no_variable(const struct tree *tree) {
    return tree->ast->kind == AST_DECLARE && tree->ast->kid_count == 0;
}

static bool keeps_declaration(const struct slice *s, const struct tree *tree) {
    if (declares_no_variable(tree))
        return true; /* types and prototypes */
    for (int i = 0; i < tree->ast->kid_count; i++)
        if (plan_keeps_variable(
                s, program_object(s->program, tree->function, tree->ast->kids[i]->declaration)))
            return true;
    return false;
}

bool plan_keeps_label(const struct slice *s, const struct tree *label) {
    const struct function *function = label->nodes.items[0]->function;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind != NODE_JUMP || node->ast->kind != AST_GOTO || !slice_keeps_node(s, node))
            continue;
        for (size_t k = 0; k < node->next.count; k++)
            if (node->next.items[k] == label->nodes.items[0])
                return true;
    }
    return false;
}

static bool in_kept_switch(const struct slice *s, const struct tree *tree) {
    for (tree = tree->parent; tree != NULL; tree = tree->parent)
        if (tree->ast->kind == AST_SWITCH)
            return slice_keeps_node(s, tree->nodes.items[0]);
    return false;
}

bool plan_keeps(const struct slice *s, const struct tree *tree) {
    if (tree == NULL)
        return false;
    if (tree->ast->kind == AST_DECLARE && keeps_declaration(s, tree))
        return true;
    if (tree->ast->kind == AST_LABEL && plan_keeps_label(s, tree))
        return true;
    if (tree->ast->kind == AST_CASE && in_kept_switch(s, tree))
        return true;
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (plan_keeps_node(s, tree->nodes.items[i]))
            return true;
    for (size_t i = 0; i < tree->kids.count; i++) /* a type is no reason to keep what it is in */
        if (!declares_no_variable(tree->kids.items[i]) && plan_keeps(s, tree->kids.items[i]))
            return true;
    return plan_keeps(s, tree->init) || plan_keeps(s, tree->step);
}

bool plan_keeps_function(const struct slice *s, const struct function *function) {
    const struct object *object = names_get(s->program->names, "object", function->key);
    if (object != NULL && slice_declares(s, object)) /* its address may be all that is wanted */
        return true;
    if (!function->is_live)
        return false;
    if (strcmp(function->name, "main") == 0 || function->definition->is_constructor)
        return true;
    for (size_t i = 0; i < s->callers[function->id].count; i++) {
        const struct call *call = s->callers[function->id].items[i];
        bool by_name = call->key != NULL && strcmp(call->key, function->key) == 0;
        if (by_name && slice_keeps_call(s, call)) /* others take the address of what they call */
            return true;
    }
    return false;
}

bool plan_keeps_definition(const struct slice *s, const struct function *function) {
    for (; function != NULL; function = function->next_instance)
        if (plan_keeps_function(s, function))
            return true;
    return false;
}

void plan_nodes(const struct tree *tree, node_list *out) {
    if (tree == NULL)
        return;
    for (size_t i = 0; i < tree->nodes.count; i++)
        vec_push(out, tree->nodes.items[i]);
    plan_nodes(tree->init, out);
    plan_nodes(tree->step, out);
    for (size_t i = 0; i < tree->kids.count; i++)
        plan_nodes(tree->kids.items[i], out);
}

bool plan_leaves(const struct slice *s, const struct tree *tree) {
    node_list nodes = {0};
    if (plan_keeps(s, tree))
        return true;
    if (!tree->ast->from_macro)
        return false;
    plan_nodes(tree, &nodes);
    bool is_empty = nodes.count == 0;
    vec_dispose(&nodes);
    return is_empty;
}

static void free_regions(struct plan *plan) {
    for (size_t i = 0; i < plan->regions.count; i++) {
        vec_dispose(&plan->regions.items[i]->trees);
        vec_dispose(&plan->regions.items[i]->features);
        vec_dispose(&plan->regions.items[i]->exits);
    }
    plan->regions.count = 0;
}

void plan_compute(struct plan *out, struct slice *slice, const struct counts *counts) {
    *out = (struct plan){.slice = slice};
    hooks_number(slice);
    text_demands_add(slice);
    text_demands_joining(slice);
    for (int round = 0; round < MAX_ROUNDS; round++) {
        size_t before = slice_mark(slice);
        text_demands_add(slice);
        free_regions(out);
        regions_find(out);
        for (size_t i = 0; i < out->regions.count; i++) {
            struct plan_region *region = out->regions.items[i];
            if (!region->is_kept && region->value == NULL && regions_is_untimable(region))
                text_demands_whole(slice, region->trees.items, region->trees.count,
                                   "a jump out of it comes out of a macro");
            else if (region->value == NULL || values_have_features(region))
                features_find(slice, region, counts);
        }
        if (slice_mark(slice) == before)
            break;
    }
    variants_choose(out);
    regions_name(out);
}

void plan_dispose(struct plan *plan) {
    free_regions(plan);
    vec_dispose(&plan->regions);
}

const struct plan_region *plan_region_at(const struct plan *plan, const struct tree *tree) {
    for (size_t i = 0; i < plan->regions.count; i++)
        if (plan->regions.items[i]->trees.items[0] == tree && plan->regions.items[i]->value == NULL)
            return plan->regions.items[i];
    return NULL;
}
