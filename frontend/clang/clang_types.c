/* SPDX-License-Identifier: Apache-2.0
 *
 * libclang's types and declarations -> ours.
 *
 * Types are canonical and shared within a unit. Declarations of the same entity get the same key in
 * every unit: the name when it has external linkage, else the place where it is written, so that a
 * static function in a header is one function.
 */
#include "base/str.h"
#include "frontend/clang/clang_cxx.h"
#include "frontend/program/names.h"

#include <stdio.h>
#include <string.h>

static enum type_kind kind_of(enum CXTypeKind kind) {
    switch (kind) {
    case CXType_Void:
        return TYPE_VOID;
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_Char_S:
    case CXType_SChar:
        return TYPE_CHARACTER;
    case CXType_Bool:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_UInt128:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_Int128:
    case CXType_Enum:
    case CXType_WChar:
    case CXType_Char16:
    case CXType_Char32:
        return TYPE_INTEGER;
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Half:
    case CXType_Float16:
    case CXType_Complex:
        return TYPE_FLOATING;
    case CXType_Pointer:
    case CXType_LValueReference:
    case CXType_RValueReference:
    case CXType_NullPtr:
    case CXType_MemberPointer: /* of methods; others are refused */
        return TYPE_POINTER;
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_VariableArray:
        return TYPE_ARRAY;
    case CXType_Record:
        return TYPE_RECORD;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return TYPE_FUNCTION;
    default:
        return TYPE_OTHER;
    }
}

typedef VEC(struct field) field_vector;

struct field_visit {
    struct clang_reader *reader;
    field_vector fields;
};

/* Anonymous structs and unions inside a record have no name; their members are found through it. */
static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data) {
    struct field_visit *visit = data;
    long long bits = clang_Cursor_getOffsetOfField(cursor);
    struct field field = {
        .name = reader_text(visit->reader, clang_getCursorSpelling(cursor)),
        .offset_bytes = bits >= 0 ? bits / 8 : 0,
        .type = reader_type(visit->reader, clang_getCursorType(cursor)),
    };
    vec_push(&visit->fields, field);
    return CXVisit_Continue;
}

static void read_fields(struct clang_reader *reader, struct type *out, CXType type) {
    struct field_visit visit = {.reader = reader};
    CXCursor class = reader->is_cxx ? cxx_class(type) : clang_getNullCursor();
    if (!clang_Cursor_isNull(class) && cxx_base(reader, class).kind != CXType_Invalid) {
        const struct type *base = reader_type(reader, cxx_base(reader, class));
        for (int i = 0; i < base->field_count; i++)
            vec_push(&visit.fields, base->fields[i]);
    }
    clang_Type_visitFields(type, add_field, &visit);
    out->field_count = (int)visit.fields.count;
    out->fields = ARENA_ARRAY(&reader->program->arena, struct field, visit.fields.count);
    for (int i = 0; i < out->field_count; i++)
        out->fields[i] = visit.fields.items[i];
    vec_dispose(&visit.fields);
    CXCursor declaration = clang_getTypeDeclaration(type);
    out->is_union = clang_getCursorKind(declaration) == CXCursor_UnionDecl;
}

static void read_parameters(struct clang_reader *reader, struct type *out, CXType type) {
    out->parameter_count = -1;
    if (type.kind != CXType_FunctionProto)
        return;
    out->parameter_count = clang_getNumArgTypes(type);
    out->parameters =
        ARENA_ARRAY(&reader->program->arena, const struct type *, (size_t)out->parameter_count + 1);
    for (int i = 0; i < out->parameter_count; i++)
        out->parameters[i] = reader_type(reader, clang_getArgType(type, (unsigned)i));
}

/* Notes that this unit sees the record or variable, for expressions that are moved into it. */
static void note_seen(struct clang_reader *reader, const char *name) {
    vec_push(&reader->record->seen, name);
    program_note_seen(reader->program, name);
}

/* A record that is declared in a block is seen there only. */
static bool is_of_a_block(CXType type) {
    CXCursor parent = clang_getCursorSemanticParent(clang_getTypeDeclaration(type));
    while (clang_getCursorKind(parent) == CXCursor_StructDecl ||
           clang_getCursorKind(parent) == CXCursor_ClassDecl ||
           clang_getCursorKind(parent) == CXCursor_UnionDecl)
        parent = clang_getCursorSemanticParent(parent);
    return clang_getCursorKind(parent) == CXCursor_FunctionDecl || cxx_is_method(parent);
}

