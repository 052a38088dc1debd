/* SPDX-License-Identifier: Apache-2.0
 *
 * Initialisers, also of arguments of return: lists with and without designators, strings, records.
 * A list defines the whole object, since what it leaves out becomes zero.
 */
#include "frontend/program/build.h"

#include <string.h>

static const struct field *field_at(const struct type *type, const struct ast *kid, int *next) {
    if (kid->kind == AST_DESIGNATED && kid->name != NULL)
        for (int i = 0; i < type->field_count; i++)
            if (strcmp(type->fields[i].name, kid->name) == 0)
                *next = i;
    return *next < type->field_count ? &type->fields[(*next)++] : NULL;
}

static void initialise_record(struct builder *b, const struct ast *list, struct lvalue to,
                              const struct type *type) {
    int next = 0;
    for (int i = 0; i < list->kid_count; i++) {
        const struct ast *kid = list->kids[i];
        const struct field *field = field_at(type, kid, &next);
        build_names(b, b->addresses, kid->named);
        const struct ast *value = kid->kind == AST_DESIGNATED ? kid->kids[0] : kid;
        struct lvalue lvalue = to;
        if (field == NULL) {
            build_value(b, value);
            continue;
        }
        if (!lvalue.range) {
            lvalue.offset_bytes += field->offset_bytes;
            lvalue.length_bytes = field->type->size_bytes;
        }
        build_initialise(b, value, lvalue, field->type);
    }
}

/* The steps write what they write. */
static void construct(struct builder *b, const struct ast *ast, struct lvalue to) {
    struct lvalue outer = b->constructed;
    b->constructed = to;
    for (int i = 0; i < ast->kid_count; i++)
        build_value(b, ast->kids[i]);
    b->constructed = outer;
}

/* new T(1), new T[n]: with the memory. */
static struct value construct_in_memory(struct builder *b, const struct ast *ast) {
    struct value memory = build_value(b, ast->kids[0]);
    struct lvalue outer = b->constructed;
    const struct type *type = ast->type->element;
    b->constructed = (struct lvalue){.object = -1, .pointer = memory.variable};
    if (strcmp(ast->op, "new[]") == 0 && type->size_bytes > 0)
        b->constructed.pointer =
            build_derive(b, CONSTRAINT_INDEX, memory.variable, type->size_bytes, 0);
    for (int i = 1; i < ast->kid_count; i++)
        build_value(b, ast->kids[i]);
    b->constructed = outer;
    return memory;
}

struct value build_construct(struct builder *b, const struct ast *ast) {
    if (ast->op != NULL)
        return construct_in_memory(b, ast);
    construct(b, ast, b->constructed);
    return (struct value){.variable = -1};
}

void build_initialise(struct builder *b, const struct ast *ast, struct lvalue to,
                      const struct type *type) {
    if (ast->kind == AST_CONSTRUCT && ast->op == NULL) {
        construct(b, ast, to);
    } else if (ast->kind == AST_INIT_LIST && type->kind == TYPE_RECORD) {
        struct lvalue whole = to;
        whole.class = CLASS_ANY;
        build_define(b, whole);
        initialise_record(b, ast, to, type);
    } else if (ast->kind == AST_INIT_LIST) {
        struct lvalue whole = to;
        whole.class = CLASS_ANY;
        build_define(b, whole);
        if (type->kind == TYPE_ARRAY)
            build_element(b, &to, type);
        for (int i = 0; i < ast->kid_count; i++)
            build_initialise(b, ast->kids[i], to, type->kind == TYPE_ARRAY ? type->element : type);
    } else if (ast->kind == AST_DESIGNATED) {
        build_names(b, b->addresses, ast->named);
        build_initialise(b, ast->kids[0], to, type);
    } else if (type->kind == TYPE_ARRAY) { /* a string, or elements with their braces left out */
        to.class = CLASS_ANY;
        to.length_bytes = type->size_bytes;
        build_define(b, to);
        struct value value = build_value(b, ast);
        if (ast->kind != AST_STRING && value.variable >= 0)
            build_constrain(b, (struct constraint){
                                   .kind = CONSTRAINT_STORE, .from = value.variable, .lvalue = to});
    } else {
        struct value value = build_value(b, ast);
        bool record = type->kind == TYPE_RECORD;
        if (record && !value.is_aggregate) { /* braces left out */
            to.class = CLASS_ANY;
            build_define(b, to);
        } else {
            build_store(b, to, value, type);
        }
    }
}
