/* SPDX-License-Identifier: Apache-2.0
 *
 * Features that are known only where a region ends: how much it has read.
 *
 * In: a region that reads input, whose statement stays in the skeleton and runs there, with loops
 * of which nothing tells at its beginning how often they iterate. Out: integers that it writes and
 * that its function reads, first those that other statements of it do, as features that are
 * evaluated where it ends. Each has to be the same in both builds, so all that writes it is in the
 * skeleton already, and has to have a value: going back from each end of the region, on every way
 * an assignment comes before the entry of the function. (A definition that may not happen is
 * passed.)
 *
 * Not handled: elements of arrays, what pointers lead to, members of local records.
 */
#include "frontend/program/tree.h"
#include "skeletonizer/features/feature_walk.h"
#include "skeletonizer/features/program_inputs.h"

#include <string.h>

/* ---- What has a value there ---- */

static bool is_passed(const struct slice *s, const struct object *object) {
    return object->parameter >= 0 &&
           slice_find(s, DEMAND_PARAMETER, object->function->id, object->parameter) >= 0;
}

/* -1: it may assign it, and is not in the skeleton; 0: it does not for certain; 1: it does. */
static int assigns(const struct slice *s, const struct node *node, const struct object *object) {
    bool certain = false, writes = false;
    for (size_t i = 0; i < node->defines.count; i++) {
        const struct lvalue *lvalue = &node->defines.items[i];
        if (lvalue->object != object->id)
            continue;
        writes = true;
        certain = certain ||
                  (!lvalue->conditional && lvalue->offset_bytes == 0 && lvalue->stride_bytes == 0 &&
                   lvalue->length_bytes == object->type->size_bytes);
    }
    return writes && !slice_keeps_node(s, node) ? -1 : certain;
}

static void add_new(node_list *list, bool *seen, struct node *node) {
    if (!seen[node->index])
        vec_push(list, node);
    seen[node->index] = true;
}

/* Of one function. */
struct nodes_before {
    node_list all; /* of each node those in front of it, one node's after the other's */
    int *ends;     /* by node: where its own end */
};

static void find_before(struct nodes_before *out, const struct function *function) {
    const node_list *nodes = &function->nodes;
    int *at = xcalloc(nodes->count + 1, sizeof *at);
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->items[i]->next.count; k++)
            at[nodes->items[i]->next.items[k]->index + 1]++;
    for (size_t i = 0; i < nodes->count; i++)
        at[i + 1] += at[i];
    vec_reserve(&out->all, (size_t)at[nodes->count] + 1);
    out->all.count = (size_t)at[nodes->count];
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->items[i]->next.count; k++)
            out->all.items[at[nodes->items[i]->next.items[k]->index]++] = nodes->items[i];
    out->ends = at;
}

static void add_before(node_list *list, bool *seen, const struct nodes_before *before,
                       const struct node *node) {
    for (int i = node->index > 0 ? before->ends[node->index - 1] : 0; i < before->ends[node->index];
         i++)
        add_new(list, seen, before->all.items[i]);
}

/* On all ways to the nodes that `list` begins with, these included. */
static bool is_assigned(const struct slice *s, const struct object *object, node_list *list,
                        bool *seen, const struct nodes_before *before) {
    for (size_t i = 0; i < list->count; i++) {
        const struct node *node = list->items[i];
        int assigned = assigns(s, node, object);
        if (assigned < 0 || (node->kind == NODE_ENTRY && !is_passed(s, object)))
            return false;
        if (assigned == 0)
            add_before(list, seen, before, node);
    }
    return true;
}

static bool leaves(const struct code_region *region, const struct node *node) {
    bool leads_out = false;
    for (size_t i = 0; i < node->next.count; i++)
        leads_out = leads_out || !code_region_has(region, node->next.items[i]->tree);
    return leads_out && code_region_has(region, node->tree);
}

/* Where the region ends: in front of a jump out of it, else behind its last node. */
static void add_ends(node_list *list, bool *seen, const struct nodes_before *before,
                     const struct code_region *region) {
    const node_list *nodes = &region->function->nodes;
    for (size_t i = 0; i < nodes->count; i++) {
        struct node *node = nodes->items[i];
        if (vec_has(&region->exits, node->tree))
            add_before(list, seen, before, node);
        else if (leaves(region, node))
            add_new(list, seen, node);
    }
}

static bool has_value(const struct walk *w, const struct object *object) {
    const struct code_region *region = w->region;
    if (object->function == NULL) /* it began with one */
        return true;
    size_t count = region->function->nodes.count + 1;
    bool *seen = memset(xmalloc(count), 0, count);
    struct nodes_before before = {0};
    node_list list = {0};
    find_before(&before, region->function);
    add_ends(&list, seen, &before, region);
    bool found = list.count > 0 && is_assigned(w->slice, object, &list, seen, &before);
    vec_dispose(&list);
    vec_dispose(&before.all);
    free(before.ends);
    free(seen);
    return found;
}

/* ---- What the region writes ---- */

static bool is_written(const struct walk *w, const struct frame *frame, const struct object *object,
                       struct lvalue lvalue) {
    if (!flow_tracks(object))
        return region_writes_of(frame, lvalue);
    const node_list *nodes = &w->region->function->nodes;
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->items[i]->defines.count; k++)
            if (nodes->items[i]->defines.items[k].object == object->id &&
                code_region_has(w->region, nodes->items[i]->tree))
                return true;
    return false;
}

/* Where the value is looked at: behind each end of the region. Of a local in memory others may be
 * seen elsewhere (slice/versions.c). */
