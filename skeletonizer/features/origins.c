/* SPDX-License-Identifier: Apache-2.0
 *
 * In: an expression whose value is not known where the region begins, such as the bound of a loop
 * in which a direction or a table has a say. Out: the integers at the ends of what assigned it:
 * back through locals, all that may have assigned them, arguments, what functions return, and
 * memory of the region's own (written_value.h). Conditions that choose between values are not
 * followed, nor elements of arrays that the region fills.
 */
#include "skeletonizer/features/origins.h"

#include "skeletonizer/features/written_value.h"
#include "skeletonizer/slice/assigned.h"
#include "skeletonizer/slice/flow.h"

#include <ctype.h>
#include <string.h>

#define MAX_SOURCE_TEXT 200

/* Nothing but digits and operators, or a variable of a loop in the region (features.c). */
static bool is_no_source(const char *text) {
    bool named = false;
    for (const char *at = text; *at != '\0'; at++)
        named = named || isalpha((unsigned char)*at) || *at == '_';
    return !named || strstr(text, "bsim_i") != NULL || strlen(text) > MAX_SOURCE_TEXT;
}

static struct origin *find(const struct origins *sources, const char *text) {
    for (size_t i = 0; i < sources->items.count; i++)
        if (strcmp(sources->items.items[i].text, text) == 0)
            return &sources->items.items[i];
    return NULL;
}

void origins_add(struct origins *out, const char *text) {
    struct origin *same = find(out, text);
    if (same != NULL && same->weight < out->weight)
        same->weight = out->weight;
    if (same != NULL || is_no_source(text) || out->items.count >= out->limit)
        return;
    vec_push(&out->items, (struct origin){arena_strdup(out->arena, text), out->weight});
}

/* A variable or a member as such: what is made with operators comes of others. */
static bool is_plain(const char *text) {
    for (const char *at = text; *at != '\0'; at++)
        if (strchr("+/%<?|^~", *at) != NULL || (*at == '-' && at[1] != '>') || *at == ' ')
            return false;
    return true;
}

/* A variable or member that is known. */
static bool take(struct origins *out, const struct frame *frame, const struct node *node,
                 const struct ast *ast) {
    struct str text = {0};
    struct frame plain = *frame;
    size_t mark = slice_mark(frame->slice);
    plain.sources = NULL;
    plain.unsafe = true; /* what it comes of, and the loop itself, need not be executed */
    bool known = ast->type->kind == TYPE_INTEGER && expression_print(&text, &plain, node, ast) &&
                 is_plain(str_text(&text));
    if (known && !is_no_source(str_text(&text)) && out->items.count < out->limit)
        origins_add(out, str_text(&text));
    else
        slice_take_back(frame->slice, mark);
    str_dispose(&text);
    return known;
}

static void gather_kids(struct origins *out, const struct frame *frame, const struct node *node,
                        const struct ast *ast, int first) {
    for (int i = first; i < ast->kid_count; i++)
        if (ast->kids[i] != NULL)
            origins_gather(out, frame, node, ast->kids[i]);
}

static void gather_local(struct origins *out, const struct frame *frame, const struct node *node,
                         const struct object *object) {
    node_list definitions = {0};
    flow_reaching(&frame->slice->flow, node, object, &definitions);
    for (size_t i = 0; i < definitions.count; i++) {
        const struct node *definition = definitions.items[i];
        if (definition->kind == NODE_ENTRY || definition->ast == NULL ||
            !vec_push_new(&out->followed, definition))
            continue;
        const struct ast *value = assigned_value(definition, object);
        if (value != NULL)
            origins_gather(out, frame, definition, value);
        else if (definition->ast->kind == AST_COMPOUND_ASSIGN)
            gather_kids(out, frame, definition, definition->ast, 0);
    }
    vec_dispose(&definitions);
}

/* Memory that the region writes itself. */
static void gather_written_values(struct origins *out, const struct frame *frame,
                                  const struct node *node, const struct ast *ast) {
    struct str text = {0};
    struct frame following = *frame;
    following.sources = out;
    following.unsafe = true; /* as above */
    written_value_print(&text, &following, node, ast);
    str_dispose(&text);
}

static void gather_variable(struct origins *out, const struct frame *frame, const struct node *node,
                            const struct ast *ast) {
    if (ast->declaration->kind != DECLARATION_VARIABLE)
        return;
    const struct binding *binding = frame_binding(frame, ast->declaration);
    if (binding != NULL && binding->argument != NULL && binding->record == NULL) {
        origins_gather(out, binding->argument_frame, binding->argument_node, binding->argument);
        return;
    }
    const struct object *object =
        program_object(frame->slice->program, frame->function, ast->declaration);
    if (binding == NULL && object != NULL && flow_tracks(object))
        gather_local(out, frame, node, object);
    else if (binding == NULL)
        gather_written_values(out, frame, node, ast);
}

/* Of all that the function may return. */
static void gather_call(struct origins *out, const struct frame *frame, const struct node *node,
                        const struct ast *ast) {
    struct frame inner;
    struct binding bindings[FRAME_MAX_BINDINGS];
    const struct call *call = frame_find_call(node, ast);
    if (call == NULL || !frame_enter(&inner, bindings, frame, node, call))
        return;
    for (size_t i = 0; i < inner.function->nodes.count; i++) {
        const struct node *last = inner.function->nodes.items[i];
        if (last->kind == NODE_RETURN && last->ast != NULL && last->ast->kind == AST_RETURN)
            gather_kids(out, &inner, last, last->ast, 0);
    }
}

bool origins_may_go_on(struct origins *sources) {
    return sources->steps_left-- > 0;
}

void origins_gather(struct origins *out, const struct frame *frame, const struct node *node,
                    const struct ast *ast) {
    if (out->items.count >= out->limit || ast->has_value || !origins_may_go_on(out))
        return;
    switch (ast->kind) {
    case AST_REFERENCE:
        if (!take(out, frame, node, ast))
            gather_variable(out, frame, node, ast);
        return;
    case AST_MEMBER:
        if (!take(out, frame, node, ast))
            gather_written_values(out, frame, node, ast);
        return;
    case AST_UNARY:
        if (strcmp(ast->op, "*") != 0)
            gather_kids(out, frame, node, ast, 0);
        else if (!take(out, frame, node, ast))
            gather_written_values(out, frame, node, ast);
        return;
    case AST_CONDITIONAL:
        gather_kids(out, frame, node, ast, 1);
        return;
    case AST_CALL:
        gather_call(out, frame, node, ast);
        return;
    case AST_BINARY:
    case AST_CAST:
        gather_kids(out, frame, node, ast, 0);
        return;
    default:
        return;
    }
}

bool origins_follow(const struct frame *frame, const struct node *node, const struct ast *ast) {
    origins_gather(frame->sources, frame, node, ast);
    return true;
}
