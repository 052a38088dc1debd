/* SPDX-License-Identifier: Apache-2.0
 *
 * What C++ does on its own where objects begin, are copied, and end, as steps: calls of
 * constructors and destructors, and assignments, of bases and members in their order. In: the place
 * of the object, its type, what is written to initialise it. Out: steps, in the order in which they
 * happen; what no rule covers is refused.
 *
 * A class without a constructor or destructor of its own has those of its parts at each place.
 */
#include "frontend/clang/clang_cxx.h"

#include <string.h>

static struct ast *in_copy(struct ast *ast) {
    ast->is_unwritten = true;
    return ast;
}

/* ---- Parts of an object ---- */

struct ast *cxx_nowhere(struct clang_reader *reader, CXCursor at) {
    struct ast *ast = reader_new(reader, AST_OTHER, at);
    ast->range.end = ast->range.begin;
    ast->is_unwritten = true;
    ast->type = reader_type(reader, clang_getCursorType(at));
    return ast;
}

static struct ast *member_of(struct clang_reader *reader, struct ast *place, CXCursor field) {
    long long bits = clang_Cursor_getOffsetOfField(field);
    const struct type *type = reader_type(reader, clang_getCursorType(field));
    struct ast *ast = in_copy(cxx_make(reader, AST_MEMBER, place, type, 1));
    ast->kids[0] = place;
    ast->name = reader_text(reader, clang_getCursorSpelling(field));
    ast->member_offset_bytes = bits >= 0 ? bits / 8 : -1;
    return ast;
}

struct ast *cxx_as(struct clang_reader *reader, struct ast *place, CXType class) {
    struct ast *address = cxx_address_of(reader, place);
    struct ast *cast = in_copy(cxx_make(reader, AST_CAST, place, NULL, 1));
    struct type *pointer = ARENA_NEW(&reader->program->arena, struct type);
    *pointer = *address->type;
    pointer->element = reader_type(reader, class);
    pointer->name = arena_printf(&reader->program->arena, "%s *", pointer->element->name);
    address->is_unwritten = true;
    cast->type = pointer;
    cast->kids[0] = address;
    return in_copy(cxx_pointed_to(reader, cast));
}

/* Any element of an array; the object itself where it is none. */
static struct ast *element_of(struct clang_reader *reader, struct ast *place) {
    while (place->type->kind == TYPE_ARRAY) {
        struct ast *ast = in_copy(cxx_make(reader, AST_SUBSCRIPT, place, place->type->element, 2));
        ast->kids[0] = place;
        ast->kids[1] = in_copy(cxx_make(reader, AST_OTHER, place, place->type, 0));
        place = ast;
    }
    return place;
}

static void add_assignment(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                           struct ast *value) {
    struct ast *ast = in_copy(cxx_make(reader, AST_BINARY, value, place->type, 2));
    ast->op = "=";
    ast->kids[0] = place;
    ast->kids[1] = value;
    vec_push(out, ast);
}

static void add_zero(struct clang_reader *reader, cxx_steps *out, struct ast *place) {
    struct ast *zero =
        in_copy(cxx_make(reader, place->type->kind == TYPE_RECORD ? AST_INIT_LIST : AST_CONSTANT,
                         place, place->type, 0));
    if (place->type->kind == TYPE_RECORD) {
        struct ast *literal =
            in_copy(cxx_make(reader, AST_COMPOUND_LITERAL, place, place->type, 1));
        literal->kids[0] = zero;
        zero = literal;
    }
    zero->has_value = zero->kind == AST_CONSTANT;
    add_assignment(reader, out, place, zero);
}

/* ---- Beginnings ---- */

/* In front of what it wraps: conversions to the same class, temporaries that become the object. */
static CXCursor bare(struct clang_reader *reader, CXCursor value) {
    for (;;) {
        struct cursors kids = reader_children(reader, value);
        enum CXCursorKind kind = clang_getCursorKind(value);
        int expressions = 0, last = 0;
        for (int i = 0; i < kids.count; i++)
            if (clang_isExpression(clang_getCursorKind(kids.items[i])))
                expressions++, last = i;
        bool wraps = kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
                     kind == CXCursor_CXXFunctionalCastExpr;
        if (!wraps || expressions != 1 ||
            !clang_equalTypes(
                clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(value))),
                clang_getUnqualifiedType(
                    clang_getCanonicalType(clang_getCursorType(kids.items[last])))))
            return value;
        value = kids.items[last];
    }
}

