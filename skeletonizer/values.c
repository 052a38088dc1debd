/* SPDX-License-Identifier: Apache-2.0
 *
 * Of an assignment or initialised variable the value is what is behind the `=`, of a branch or loop
 * the condition. The skeleton asks the runtime for it; profiling build and original compute it
 * and hand it to the runtime on the way. Where the original evaluates it, in the same order, the
 * skeleton asks, so values can be replayed one by one.
 */
#include "skeletonizer/values.h"

#include "base/str.h"
#include "skeletonizer/variants.h"

#include <string.h>

const struct ast *plan_value_part(const struct node *node) {
    switch (node->kind) {
    case NODE_EXPRESSION:
        return node->ast->kids[1];
    case NODE_DECLARE:
        return node->ast->kids[0];
    default:
        return node->ast;
    }
}

static char kind_of(const struct node *node) {
    const struct type *type = node->ast->type;
    if (node->kind == NODE_CONDITION || node->kind == NODE_LOOP)
        return 'B';
    return type->kind == TYPE_FLOATING ? 'D' : 'I';
}

void values_list(struct plan *plan) {
    const struct slice *s = plan->slice;
    plan->values.count = 0;
    for (size_t i = 0; s->cut != NULL && i < s->program->nodes.count; i++) {
        const struct node *node = s->program->nodes.items[i];
        if (node->function == NULL || !s->cut[node->id] || !slice_keeps_node(s, node) ||
            variants_text(plan, node->function) != node->function)
            continue;
        struct plan_value value = {(int)plan->values.count, node, kind_of(node)};
        vec_push(&plan->values, value);
    }
}

const struct plan_value *plan_value_of(const struct plan *plan, const struct node *node) {
    for (size_t i = 0; i < plan->values.count; i++)
        if (plan->values.items[i].node == node)
            return &plan->values.items[i];
    return NULL;
}

void values_take(struct edits *out, const struct plan *plan, const struct node *node,
                 const char *calls) {
    const struct plan_value *value = plan_value_of(plan, node);
    struct arena *arena = &plan->slice->program->arena;
    char *text = arena_printf(arena, "BSIM_VALUE_%c(%d)", value->kind, value->index);
    if (calls[0] != '\0') {
        char *list = arena_strdup(arena, calls); /* "f(); g();" -> "(f(), g(), value)" */
        for (char *c = list; *c != '\0'; c++)
            *c = *c == ';' ? ',' : *c;
        text = arena_printf(arena, "(%s %s)", list, text);
    }
    edits_add(out, plan_value_part(node)->range, text);
}

void values_record(struct edits *out, const struct plan *plan, const struct function *function) {
    for (size_t i = 0; i < plan->values.count; i++) {
        const struct plan_value *value = &plan->values.items[i];
        if (value->node->function != function)
            continue;
        struct range range = plan_value_part(value->node)->range;
        struct range end = {range.file, range.end, range.end};
        range.end = range.begin;
        edits_add(out, range,
                  arena_printf(&plan->slice->program->arena, "BSIM_RECORD_%c(%d, (", value->kind,
                               value->index));
        edits_add(out, end, "))");
    }
}
