/* SPDX-License-Identifier: Apache-2.0
 *
 * See rewrite_arrays.h. An array of variable length stays whole where its function asks for its
 * size (sizeof, typeof), of which the answer would be another one, and where a typedef says it.
 */
#include "skeletonizer/rewrite/rewrite_arrays.h"

#include <string.h>

/* A rank that waits has some 1 KB on its stack; less than a quarter of this saves little. */
#define SMALL_BYTES 256

static bool is_unread(const struct rewriter *r, const struct ast *variable) {
    const struct object *object = program_object(r->program, r->function, variable->declaration);
    return object != NULL && !variable->declaration->static_storage && !variable->from_macro &&
           r->plan->unread_variables[object->id];
}

static bool is_of_constant_type(const struct type *type) {
    while (type != NULL && type->kind == TYPE_ARRAY && !type->variable_length)
        type = type->element;
    return type != NULL && !type_is_variably_modified(type);
}

bool rewrite_leaves_stack(const struct rewriter *r, const struct ast *variable) {
    const struct type *type = variable->declaration->type;
    bool is_sized = variable->kids[0] == NULL || variable->kid_count > 1; /* not `int a[] = {1}` */
    return is_unread(r, variable) && is_sized && is_of_constant_type(type) &&
           type->size_bytes >= SMALL_BYTES;
}

static bool names(const struct ast *ast, const struct declaration *declaration) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_REFERENCE && ast->declaration == declaration)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (names(ast->kids[i], declaration))
            return true;
    return names(ast->named, declaration);
}

static bool asks_size(const struct ast *ast, const struct declaration *declaration) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_SIZEOF || ast->named != NULL)
        return names(ast, declaration);
    for (int i = 0; i < ast->kid_count; i++)
        if (asks_size(ast->kids[i], declaration))
            return true;
    return false;
}

/* NULL: none is written. */
static const struct ast *first_dimension(const struct ast *variable) {
    const struct ast *first = NULL;
    for (int i = 1; i < variable->kid_count; i++)
        if (first == NULL || variable->kids[i]->range.begin < first->range.begin)
            first = variable->kids[i];
    return first;
}

static bool is_type(const struct declaration *declaration) {
    return declaration != NULL && declaration->is_type;
}

void rewrite_length(struct rewriter *r, const struct ast *variable) {
    const struct ast *length = first_dimension(variable);
    const struct declaration *declaration = variable->declaration;
    if (length == NULL || length->from_macro || length->in_macro_arg || is_type(declaration) ||
        is_type(length->declaration) || declaration->type->kind != TYPE_ARRAY ||
        is_of_constant_type(declaration->type) || !is_unread(r, variable) ||
        asks_size(r->function->tree->ast, declaration))
        return;
    struct range at = length->range;
    at.end = at.begin;
    edits_add(r->edits, at, "BSIM_UNREAD_LENGTH(");
    at.begin = at.end = length->range.end;
    edits_add(r->edits, at, ")");
}