static CXType template_argument(CXType type, int index) {
    return clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(type, (unsigned)index));
}

static const struct type *pair_of(struct clang_reader *reader, CXType first, CXType second) {
    struct arena *arena = &reader->program->arena;
    struct type *out = ARENA_NEW(arena, struct type);
    long long align = clang_Type_getAlignOf(second), other = clang_Type_getAlignOf(first);
    long long begin = clang_Type_getSizeOf(first), size;
    align = align > 0 ? align : 1;
    begin = (begin + align - 1) / align * align;
    size = begin + clang_Type_getSizeOf(second);
    align = other > align ? other : align;
    *out = (struct type){
        .kind = TYPE_RECORD, .size_bytes = (size + align - 1) / align * align, .field_count = 2};
    out->fields = ARENA_ARRAY(arena, struct field, 2);
    out->fields[0] = (struct field){"first", 0, reader_type(reader, first)};
    out->fields[1] = (struct field){"second", begin, reader_type(reader, second)};
    out->name = arena_printf(arena, "std::pair<const %s, %s>", out->fields[0].type->name,
                             out->fields[1].type->name);
    return out;
}

const struct type *cxx_size_type(struct clang_reader *reader) {
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    *type = (struct type){
        .kind = TYPE_INTEGER, .size_bytes = (long long)sizeof(size_t), .name = "unsigned long"};
    return type;
}

static const struct type *element_of(struct clang_reader *reader, CXType type,
                                     const struct library_class *class) {
    if (class->element == LIBRARY_ELEMENT_MAPPED)
        return pair_of(reader, template_argument(type, 0), template_argument(type, 1));
    if (class->element == LIBRARY_ELEMENT_NONE)
        return cxx_size_type(reader);
    CXType argument = template_argument(type, class->element < 0 ? 0 : class->element);
    if (class->element == LIBRARY_ELEMENT_POINTED)
        argument = clang_getPointeeType(argument);
    return reader_type(reader, argument);
}

/* A copy of a container is a copy of its record: the two have one block, which stands for many, as
 * one that is allocated in a loop does. What is written to either is taken for written to both. Of
 * the members the names are what is written to read them. */
static bool cxx_fill_library_type(struct clang_reader *reader, struct type *out, CXType type) {
    struct arena *arena = &reader->program->arena;
    const struct library_class *class = cxx_library_class(type);
    if (class == NULL || class->shape == LIBRARY_SHAPE_RECORD)
        return false;
    const struct type *element = element_of(reader, type, class);
    if (class->shape == LIBRARY_SHAPE_ITERATOR) {
        out->kind = TYPE_POINTER;
        out->element = element;
        out->size_bytes = (long long)sizeof(void *);
        return true;
    }
    struct type *pointer = ARENA_NEW(arena, struct type);
    *pointer = (struct type){.kind = TYPE_POINTER,
                             .size_bytes = (long long)sizeof(void *),
                             .element = element,
                             .name = arena_printf(arena, "%s *", element->name)};
    out->field_count = 2;
    out->fields = ARENA_ARRAY(arena, struct field, 2);
    out->fields[0] = (struct field){TYPE_CONTAINER_DATA, 0, pointer};
    out->fields[1] =
        (struct field){TYPE_CONTAINER_SIZE, (long long)sizeof(void *), cxx_size_type(reader)};
    return true;
}

