/* SPDX-License-Identifier: Apache-2.0
 *
 * Lvalues of expressions. An lvalue is an object (or what a pointer points to) with a byte offset;
 * the elements of an array are one lvalue that repeats with a stride.
 */
#include "frontend/program/build.h"

#include "frontend/program/sections.h"

#include <string.h>

static struct lvalue at_pointer(int variable) {
    return (struct lvalue){.object = -1, .pointer = variable};
}

static bool is_array(const struct ast *ast) {
    return ast->type != NULL && ast->type->kind == TYPE_ARRAY;
}

/* To any variable of the section. */
static int section_pointer(struct builder *b, struct object *bound) {
    int to = build_variable(b);
    vec_push(b->addresses, bound);
    for (size_t i = 0; i < bound->named.count; i++) {
        struct lvalue lvalue = {.object = bound->named.items[i]->id, .pointer = -1};
        bound->named.items[i]->in_memory = true;
        build_constrain(
            b, (struct constraint){.kind = CONSTRAINT_ADDRESS, .to = to, .lvalue = lvalue});
    }
    return to;
}

static bool reference_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    if (ast->declaration->kind != DECLARATION_VARIABLE)
        return false;
    struct object *object = build_object(b, ast->declaration);
    if (sections_bounded_by(b->program, ast->declaration) != NULL) {
        *out = at_pointer(section_pointer(b, object));
        return true;
    }
    *out = (struct lvalue){.object = object->id, .pointer = -1};
    out->length_bytes = ast->type->size_bytes;
    return true;
}

static bool pointer_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    struct value value = build_value(b, ast);
    if (value.is_aggregate || value.variable < 0)
        return false;
    *out = at_pointer(value.variable);
    return true;
}

static bool member_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    if (ast->kid_count == 0)
        return false;
    const struct ast *base = ast->kids[0];
    bool direct = is_array(base) || !ast->arrow;
    if (!(direct ? build_lvalue(b, base, out) : pointer_lvalue(b, base, out)))
        return false;
    if (ast->member_offset_bytes < 0)
        out->stride_bytes = 1;
    const struct type *record = direct ? base->type : base->type->element;
    while (record != NULL && record->kind == TYPE_ARRAY)
        record = record->element;
    out->untyped = out->untyped || (record != NULL && record->is_union);
    if (!out->range) {
        out->offset_bytes += ast->member_offset_bytes >= 0 ? ast->member_offset_bytes : 0;
        out->length_bytes = ast->type->size_bytes;
    }
    return true;
}

/* An element of an array that is itself an lvalue. The outermost array of a variable repeats with
 * the size of its element; an inner array, and one behind a pointer, is one range of bytes. */
void build_element(const struct builder *b, struct lvalue *lvalue, const struct type *array) {
    long long element = array->element->size_bytes;
    bool whole = lvalue->object >= 0 && lvalue->offset_bytes == 0 && lvalue->stride_bytes == 0 &&
                 b->program->objects.items[lvalue->object]->type == array;
    bool unbounded = array->size_bytes <= element; /* a flexible member, a VLA, or [1] */
    if (lvalue->range)
        return;
    if (whole || unbounded) {
        lvalue->stride_bytes = element > 0 ? element : 1;
        lvalue->length_bytes = element;
        return;
    }
    lvalue->range = true;
    lvalue->length_bytes = array->size_bytes;
}

/* A part of a complex number or of a vector: what is left of it stays as it was. */
static bool part_lvalue(struct builder *b, const struct ast *whole, struct lvalue *out) {
    if (!build_lvalue(b, whole, out))
        return false;
    if (out->object >= 0)
        b->program->objects.items[out->object]->in_memory = true;
    return true;
}

static bool subscript_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    const struct ast *base = ast->kids[0], *index = ast->kids[1];
    if (base->type->kind == TYPE_INTEGER || base->type->kind == TYPE_CHARACTER) {
        base = ast->kids[1];
        index = ast->kids[0];
    }
    build_value(b, index);
    if (is_array(base)) {
        if (!build_lvalue(b, base, out))
            return false;
        build_element(b, out, base->type);
        return true;
    }
    if (base->type->kind == TYPE_OTHER)
        return part_lvalue(b, base, out);
    if (!pointer_lvalue(b, base, out))
        return false;
    long long element = ast->type->size_bytes > 0 ? ast->type->size_bytes : 1;
    if (!(index->has_value && index->value == 0))
        out->pointer = build_derive(b, CONSTRAINT_INDEX, out->pointer, element, 0);
    return true;
}

static bool unary_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    const struct ast *operand = ast->kids[0];
    if (strcmp(ast->op, "*") == 0) {
        if (!is_array(operand))
            return pointer_lvalue(b, operand, out);
        if (!build_lvalue(b, operand, out))
            return false;
        build_element(b, out, operand->type);
        return true;
    }
    if (strcmp(ast->op, "extension") == 0)
        return build_lvalue(b, operand, out);
    if (strcmp(ast->op, "__real") == 0 || strcmp(ast->op, "__imag") == 0)
        return part_lvalue(b, operand, out);
    build_value(b, ast);
    return false;
}

static bool temporary_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    struct value value = build_value(b, ast);
    if (!value.is_aggregate)
        return false;
    *out = value.lvalue;
    return true;
}

static bool literal_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    struct object *object = build_new_object(b, OBJECT_VARIABLE, "compound literal", ast->type);
    object->function = b->function;
    object->in_memory = true;
    *out = (struct lvalue){.object = object->id, .pointer = -1};
    out->length_bytes = ast->type->size_bytes;
    build_dimensions(b, ast);
    if (ast->kid_count > 0)
        build_initialise(b, ast->kids[ast->kid_count - 1], *out, ast->type);
    return true;
}

bool build_lvalue(struct builder *b, const struct ast *ast, struct lvalue *out) {
    switch (ast->kind) {
    case AST_REFERENCE:
        return reference_lvalue(b, ast, out);
    case AST_MEMBER:
        return member_lvalue(b, ast, out);
    case AST_SUBSCRIPT:
        return subscript_lvalue(b, ast, out);
    case AST_UNARY:
        return unary_lvalue(b, ast, out);
    case AST_CONSTRUCTED:
        *out = b->constructed;
        return true;
    case AST_COMPOUND_LITERAL:
        return literal_lvalue(b, ast, out);
    case AST_STRING: {
        if (b->program->literals == NULL)
            b->program->literals = build_new_object(b, OBJECT_STRING, "string", ast->type);
        *out = (struct lvalue){.object = b->program->literals->id, .pointer = -1};
        out->length_bytes = ast->type->size_bytes;
        return true;
    }
    case AST_CAST:
        build_dimensions(b, ast);
        return ast->kid_count > 0 && build_lvalue(b, ast->kids[ast->kid_count - 1], out);
    default:
        return temporary_lvalue(b, ast, out);
    }
}