static void demand_behind(struct slice *s, const struct code_region *region,
                          const lvalue_list *uses) {
    const node_list *nodes = &region->function->nodes;
    for (size_t i = 0; i < nodes->count; i++)
        for (size_t k = 0; k < nodes->items[i]->next.count; k++) {
            struct node *next = nodes->items[i]->next.items[k];
            if (code_region_has(region, nodes->items[i]->tree) &&
                !code_region_has(region, next->tree))
                slice_demand_uses(s, next, uses, "is part of a region's feature");
        }
}

/* All that writes it stays as it is: asking for it asks for nothing new. Of what is followed by
 * flow each assignment that gets here is looked at (`assigns`). */
static bool is_kept(struct slice *s, const struct frame *frame, const struct object *object,
                    struct lvalue lvalue) {
    if (flow_tracks(object))
        return slice_declares(s, object);
    size_t mark = slice_mark(s);
    lvalue_list uses = {0};
    vec_push(&uses, lvalue);
    demand_behind(s, frame->region, &uses);
    vec_dispose(&uses);
    bool kept = slice_mark(s) == mark;
    slice_take_back(s, mark);
    return kept;
}

/* ---- Names ---- */

static bool has_namesake(const struct function *function, const struct object *object) {
    const object_list *const lists[] = {&function->locals, &function->parameters};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->count; i++)
            if (lists[l]->items[i] != object && strcmp(lists[l]->items[i]->name, object->name) == 0)
                return true;
    return false;
}

/* At each end of the region the name is this variable's. */
static bool is_in_sight(const struct code_region *region, const struct object *object) {
    bool is_local = object->function != NULL || object->declared_in != NULL;
    return !has_namesake(region->function, object) &&
           (!is_local || expression_is_in_scope(region, object));
}

/* `n += 1` and `n++` read n. */
static const struct ast *what_is_read(const struct ast *ast) {
    bool steps =
        ast->kind == AST_UNARY && (strstr(ast->op, "++") != NULL || strstr(ast->op, "--") != NULL);
    return steps || ast->kind == AST_COMPOUND_ASSIGN ? ast->kids[0] : ast;
}

/* The variable, or of a member that of which it is one; NULL: it is neither. */
static const struct ast *variable_of(const struct ast *ast) {
    if (ast->kind == AST_MEMBER && !ast->arrow)
        ast = ast->kids[0];
    return ast->kind == AST_REFERENCE && ast->declaration->kind == DECLARATION_VARIABLE ? ast
                                                                                        : NULL;
}

static bool is_late(const struct walk *w, const struct frame *frame, const struct lvalue *use,
                    const struct object *object, bool is_member) {
    if (is_member && object->function != NULL) /* not every assignment is of all members */
        return false;
    if (!is_member && features_is_rank(w->region->function, features_is_reference, object))
        return false;
    return is_in_sight(w->region, object) && is_written(w, frame, object, *use) &&
           is_kept(w->slice, frame, object, *use) && has_value(w, object);
}

static void add_use(struct walk *w, const struct frame *frame, const struct lvalue *use) {
    const struct ast *ast = use->ast != NULL ? what_is_read(use->ast) : NULL;
    const struct ast *variable = ast != NULL ? variable_of(ast) : NULL;
    struct arena *arena = &w->slice->program->arena;
    if (variable == NULL || ast->type->kind != TYPE_INTEGER || ast->type->size_bytes < 4)
        return;
    const struct object *object =
        program_object(w->slice->program, w->region->function, variable->declaration);
    if (object == NULL || object->type == NULL || !is_late(w, frame, use, object, ast != variable))
        return;
    const char *name =
        ast == variable ? object->name : arena_printf(arena, "%s.%s", object->name, ast->name);
    features_add(w, name, arena_printf(arena, "the value of %s as the region ends", name));
}

static void add_uses(struct walk *w, const struct frame *frame, const lvalue_list *uses) {
    for (size_t i = 0; i < uses->count && w->region->features.count < FEATURES_MAX_SIZES; i++)
        add_use(w, frame, &uses->items[i]);
}

static void add_uses_of(struct walk *w, const struct frame *frame, const struct node *node) {
    if (slice_keeps_node(w->slice, node))
        add_uses(w, frame, &node->uses);
    for (size_t k = 0; k < node->calls.count; k++)
        for (size_t a = 0; a < node->calls.items[k]->arguments.count; a++)
            if (slice_keeps_argument(w->slice, node->calls.items[k], (int)a))
                add_uses(w, frame, &node->calls.items[k]->arguments.items[a].uses);
}

static bool reads_when_called(const struct slice *s, const struct call *call) {
    for (size_t t = 0; t < call->targets.count; t++)
        for (size_t i = 0; i < s->program->functions.count; i++) {
            const struct function *function = s->program->functions.items[i];
            if (slice_may_run(s, call->targets.items[t], function) &&
                inputs_are_read(function->tree))
                return true;
        }
    return false;
}

static bool reads(const struct slice *s, const struct code_region *region) {
    node_list nodes = {0};
    bool found = inputs_are_read(region->trees.items[0]);
    tree_nodes(region->trees.items[0], &nodes);
    for (size_t i = 0; i < nodes.count && !found; i++)
        for (size_t k = 0; k < nodes.items[i]->calls.count && !found; k++)
            found = reads_when_called(s, nodes.items[i]->calls.items[k]);
    vec_dispose(&nodes);
    return found;
}

bool features_add_late(struct walk *w, const struct frame *frame) {
    struct code_region *region = w->region;
    const node_list *nodes = &region->function->nodes;
    if (!region->is_kept || !reads(w->slice, region))
        return false;
    for (int inside = 0; inside < 2; inside++)
        for (size_t i = 0; i < nodes->count; i++)
            if (code_region_has(region, nodes->items[i]->tree) == (inside == 1))
                add_uses_of(w, frame, nodes->items[i]);
    region->is_late = region->features.count > 0;
    return region->is_late;
}