const struct type *reader_type(struct clang_reader *reader, CXType type) {
    char key[64];
    CXType canonical = clang_getUnqualifiedType(clang_getCanonicalType(type));
    if (canonical.kind == CXType_Atomic)
        return reader_type(reader, clang_Type_getValueType(canonical));
    snprintf(key, sizeof key, "%d,%p,%p", (int)canonical.kind, canonical.data[0],
             canonical.data[1]);
    struct type *out = names_get(reader->types, "t", key);
    if (out != NULL)
        return out;
    out = ARENA_NEW(&reader->program->arena, struct type);
    names_put(reader->types, "t", key, out);
    out->kind = kind_of(canonical.kind);
    /* libclang 19 crashes when asked for the size of a builtin function's placeholder type. */
    bool sized = out->kind != TYPE_OTHER && out->kind != TYPE_FUNCTION && out->kind != TYPE_VOID;
    long long size = sized ? clang_Type_getSizeOf(canonical) : 0;
    out->size_bytes = size > 0 ? size : 0;
    out->name = reader_text(reader, clang_getTypeSpelling(canonical));
    out->is_scoped = canonical.kind == CXType_Enum &&
                     clang_EnumDecl_isScoped(clang_getTypeDeclaration(canonical)) != 0;
    if (cxx_is_reference(canonical))
        out->size_bytes = (long long)sizeof(void *); /* libclang tells that of what it refers to */
    if (out->kind == TYPE_POINTER && canonical.kind != CXType_NullPtr)
        out->element = reader_type(reader, clang_getPointeeType(canonical));
    if (out->kind == TYPE_ARRAY) {
        out->element = reader_type(reader, clang_getArrayElementType(canonical));
        out->variable_length =
            canonical.kind == CXType_VariableArray || out->element->variable_length;
    }
    if (out->kind == TYPE_FUNCTION)
        read_parameters(reader, out, canonical);
    if (out->kind == TYPE_RECORD && reader->is_cxx &&
        cxx_fill_library_type(reader, out, canonical)) {
        if (out->kind == TYPE_RECORD)
            note_seen(reader, out->name);
    } else if (out->kind == TYPE_RECORD) {
        read_fields(reader, out, canonical);
        if (out->size_bytes > 0 && !is_of_a_block(canonical))
            note_seen(reader, out->name);
    }
    return out;
}

/* A parameter that is written as an array or function is a pointer (C11, 6.7.6.3); libclang takes
 * the adjustment away when it resolves the type. */
static const struct type *adjusted(struct clang_reader *reader, const struct type *type) {
    if (type->kind != TYPE_ARRAY && type->kind != TYPE_FUNCTION)
        return type;
    struct type *pointer = ARENA_NEW(&reader->program->arena, struct type);
    pointer->kind = TYPE_POINTER;
    pointer->size_bytes = (long long)sizeof(void *);
    pointer->element = type->kind == TYPE_ARRAY ? type->element : type;
    pointer->name = arena_printf(&reader->program->arena, "%s *", pointer->element->name);
    return pointer;
}

/* In C++ also in a namespace, or static in a class. */
static bool at_file_scope(CXCursor cursor) {
    switch (clang_getCursorKind(clang_getCursorSemanticParent(cursor))) {
    case CXCursor_TranslationUnit:
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_ClassDecl:
    case CXCursor_StructDecl:
        return true;
    default:
        return false;
    }
}

/* clang tells it of the elements of an array, or, of a canonical type, of the array. */
static bool is_constant(CXType type) {
    for (;;) {
        CXType canonical = clang_getCanonicalType(type);
        CXType element = clang_getArrayElementType(canonical);
        if (clang_isConstQualifiedType(canonical))
            return true;
        if (element.kind == CXType_Invalid)
            return false;
        type = element;
    }
}

#define BODIES_DEEPEST 8 /* calls from body to body that are followed */

struct clang_types_body {
    int depth;
    bool has_state;
};

static enum CXChildVisitResult look_for_state(CXCursor cursor, CXCursor parent, CXClientData data);

/* Its body is seen, though not in a header of the system's. */
static bool works_on_state(CXCursor function, int depth) {
    struct clang_types_body body = {.depth = depth};
    CXCursor definition = clang_getCursorDefinition(function);
    if (!clang_Cursor_isNull(definition) && depth < BODIES_DEEPEST &&
        !reader_is_of_the_system(definition))
        clang_visitChildren(definition, look_for_state, &body);
    return body.has_state;
}

static bool has_hidden_body(struct clang_reader *reader, CXCursor function) {
    CXCursor definition = clang_getCursorDefinition(function);
    return !clang_Cursor_isNull(definition) && !reader_is_in_project(reader, definition) &&
           works_on_state(function, 0);
}

