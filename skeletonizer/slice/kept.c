/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a slice. Out: answers, of statements and definitions instead of nodes and objects. Nothing is
 * stored: a demand that is raised or taken back changes the answers.
 */
#include "skeletonizer/slice/kept.h"

#include "frontend/program/names.h"
#include "frontend/program/tree.h"

#include <string.h>

int kept_earlier(int one, int other) {
    return one < 0 || (other >= 0 && other < one) ? other : one;
}

int kept_node_demand(const struct slice *s, const struct node *node) {
    int first = kept_earlier(slice_find(s, DEMAND_NODE, node->id, 0),
                             slice_find(s, DEMAND_JUMP, node->id, 0));
    for (size_t i = 0; i < node->calls.count; i++)
        first = kept_earlier(first, slice_find(s, DEMAND_CALL, node->calls.items[i]->id, 0));
    return first;
}

bool kept_any_call(const struct slice *s, const struct node *node) {
    for (size_t i = 0; i < node->calls.count; i++)
        if (slice_keeps_call(s, node->calls.items[i]))
            return true;
    return false;
}

bool kept_part_of_node(const struct slice *s, const struct node *node) {
    return slice_keeps_jump(s, node) || kept_any_call(s, node);
}

static bool declares_no_variable(const struct tree *tree) {
    return tree->ast->kind == AST_DECLARE && tree->ast->kid_count == 0;
}

static bool keeps_declaration(const struct slice *s, const struct tree *tree) {
    if (declares_no_variable(tree))
        return true; /* types and prototypes */
    for (int i = 0; i < tree->ast->kid_count; i++)
        if (slice_declares(
                s, program_object(s->program, tree->function, tree->ast->kids[i]->declaration)))
            return true;
    return false;
}

bool kept_label(const struct slice *s, const struct tree *label) {
    const struct function *function = label->nodes.items[0]->function;
    for (size_t i = 0; i < function->nodes.count; i++) {
        const struct node *node = function->nodes.items[i];
        if (node->kind == NODE_JUMP && node->ast->kind == AST_GOTO && slice_keeps_node(s, node) &&
            vec_has(&node->next, label->nodes.items[0]))
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

bool kept_tree(const struct slice *s, const struct tree *tree) {
    if (tree == NULL)
        return false;
    if (tree->ast->kind == AST_DECLARE && keeps_declaration(s, tree))
        return true;
    if (tree->ast->kind == AST_LABEL && kept_label(s, tree))
        return true;
    if (tree->ast->kind == AST_CASE && in_kept_switch(s, tree))
        return true;
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (kept_part_of_node(s, tree->nodes.items[i]))
            return true;
    for (size_t i = 0; i < tree->kids.count; i++) /* a type is no reason to keep what it is in */
        if (!declares_no_variable(tree->kids.items[i]) && kept_tree(s, tree->kids.items[i]))
            return true;
    return kept_tree(s, tree->init) || kept_tree(s, tree->step);
}

bool kept_function(const struct slice *s, const struct function *function) {
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

bool kept_definition(const struct slice *s, const struct function *function) {
    for (; function != NULL; function = function->next_instance)
        if (kept_function(s, function))
            return true;
    return false;
}

bool kept_in_place(const struct slice *s, const struct tree *tree) {
    node_list nodes = {0};
    if (kept_tree(s, tree))
        return true;
    if (!tree->ast->from_macro)
        return false;
    tree_nodes(tree, &nodes);
    bool is_empty = nodes.count == 0;
    vec_dispose(&nodes);
    return is_empty;
}
