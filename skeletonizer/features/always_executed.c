/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the statements of a region from its beginning, into the functions that it calls, up to the
 * first one that may leave the others out; of branches and loops only what is evaluated in any
 * case. In front of a value these are all statements before it at each level of blocks, as long as
 * nobody can have given the memory back since. See always_executed.h.
 */
#include "skeletonizer/features/always_executed.h"

#include "base/words.h"
#include "frontend/program/tree.h"
#include "skeletonizer/features/region_writes.h"
#include "skeletonizer/slice/assigned.h"
#include "skeletonizer/slice/flow.h"

#include <ctype.h>
#include <string.h>

/* Where break and continue lead out of what is looked at. */
struct leaving {
    bool by_break, by_continue;
};

static bool leaves(const struct tree *tree, struct leaving leaving) {
    switch (tree->ast->kind) {
    case AST_RETURN:
    case AST_GOTO:
        return true;
    case AST_BREAK:
        return leaving.by_break;
    case AST_CONTINUE:
        return leaving.by_continue;
    default:
        leaving.by_continue = leaving.by_continue && !tree_is_loop(tree);
        leaving.by_break = leaving.by_break && !tree_is_loop(tree) && tree->ast->kind != AST_SWITCH;
        for (size_t i = 0; i < tree->kids.count; i++)
            if (leaves(tree->kids.items[i], leaving))
                return true;
        return false;
    }
}

bool always_executed_leaves(const struct tree *tree) {
    return leaves(tree, (struct leaving){.by_break = true, .by_continue = true});
}

bool always_executed_ends_loop(const struct tree *body) {
    return leaves(body, (struct leaving){.by_break = true});
}

bool always_executed_is_in_part(const struct ast *ast) {
    bool logical =
        ast->kind == AST_BINARY && (strcmp(ast->op, "&&") == 0 || strcmp(ast->op, "||") == 0);
    if (logical || ast->kind == AST_CONDITIONAL || ast->kind == AST_STATEMENT_EXPR)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kids[i] != NULL && always_executed_is_in_part(ast->kids[i]))
            return true;
    return false;
}

static bool is_pointer(const struct ast *ast) {
    return ast->type != NULL && ast->type->kind == TYPE_POINTER;
}

/* What is followed to read this; NULL: nothing. */
static const struct ast *followed(const struct ast *ast) {
    while (ast != NULL) {
        const struct ast *base = ast->kid_count > 0 ? ast->kids[0] : NULL;
        bool reads = ast->kind == AST_MEMBER || ast->kind == AST_SUBSCRIPT ||
                     (ast->kind == AST_UNARY && strcmp(ast->op, "*") == 0);
        if (!reads || base == NULL || is_pointer(base))
            return reads ? base : NULL;
        ast = base;
    }
    return NULL;
}

/* The whole function is looked at, in front of a value. */
static bool is_whole(const struct frame *frame) {
    return frame->region->value != NULL &&
           frame->region->trees.items[0] == frame->region->function->tree;
}

/* *count: how many have the name, in blocks beside or in each other. */
static const struct object *local_named(const struct function *function, const char *name,
                                        size_t length, int *count) {
    const object_list *lists[] = {&function->parameters, &function->locals};
    const struct object *found = NULL;
    *count = 0;
    for (int l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->count; i++) {
            if (strlen(lists[l]->items[i]->name) != length ||
                strncmp(lists[l]->items[i]->name, name, length) != 0)
                continue;
            found = lists[l]->items[i];
            (*count)++;
        }
    return found;
}

/* A parameter that is never assigned, or a local that is in one place. */
static bool stays_the_same(const struct function *function, const struct object *local) {
    bool defined = false;
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->defines.count; k++)
            defined = defined || function->nodes.items[i]->defines.items[k].object == local->id;
    return flow_tracks(local) &&
           (local->parameter >= 0 ? !defined : assigned_once(function, local) != NULL);
}

/* All locals that the text names are, where the value is given, what they were in front of it. */
static bool names_what_stays(const struct function *function, const char *text) {
    for (const char *at = text; *at != '\0';) {
        size_t length = 0;
        int count;
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
        bool is_member =
            at > text && (at[-1] == '.' || (at > text + 1 && at[-1] == '>' && at[-2] == '-'));
        const struct object *local =
            length > 0 && !is_member ? local_named(function, at, length, &count) : NULL;
        if (local != NULL && (count > 1 || !stays_the_same(function, local)))
            return false;
        at += length > 0 ? length : 1;
    }
    return true;
}

static void note_text(struct always_executed *out, const struct frame *frame, const char *text) {
    if (!is_whole(frame) || names_what_stays(frame->region->function, text))
        vec_push(&out->followed, arena_strdup(out->arena, text));
}

static void note_read(struct always_executed *out, const struct frame *frame,
                      const struct node *node, const struct ast *ast) {
    struct str text = {0};
    if (expression_print(&text, frame, node, ast))
        note_text(out, frame, str_text(&text));
    /* A local has another text there: what it was assigned. */
    int count;
    if (is_whole(frame) && frame->depth == 0 && ast->kind == AST_REFERENCE &&
        local_named(frame->function, ast->name, strlen(ast->name), &count) != NULL)
        note_text(out, frame, ast->name);
    str_dispose(&text);
}

