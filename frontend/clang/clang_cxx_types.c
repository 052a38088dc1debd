/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of C++ and its classes. libclang has no question whether something happens where an object
 * begins, is copied, or ends: the class is looked through for all that would make it so.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/str.h"
#include "frontend/program/names.h"

#include <string.h>

bool cxx_is_method(CXCursor function) {
    enum CXCursorKind kind = clang_getCursorKind(function);
    return kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
           kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

bool cxx_has_object(CXCursor function) {
    return cxx_is_method(function) && !clang_CXXMethod_isStatic(function);
}

/* Without a name: extern "C", the namespace of a file. */
static bool names_scope(CXCursor parent, const char *name) {
    enum CXCursorKind kind = clang_getCursorKind(parent);
    bool is_scope = kind == CXCursor_Namespace || kind == CXCursor_ClassDecl ||
                    kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl;
    return is_scope && name[0] != '\0' && strchr(name, '(') == NULL;
}

const char *cxx_qualified_name(struct clang_reader *reader, CXCursor cursor) {
    const char *name = reader_text(reader, clang_getCursorSpelling(cursor));
    if (reader_is_of_the_system(cursor)) /* as in C */
        return name;
    for (CXCursor parent = clang_getCursorSemanticParent(cursor);
         clang_isDeclaration(clang_getCursorKind(parent));
         parent = clang_getCursorSemanticParent(parent)) {
        if (!names_scope(parent, "scope") && clang_getCursorKind(parent) != CXCursor_LinkageSpec)
            break;
        const char *scope = reader_text(reader, clang_getCursorSpelling(parent));
        if (names_scope(parent, scope))
            name = arena_printf(&reader->program->arena, "%s::%s", scope, name);
    }
    return name;
}

const char *cxx_symbol(struct clang_reader *reader, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_Constructor || kind == CXCursor_Destructor)
        return reader_text(reader, clang_getCursorUSR(cursor));
    const char *symbol = reader_text(reader, clang_Cursor_getMangling(cursor));
    CXString name = clang_getCursorSpelling(cursor);
    bool is_own = symbol[0] == '\0' || strcmp(symbol, clang_getCString(name)) == 0;
    clang_disposeString(name);
    return is_own ? NULL : symbol;
}

bool cxx_is_reference(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

struct clang_cxx_types_look {
    struct clang_reader *reader;
    bool is_plain;
};

/* `int n = 3;` in a class: what stands behind the name, but for the bits and dimensions. */
static bool has_default(struct clang_reader *reader, CXCursor field) {
    struct range range = reader_range(reader, field, NULL);
    int line;
    CXString spelled = clang_getCursorSpelling(field);
    struct range name = reader_name_range(reader, field, clang_getCString(spelled), &line);
    clang_disposeString(spelled);
    if (range.file < 0 || name.file != range.file || name.end > range.end)
        return range.file >= 0;
    const char *text = reader->program->files.items[range.file]->text;
    for (unsigned at = name.end; at < range.end; at++)
        if (text[at] == '=' || text[at] == '{')
            return true;
    return false;
}

static enum CXChildVisitResult look_at_member(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct clang_cxx_types_look *look = data;
    CXString name = clang_getCursorSpelling(cursor);
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CXXBaseSpecifier:
    case CXCursor_Constructor:
    case CXCursor_Destructor:
    case CXCursor_ConversionFunction:
    case CXCursor_FunctionTemplate:
        look->is_plain = false;
        break;
    case CXCursor_CXXMethod:
        look->is_plain =
            !clang_CXXMethod_isVirtual(cursor) && strcmp(clang_getCString(name), "operator=") != 0;
        break;
    case CXCursor_FieldDecl:
        look->is_plain = !cxx_is_reference(clang_getCursorType(cursor)) &&
                         cxx_is_plain(look->reader, clang_getCursorType(cursor)) &&
                         (reader_is_of_the_system(cursor) || !has_default(look->reader, cursor));
        break;
    default:
        break;
    }
    clang_disposeString(name);
    return look->is_plain ? CXChildVisit_Continue : CXChildVisit_Break;
}

static bool is_plain_record(struct clang_reader *reader, CXType type) {
    CXCursor declaration = clang_getTypeDeclaration(type);
    CXCursor definition = clang_getCursorDefinition(declaration);
    struct clang_cxx_types_look look = {reader, true};
    if (!clang_Cursor_isNull(clang_getSpecializedCursorTemplate(declaration)) ||
        clang_Type_getNumTemplateArguments(type) > 0 || clang_Cursor_isNull(definition))
        return false;
    clang_visitChildren(definition, look_at_member, &look);
    return look.is_plain;
}

bool cxx_is_plain(struct clang_reader *reader, CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    for (CXType element = clang_getArrayElementType(canonical); element.kind != CXType_Invalid;
         element = clang_getArrayElementType(canonical))
        canonical = clang_getCanonicalType(element);
    switch (canonical.kind) {
    case CXType_Record:
        return is_plain_record(reader, clang_getUnqualifiedType(canonical));
    case CXType_MemberPointer:
    case CXType_Dependent:
    case CXType_Unexposed:
    case CXType_Invalid:
        return false;
    default:
        return true;
    }
}

void cxx_check_type(struct clang_reader *reader, CXCursor at, CXType type) {
    if (!cxx_is_plain(reader, type))
        cxx_refuse(reader, at,
                   clang_getCanonicalType(type).kind == CXType_Record
                       ? "this object, whose class has constructors, bases, or the like,"
                       : "this type");
}

const struct declaration *cxx_object_parameter(struct clang_reader *reader, CXCursor method) {
    struct declaration *out = ARENA_NEW(&reader->program->arena, struct declaration);
    const struct declaration *of = reader_declaration(reader, method);
    const struct type *record =
        reader_type(reader, clang_getCursorType(clang_getCursorSemanticParent(method)));
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    *type = (struct type){.kind = TYPE_POINTER,
                          .size_bytes = (long long)sizeof(void *),
                          .element = record,
                          .name = arena_printf(&reader->program->arena, "%s *", record->name)};
    out->kind = DECLARATION_VARIABLE;
    out->name = "this";
    out->parameter = true;
    out->type = type;
    out->line = of->line;
    out->in_project = of->in_project;
    out->name_range = reader_range(reader, method, NULL);
    out->name_range.end = out->name_range.begin;
    out->key = arena_printf(&reader->program->arena, "%d:%u:this", out->name_range.file,
                            out->name_range.begin);
    return out;
}

bool cxx_is_read(struct clang_reader *reader, CXCursor method) {
    CXCursor class = clang_getCursorSemanticParent(method);
    enum CXCursorKind kind = clang_getCursorKind(class);
    return (kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
            kind == CXCursor_UnionDecl) &&
           reader_is_in_project(reader, method) && cxx_is_plain(reader, clang_getCursorType(class));
}