static bool is_construction(CXCursor value) {
    return clang_getCursorKind(value) == CXCursor_CallExpr &&
           clang_getCursorKind(clang_getCursorReferenced(value)) == CXCursor_Constructor;
}

static void construct_parts(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                            CXCursor class);

static void construct_default(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                              CXType type) {
    CXCursor class = cxx_class(type);
    place = element_of(reader, place);
    if (cxx_is_plain(reader, type) && cxx_holds_library(type))
        add_assignment(reader, out, place, cxx_library_default(reader, place, type));
    if (clang_Cursor_isNull(class) || cxx_is_plain(reader, type))
        return;
    CXCursor own = cxx_default_constructor(reader, class);
    if (clang_Cursor_isNull(own))
        construct_parts(reader, out, place, class);
    else
        vec_push(out, cxx_own_call(reader, own, cxx_address_of(reader, place)));
}

/* What stands behind the name of a member in its class, but for bits and dimensions. */
static CXCursor default_of(struct clang_reader *reader, CXCursor field) {
    struct cursors kids = reader_children(reader, field);
    CXCursor last = kids.count > 0 ? kids.items[kids.count - 1] : clang_getNullCursor();
    return cxx_has_default(reader, field) && clang_isExpression(clang_getCursorKind(last))
               ? last
               : clang_getNullCursor();
}

static void construct_field(struct clang_reader *reader, cxx_steps *out, struct ast *object,
                            CXCursor field, CXCursor written) {
    CXType type = clang_getCursorType(field);
    struct ast *place = member_of(reader, object, field);
    CXCursor value = clang_Cursor_isNull(written) ? default_of(reader, field) : written;
    if (clang_Cursor_isNull(value)) {
        construct_default(reader, out, place, type);
    } else if (cxx_is_reference(type)) {
        add_assignment(reader, out, place, cxx_bind(reader, value, clang_getCanonicalType(type)));
    } else {
        cxx_construct(reader, out, place, type, value);
    }
}

static void construct_parts(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                            CXCursor class) {
    struct cursors kids = reader_children(reader, class);
    CXType base = cxx_base(reader, class);
    if (base.kind != CXType_Invalid)
        construct_default(reader, out, cxx_as(reader, place, base), base);
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_FieldDecl)
            construct_field(reader, out, place, kids.items[i], clang_getNullCursor());
}

/* Of a class without a copy constructor of its own: those of its parts; the rest are bytes. */
static void copy_parts(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                       struct ast *from, CXType type) {
    CXCursor class = cxx_class(type), own = cxx_copy_constructor(reader, class);
    place = element_of(reader, place);
    from = element_of(reader, from);
    if (!clang_Cursor_isNull(own)) {
        vec_push(out, cxx_copy_call(reader, own, cxx_address_of(reader, place),
                                    cxx_address_of(reader, from)));
        return;
    }
    struct cursors kids = reader_children(reader, class);
    CXType base = cxx_base(reader, class);
    if (base.kind != CXType_Invalid && !cxx_copies_bytes(reader, base))
        copy_parts(reader, out, cxx_as(reader, place, base), cxx_as(reader, from, base), base);
    for (int i = 0; i < kids.count; i++) {
        CXType part = clang_getCursorType(kids.items[i]);
        if (clang_getCursorKind(kids.items[i]) == CXCursor_FieldDecl && !cxx_is_reference(part) &&
            !cxx_copies_bytes(reader, part))
            copy_parts(reader, out, member_of(reader, place, kids.items[i]),
                       member_of(reader, from, kids.items[i]), part);
    }
}

static bool calls(const struct ast *ast) {
    bool found = ast != NULL && (ast->kind == AST_CALL || ast->kind == AST_COMPOUND_ASSIGN ||
                                 ast_is_assignment(ast) || ast->kind == AST_CONSTRUCT);
    for (int i = 0; ast != NULL && i < ast->kid_count && !found; i++)
        found = calls(ast->kids[i]);
    return found;
}