static enum CXChildVisitResult look_for_state(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct clang_types_body *body = data;
    CXCursor named = clang_getCursorKind(cursor) == CXCursor_DeclRefExpr
                         ? clang_getCursorReferenced(cursor)
                         : clang_getNullCursor();
    enum CXCursorKind kind = clang_getCursorKind(named);
    if (kind == CXCursor_VarDecl && at_file_scope(named) && !reader_is_of_the_system(named) &&
        !clang_isConstQualifiedType(clang_getCursorType(named)))
        body->has_state = true;
    else if (kind == CXCursor_FunctionDecl)
        body->has_state = works_on_state(named, body->depth + 1);
    return body->has_state ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* That which C++ makes of a name, where other units may name it. */
static void note_symbol(struct clang_reader *reader, struct declaration *out, CXCursor cursor) {
    const char *symbol = cxx_symbol(reader, cursor);
    out->is_cxx = out->is_cxx || (out->kind == DECLARATION_FUNCTION && symbol != NULL);
    if (out->external_linkage)
        out->symbol = symbol;
}

static void fill_declaration(struct clang_reader *reader, struct declaration *out,
                             CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
    out->is_cxx = cxx_is_method(cursor);
    out->kind = kind == CXCursor_FunctionDecl || out->is_cxx ? DECLARATION_FUNCTION
                : kind == CXCursor_EnumConstantDecl          ? DECLARATION_CONSTANT
                                                             : DECLARATION_VARIABLE;
    out->name = reader_text(reader, clang_getCursorSpelling(cursor));
    out->type = reader_type(reader, clang_getCursorType(cursor));
    out->parameter = kind == CXCursor_ParmDecl;
    out->is_type = kind == CXCursor_TypedefDecl;
    if (out->parameter)
        out->type = adjusted(reader, out->type);
    out->external_linkage = clang_getCursorLinkage(cursor) == CXLinkage_External;
    out->global = at_file_scope(cursor) && !out->parameter;
    out->static_storage = out->global || storage == CX_SC_Static || storage == CX_SC_Extern;
    out->thread_local_storage = clang_getCursorTLSKind(cursor) != CXTLS_None;
    out->is_constant = is_constant(clang_getCursorType(cursor));
    out->variadic = clang_isFunctionTypeVariadic(clang_getCursorType(cursor)) != 0;
    out->name_range = reader_name_range(reader, cursor, out->name, &out->line);
    out->in_project =
        out->name_range.file >= 0 && reader->program->files.items[out->name_range.file]->in_project;
    if (reader->is_cxx && out->global)
        out->name = cxx_qualified_name(reader, cursor);
    out->has_hidden_body = out->kind == DECLARATION_FUNCTION && has_hidden_body(reader, cursor);
    out->symbol = out->external_linkage && reader_is_in_project(reader, cursor)
                      ? reader_attribute(reader, cursor, "asm")
                      : NULL;
    if (reader->is_cxx && out->symbol == NULL && out->global &&
        reader_is_in_project(reader, cursor))
        note_symbol(reader, out, cursor);
    if (kind == CXCursor_VarDecl && out->static_storage && reader_is_in_project(reader, cursor))
        out->section = reader_attribute(reader, cursor, "section");
    out->key = out->external_linkage
                   ? (out->symbol != NULL ? out->symbol : out->name)
                   : arena_printf(&reader->program->arena, "%d:%u:%s", out->name_range.file,
                                  out->name_range.begin, out->name);
}

struct declaration *reader_declaration(struct clang_reader *reader, CXCursor cursor) {
    char key[64];
    /* A parameter's canonical cursor is that of the first prototype: another entity for us. */
    bool parameter = clang_getCursorKind(cursor) == CXCursor_ParmDecl;
    CXCursor canonical = parameter ? cursor : clang_getCanonicalCursor(cursor);
    snprintf(key, sizeof key, "%p,%p,%p", canonical.data[0], canonical.data[1],
             parameter ? NULL : canonical.data[2]);
    struct declaration *out = names_get(reader->declarations, "d", key);
    if (out == NULL) {
        out = ARENA_NEW(&reader->program->arena, struct declaration);
        names_put(reader->declarations, "d", key, out);
        fill_declaration(reader, out, canonical);
        if (out->global)
            note_seen(reader, out->key);
    }
    if (out->kind == DECLARATION_VARIABLE && !parameter && clang_isCursorDefinition(cursor))
        out->type = reader_type(reader, clang_getCursorType(cursor));
    return out;
}