static void note_uses(struct always_executed *out, const struct frame *frame,
                      const struct node *node, const lvalue_list *uses) {
    for (size_t i = 0; i < uses->count; i++) {
        const struct ast *pointer = followed(uses->items[i].ast);
        if (pointer != NULL)
            note_read(out, frame, node, pointer);
        if (pointer != NULL && uses->items[i].ast->kind == AST_SUBSCRIPT)
            note_read(out, frame, node, uses->items[i].ast);
    }
}

bool always_executed_asks(const struct call *call) {
    return call->ast->kid_count == 3 &&
           (mpi_call_is(call->mpi, MPI_TELLS_RANK) || mpi_call_is(call->mpi, MPI_TELLS_SIZE));
}

static bool visit(struct always_executed *out, const struct frame *frame, const struct tree *tree);

static void visit_node(struct always_executed *out, const struct frame *frame,
                       const struct node *node) {
    if (node->ast == NULL || always_executed_is_in_part(node->ast))
        return;
    note_uses(out, frame, node, &node->uses);
    for (size_t i = 0; i < node->calls.count; i++) {
        const struct call *call = node->calls.items[i];
        struct frame inner;
        struct binding bindings[FRAME_MAX_BINDINGS];
        for (size_t a = 0; a < call->arguments.count; a++)
            note_uses(out, frame, node, &call->arguments.items[a].uses);
        if (always_executed_asks(call))
            note_read(out, frame, node, call->ast->kids[1]);
        if (frame_enter(&inner, bindings, frame, node, call))
            visit(out, &inner, inner.function->tree);
    }
}

/* False: what is behind it may be left out. */
static bool visit(struct always_executed *out, const struct frame *frame, const struct tree *tree) {
    enum ast_kind kind = tree->ast->kind;
    bool branches = kind == AST_IF || kind == AST_SWITCH || tree_is_loop(tree), goes_on = true;
    if (tree->init != NULL)
        visit(out, frame, tree->init);
    for (size_t i = 0; i < tree->nodes.count && kind != AST_DO; i++)
        visit_node(out, frame, tree->nodes.items[i]);
    for (size_t i = 0; i < tree->kids.count && !branches && goes_on; i++)
        goes_on = visit(out, frame, tree->kids.items[i]);
    return goes_on && !always_executed_leaves(tree);
}

/* ---- In front of a value ---- */

/* Memory may be given back; what nothing is known of may do so. */
static bool may_free(const struct call *call) {
    if (call->mpi != NULL)
        return call_frees(call) || mpi_call_parameter(call->mpi, MPI_ROLE_WINDOW_INOUT) >= 0 ||
               call->mpi->class == MPI_CLASS_FINALIZE;
    return call_frees(call) || (call->library == NULL && call->targets.count == 0);
}

static bool frees_memory(const struct slice *s, const struct function *function) {
    for (size_t i = 0; i < s->program->calls.count; i++) {
        const struct call *call = s->program->calls.items[i];
        const struct function *caller = call->node->function;
        if (caller != NULL && may_free(call) && slice_may_run(s, function, caller))
            return true;
    }
    return false;
}

/* As seen from the whole function: a pointer that it changes anywhere has no text then. */
static void visit_before(struct always_executed *out, const struct frame *value) {
    const struct function *function = value->region->function;
    if (tree_has_label(function->tree) || /* a jump could lead past what stands in front */
        frees_memory(value->slice, function))
        return;
    struct code_region whole = {.function = value->region->function, .value = value->entry};
    struct region_writes reached = {0};
    struct frame frame = {.slice = value->slice,
                          .region = &whole,
                          .entry = value->entry,
                          .function = function,
                          .reached = &reached};
    vec_push(&whole.trees, function->tree);
    for (const struct tree *tree = value->region->trees.items[0]; tree->parent != NULL;
         tree = tree->parent) {
        bool in_block = tree->parent->ast->kind == AST_COMPOUND; /* not the other branch */
        for (size_t i = 0; in_block && tree->parent->kids.items[i] != tree; i++)
            visit(out, &frame, tree->parent->kids.items[i]);
    }
    vec_dispose(&whole.trees);
    region_writes_dispose(&reached);
}

static void find_followed(struct always_executed *out, const struct frame *frame) {
    struct frame region = {.slice = frame->slice,
                           .region = frame->region,
                           .entry = frame->entry,
                           .function = frame->region->function,
                           .reached = frame->reached};
    size_t mark = slice_mark(frame->slice);
    bool goes_on = true;
    out->made = true;
    for (size_t i = 0; i < frame->region->trees.count && goes_on; i++)
        goes_on = visit(out, &region, frame->region->trees.items[i]);
    if (frame->region->value != NULL)
        visit_before(out, &region);
    slice_take_back(frame->slice, mark);
}

bool always_executed_follows(const struct frame *frame, const char *text) {
    struct always_executed *certain = frame->certain;
    if (certain == NULL)
        return false;
    if (!certain->made)
        find_followed(certain, frame);
    return words_contain(certain->followed.items, certain->followed.count, text);
}