static void construct_copy(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                           CXType type, CXCursor value) {
    CXCursor argument = clang_Cursor_getArgument(value, 0), inner = bare(reader, argument);
    if (is_construction(inner)) {
        cxx_construct(reader, out, place, type, inner);
        return;
    }
    struct ast *from = reader_expression(reader, argument);
    if (!cxx_copies_bytes(reader, type) && (!cxx_is_place(from) || calls(from)))
        cxx_refuse(reader, value, "this copy of an object");
    add_assignment(reader, out, place, from);
    if (!cxx_copies_bytes(reader, type))
        copy_parts(reader, out, place, from, type);
}

/* `using Base::Base;` makes constructors of which there is no text. */
static bool is_written_in(struct clang_reader *reader, CXCursor class, CXCursor constructor) {
    struct cursors kids = reader_children(reader, class);
    CXCursor first = clang_getCanonicalCursor(constructor);
    for (int i = 0; i < kids.count; i++)
        if (clang_equalCursors(clang_getCanonicalCursor(kids.items[i]), first))
            return true;
    return false;
}

static void construct_by_call(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                              CXType type, CXCursor value) {
    CXCursor callee = clang_getCursorReferenced(value);
    bool is_copy = clang_CXXConstructor_isCopyConstructor(callee) ||
                   clang_CXXConstructor_isMoveConstructor(callee);
    if (cxx_is_own(callee) && !is_written_in(reader, cxx_class(type), callee)) {
        cxx_refuse(reader, value, "this constructor, which is the base's,");
    } else if (cxx_is_own(callee)) {
        vec_push(out, cxx_constructor_call(reader, value, callee, cxx_address_of(reader, place)));
    } else if (is_copy) {
        construct_copy(reader, out, place, type, value);
    } else { /* T(): of zeros where nothing else is said */
        add_zero(reader, out, place);
        construct_parts(reader, out, place, cxx_class(type));
    }
}

/* `T t[3] = {1, 2};` */
static void construct_elements(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                               CXType type, CXCursor list) {
    CXType element = clang_getArrayElementType(clang_getCanonicalType(type));
    struct cursors kids = reader_children(reader, list);
    if (clang_getCursorKind(list) != CXCursor_InitListExpr ||
        !clang_Cursor_isNull(cxx_class(element)) != (element.kind == CXType_Record))
        cxx_refuse(reader, list, "this list of values for a class");
    for (int i = 0; i < kids.count; i++)
        cxx_construct(reader, out, element_of(reader, place), element, kids.items[i]);
    if (kids.count < clang_getArraySize(clang_getCanonicalType(type)))
        construct_default(reader, out, element_of(reader, place), element);
}

void cxx_construct(struct clang_reader *reader, cxx_steps *out, struct ast *place, CXType type,
                   CXCursor value) {
    CXCursor inner = bare(reader, value);
    if (place->type->kind == TYPE_ARRAY && is_construction(inner))
        place = element_of(reader, place);
    if (place->type->kind == TYPE_ARRAY && !cxx_is_plain(reader, type)) {
        construct_elements(reader, out, place, type, value);
        return;
    }
    if (!clang_Cursor_isNull(cxx_class(type)) && !cxx_is_plain(reader, type) &&
        is_construction(inner)) {
        construct_by_call(reader, out, place, type, inner);
        return;
    }
    if (place->type->kind == TYPE_ARRAY) { /* of a member; its elements are not told apart */
        struct ast *list = reader_expression(reader, value);
        struct ast *element = element_of(reader, place);
        if (list->kind != AST_INIT_LIST && list->kind != AST_CONSTANT)
            cxx_refuse(reader, value, "this value of an array");
        for (int i = 0; list->kind == AST_INIT_LIST && i < list->kid_count; i++)
            add_assignment(reader, out, element, list->kids[i]);
        add_zero(reader, out, element);
        return;
    }
    add_assignment(reader, out, place, reader_expression(reader, value));
}

/* ---- Ends ---- */

static void destroy_parts(struct clang_reader *reader, cxx_steps *out, struct ast *place,
                          CXCursor class) {
    struct cursors kids = reader_children(reader, class);
    CXType base = cxx_base(reader, class);
    for (int i = kids.count - 1; i >= 0; i--) {
        CXType type = clang_getCursorType(kids.items[i]);
        if (clang_getCursorKind(kids.items[i]) == CXCursor_FieldDecl && cxx_has_end(reader, type))
            cxx_destroy(reader, out, member_of(reader, place, kids.items[i]), type);
    }
    if (base.kind != CXType_Invalid && cxx_has_end(reader, base))
        cxx_destroy(reader, out, cxx_as(reader, place, base), base);
}

