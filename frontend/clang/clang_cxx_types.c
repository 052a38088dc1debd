/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of C++, as users write them and as the linker knows them, and kinds of methods.
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

bool cxx_is_of_body(CXCursor cursor, CXCursor parent) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_in_front = clang_getCursorKind(parent) == CXCursor_Constructor &&
                       (kind == CXCursor_MemberRef || clang_isExpression(kind));
    return (cxx_is_method(parent) && kind == CXCursor_CompoundStmt) || is_in_front;
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

bool cxx_is_read(struct clang_reader *reader, CXCursor method) {
    CXCursor class = clang_getCursorSemanticParent(method);
    enum CXCursorKind kind = clang_getCursorKind(class);
    return (kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl ||
            kind == CXCursor_UnionDecl) &&
           reader_is_in_project(reader, method) &&
           (cxx_is_plain(reader, clang_getCursorType(class)) ||
            cxx_is_class(reader, clang_getCursorType(class)));
}

/* Templates: clang has each instance that is used as a function of its own, in the text of all. */

bool cxx_is_instance(CXCursor function) {
    CXCursor template = clang_getSpecializedCursorTemplate(function);
    enum CXCursorKind kind = clang_getCursorKind(function);
    CXSourceLocation place = clang_getCursorLocation(function);
    return (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod) &&
           !clang_Cursor_isNull(template) && !reader_is_of_the_system(function) &&
           (clang_equalLocations(place, clang_getCursorLocation(template)) ||
            clang_equalLocations(place,
                                 clang_getCursorLocation(clang_getCursorDefinition(template))));
}

void cxx_use_instance(struct clang_reader *reader, CXCursor at, CXCursor function) {
    CXCursor definition = clang_getCursorDefinition(function);
    if (clang_Cursor_isNull(definition) || !reader_is_in_project(reader, definition)) {
        cxx_refuse(reader, at, "this call of a template");
        return;
    }
    for (size_t i = 0; i < reader->instances.count; i++)
        if (clang_equalCursors(reader->instances.items[i], definition))
            return;
    vec_push(&reader->instances, definition);
}

bool cxx_is_body(struct clang_reader *reader, CXCursor statement, CXCursor function) {
    if (clang_getCursorKind(statement) != CXCursor_CompoundStmt)
        return false;
    if (cxx_is_method(function))
        return cxx_is_read(reader, function);
    for (size_t i = 0; i < reader->instances.count; i++)
        if (clang_equalLocations(clang_getCursorLocation(reader->instances.items[i]),
                                 clang_getCursorLocation(function)))
            return true;
    return false;
}