void cxx_destroy(struct clang_reader *reader, cxx_steps *out, struct ast *place, CXType type) {
    CXCursor class = cxx_class(type);
    place = element_of(reader, place);
    if (clang_Cursor_isNull(class) || !cxx_has_end(reader, type))
        return;
    CXCursor own = cxx_destructor(reader, class);
    if (clang_Cursor_isNull(own))
        destroy_parts(reader, out, place, class);
    else
        vec_push(out, cxx_own_call(reader, own, cxx_address_of(reader, place)));
}

/* ---- Where they stand ---- */

struct ast *cxx_steps_make(struct clang_reader *reader, const struct ast *like, cxx_steps *steps) {
    struct ast *ast = in_copy(cxx_make(reader, AST_CONSTRUCT, like, like->type, (int)steps->count));
    for (size_t i = 0; i < steps->count; i++)
        ast->kids[i] = steps->items[i];
    vec_dispose(steps);
    return ast;
}

/* The place of the object that the steps are for. */
static struct ast *constructed(struct clang_reader *reader, CXCursor at, CXType type) {
    struct ast *ast = cxx_nowhere(reader, at);
    ast->kind = AST_CONSTRUCTED;
    ast->type = reader_type(reader, type);
    return ast;
}

struct ast *cxx_constructed(struct clang_reader *reader, CXCursor at, CXType type, CXCursor value,
                            bool ends) {
    cxx_steps steps = {0};
    struct ast *like = cxx_nowhere(reader, at);
    like->type = reader_type(reader, type);
    if (clang_Cursor_isNull(value))
        construct_default(reader, &steps, constructed(reader, at, type), type);
    else
        cxx_construct(reader, &steps, constructed(reader, at, type), type, value);
    if (ends)
        cxx_destroy(reader, &steps, constructed(reader, at, type), type);
    return cxx_steps_make(reader, like, &steps);
}

struct ast *cxx_given(struct clang_reader *reader, CXCursor at, CXType type, struct ast *value) {
    cxx_steps steps = {0};
    struct ast *like = cxx_nowhere(reader, at);
    like->type = reader_type(reader, type);
    add_assignment(reader, &steps, constructed(reader, at, type), value);
    return cxx_steps_make(reader, like, &steps);
}

struct ast *cxx_end_of_variable(struct clang_reader *reader, CXCursor variable) {
    CXType type = clang_getCursorType(variable);
    cxx_steps steps = {0};
    if (cxx_is_reference(type) || !cxx_has_end(reader, type))
        return NULL;
    struct ast *object = cxx_nowhere(reader, variable);
    object->kind = AST_REFERENCE;
    object->declaration = reader_declaration(reader, variable);
    object->name = object->declaration->name;
    cxx_destroy(reader, &steps, object, type);
    return cxx_steps_make(reader, object, &steps);
}

/* ---- Bodies ---- */

static void pin(struct ast *ast) {
    if (ast != NULL && ast->kind == AST_CALL)
        ast->pinned = ast->kid_count - 1;
    for (int i = 0; ast != NULL && i < ast->kid_count; i++)
        pin(ast->kids[i]);
}

/* What is written for a base or member in front of the body; the null cursor: nothing. */
struct clang_cxx_objects_written {
    CXCursor base, fields[256], values[256];
    int count;
    bool delegates;
};

static struct clang_cxx_objects_written written_in_front(struct clang_reader *reader,
                                                         CXCursor constructor) {
    struct cursors kids = reader_children(reader, constructor);
    struct clang_cxx_objects_written out = {.base = clang_getNullCursor()};
    for (int i = 0; i + 1 < kids.count && out.count < 256; i++) {
        enum CXCursorKind kind = clang_getCursorKind(kids.items[i]);
        bool has_value = clang_isExpression(clang_getCursorKind(kids.items[i + 1]));
        if (kind == CXCursor_MemberRef) {
            out.fields[out.count] = clang_getCursorReferenced(kids.items[i]);
            out.values[out.count++] = has_value ? kids.items[i + 1] : clang_getNullCursor();
        } else if (kind == CXCursor_TypeRef && has_value) {
            CXCursor class = clang_getCursorSemanticParent(constructor);
            out.base = kids.items[i + 1];
            out.delegates = clang_equalTypes(clang_getCanonicalType(clang_getCursorType(out.base)),
                                             clang_getCanonicalType(clang_getCursorType(class)));
        } else if (kind == CXCursor_TemplateRef || out.count == 255) {
            cxx_refuse(reader, constructor, "this constructor");
        }
    }
    return out;
}

static void construct_written_field(struct clang_reader *reader, cxx_steps *out, struct ast *object,
                                    CXCursor field,
                                    const struct clang_cxx_objects_written *written) {
    CXType type = clang_getCursorType(field);
    for (int i = 0; i < written->count; i++) {
        if (!clang_equalCursors(written->fields[i], field))
            continue;
        bool is_nothing = clang_Cursor_isNull(written->values[i]) ||
                          clang_equalLocations(clang_getCursorLocation(written->values[i]),
                                               clang_getNullLocation());
        if (!is_nothing)
            construct_field(reader, out, object, field, written->values[i]);
        else if (cxx_is_plain(reader, type)) /* n() */
            add_zero(reader, out, element_of(reader, member_of(reader, object, field)));
        else
            construct_default(reader, out, member_of(reader, object, field), type);
        return;
    }
    construct_field(reader, out, object, field, clang_getNullCursor());
}

static void steps_in_front(struct clang_reader *reader, cxx_steps *out, CXCursor constructor) {
    CXCursor class = cxx_class(clang_getCursorType(clang_getCursorSemanticParent(constructor)));
    struct clang_cxx_objects_written written = written_in_front(reader, constructor);
    struct cursors kids = reader_children(reader, class);
    struct ast *this = cxx_object(reader, constructor);
    this->range.end = this->range.begin;
    struct ast *object = in_copy(cxx_pointed_to(reader, in_copy(this)));
    CXType base = written.delegates ? clang_getCursorType(class) : cxx_base(reader, class);
    if (!clang_Cursor_isNull(written.base))
        cxx_construct(reader, out, cxx_as(reader, object, base), base, written.base);
    else if (base.kind != CXType_Invalid)
        construct_default(reader, out, cxx_as(reader, object, base), base);
    for (int i = 0; i < kids.count && !written.delegates; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_FieldDecl)
            construct_written_field(reader, out, object, kids.items[i], &written);
    for (int i = 0; i < written.count; i++) /* of a union without a name */
        if (!clang_equalCursors(
                clang_getCursorDefinition(clang_getCursorSemanticParent(written.fields[i])), class))
            cxx_refuse(reader, constructor, "this constructor");
}

static void steps_behind(struct clang_reader *reader, cxx_steps *out, CXCursor destructor) {
    CXCursor class = cxx_class(clang_getCursorType(clang_getCursorSemanticParent(destructor)));
    struct ast *this = cxx_object(reader, destructor);
    this->range.end = this->range.begin;
    destroy_parts(reader, out, in_copy(cxx_pointed_to(reader, in_copy(this))), class);
}

void cxx_complete_body(struct clang_reader *reader, CXCursor function, struct ast *body) {
    bool begins = clang_getCursorKind(function) == CXCursor_Constructor;
    cxx_steps steps = {0};
    if (begins)
        steps_in_front(reader, &steps, function);
    else if (clang_getCursorKind(function) == CXCursor_Destructor)
        steps_behind(reader, &steps, function);
    if (steps.count == 0) {
        vec_dispose(&steps);
        return;
    }
    struct ast *like = cxx_make(reader, AST_OTHER, body, body->type, 0);
    like->range.begin = begins ? body->range.begin + 1 : body->range.end - 1;
    like->range.end = like->range.begin;
    struct ast *all = cxx_steps_make(reader, like, &steps), **kids = body->kids;
    int count = body->kid_count;
    pin(all);
    reader_kids(reader, body, count + 1);
    body->kids[begins ? 0 : count] = all;
    if (count > 0)
        memcpy(body->kids + begins, kids, (size_t)count * sizeof *kids);
}
