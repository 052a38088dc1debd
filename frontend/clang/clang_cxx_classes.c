/* SPDX-License-Identifier: Apache-2.0
 *
 * What happens where objects of a class begin, are copied, and end. In: the type. Out: whether the
 * class is one of those that are followed, and which of its parts do something. libclang has no
 * such question: the class is looked through for all that would make it so.
 *
 * Followed are classes of the program with constructors, a destructor, virtual methods, and one
 * base, which lies at the object's beginning. Not handled: templates, several bases, virtual bases,
 * unions with methods, a class's own `operator new`.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/str.h"

#include <string.h>

/* ---- Plain ones ---- */

bool cxx_is_reference(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_LValueReference || kind == CXType_RValueReference;
}

struct clang_cxx_classes_look {
    struct clang_reader *reader;
    bool is_plain;
};

/* What stands behind the name, but for the bits and dimensions. */
bool cxx_has_default(struct clang_reader *reader, CXCursor field) {
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
    struct clang_cxx_classes_look *look = data;
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
        look->is_plain =
            !cxx_is_reference(clang_getCursorType(cursor)) &&
            cxx_is_plain(look->reader, clang_getCursorType(cursor)) &&
            (reader_is_of_the_system(cursor) || !cxx_has_default(look->reader, cursor));
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
    struct clang_cxx_classes_look look = {reader, true};
    if (cxx_library_class(type) != NULL)
        return cxx_is_library_plain(reader, type);
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
        return cxx_is_method_pointer(canonical);
    case CXType_Dependent:
    case CXType_Unexposed:
    case CXType_Invalid:
        return false;
    default:
        return true;
    }
}

/* ---- Members ---- */

CXCursor cxx_class(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    for (CXType element = clang_getArrayElementType(canonical); element.kind != CXType_Invalid;
         element = clang_getArrayElementType(canonical))
        canonical = clang_getCanonicalType(element);
    return canonical.kind == CXType_Record
               ? clang_getCursorDefinition(clang_getTypeDeclaration(canonical))
               : clang_getNullCursor();
}

bool cxx_is_own(CXCursor method) {
    return !clang_CXXMethod_isDefaulted(method) && !clang_CXXMethod_isDeleted(method);
}

CXType cxx_base(struct clang_reader *reader, CXCursor class) {
    struct cursors kids = reader_children(reader, class);
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_CXXBaseSpecifier)
            return clang_getCanonicalType(clang_getCursorType(kids.items[i]));
    return (CXType){.kind = CXType_Invalid};
}

/* The first member of the class for which the question is answered by yes; the null cursor: none.
 */
static CXCursor find(struct clang_reader *reader, CXCursor class, bool (*is_it)(CXCursor)) {
    struct cursors kids = reader_children(reader, class);
    for (int i = 0; i < kids.count; i++)
        if (is_it(kids.items[i]))
            return kids.items[i];
    return clang_getNullCursor();
}

static bool is_default_constructor(CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_Constructor && cxx_is_own(cursor) &&
           clang_CXXConstructor_isDefaultConstructor(cursor);
}

CXCursor cxx_default_constructor(struct clang_reader *reader, CXCursor class) {
    return find(reader, class, is_default_constructor);
}

static bool is_copy_constructor(CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_Constructor && cxx_is_own(cursor) &&
           clang_CXXConstructor_isCopyConstructor(cursor);
}

CXCursor cxx_copy_constructor(struct clang_reader *reader, CXCursor class) {
    return find(reader, class, is_copy_constructor);
}

static bool is_destructor(CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_Destructor && cxx_is_own(cursor);
}

CXCursor cxx_destructor(struct clang_reader *reader, CXCursor class) {
    return find(reader, class, is_destructor);
}

static bool is_virtual(CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return (kind == CXCursor_CXXMethod || kind == CXCursor_Destructor) &&
           clang_CXXMethod_isVirtual(cursor);
}

static bool is_polymorphic(struct clang_reader *reader, CXCursor class) {
    CXType base = cxx_base(reader, class);
    return !clang_Cursor_isNull(find(reader, class, is_virtual)) ||
           (base.kind != CXType_Invalid && is_polymorphic(reader, cxx_class(base)));
}

static bool is_virtual_destructor(CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_Destructor && clang_CXXMethod_isVirtual(cursor);
}

/* It is called where only the base is known. */
bool cxx_ends_virtually(struct clang_reader *reader, CXCursor class) {
    CXType base = cxx_base(reader, class);
    return !clang_Cursor_isNull(find(reader, class, is_virtual_destructor)) ||
           (base.kind != CXType_Invalid && cxx_ends_virtually(reader, cxx_class(base)));
}

/* ---- Parts ---- */

typedef bool (*type_question)(struct clang_reader *reader, CXType type);

static bool any_part(struct clang_reader *reader, CXCursor class, type_question question) {
    struct cursors kids = reader_children(reader, class);
    for (int i = 0; i < kids.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(kids.items[i]);
        if ((kind == CXCursor_FieldDecl || kind == CXCursor_CXXBaseSpecifier) &&
            question(reader, clang_getCursorType(kids.items[i])))
            return true;
    }
    return false;
}

bool cxx_has_end(struct clang_reader *reader, CXType type) {
    CXCursor class = cxx_class(type);
    if (clang_Cursor_isNull(class) || cxx_is_reference(type))
        return false;
    return !clang_Cursor_isNull(cxx_destructor(reader, class)) ||
           any_part(reader, class, cxx_has_end);
}

static bool is_own_copy(CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_Constructor && cxx_is_own(cursor) &&
           (clang_CXXConstructor_isCopyConstructor(cursor) ||
            clang_CXXConstructor_isMoveConstructor(cursor));
}

static bool is_own_assignment(CXCursor cursor) {
    CXString name = clang_getCursorSpelling(cursor);
    bool found = clang_getCursorKind(cursor) == CXCursor_CXXMethod && cxx_is_own(cursor) &&
                 strcmp(clang_getCString(name), "operator=") == 0;
    clang_disposeString(name);
    return found;
}

static bool is_copied_by_code(struct clang_reader *reader, CXType type) {
    CXCursor class = cxx_class(type);
    if (clang_Cursor_isNull(class) || cxx_is_reference(type) || cxx_is_plain(reader, type))
        return false;
    return !clang_Cursor_isNull(find(reader, class, is_own_copy)) ||
           any_part(reader, class, is_copied_by_code);
}

static bool is_assigned_by_code(struct clang_reader *reader, CXType type) {
    CXCursor class = cxx_class(type);
    if (clang_Cursor_isNull(class) || cxx_is_reference(type) || cxx_is_plain(reader, type))
        return false;
    return !clang_Cursor_isNull(find(reader, class, is_own_assignment)) ||
           any_part(reader, class, is_assigned_by_code);
}

bool cxx_copies_bytes(struct clang_reader *reader, CXType type) {
    return !is_copied_by_code(reader, type);
}

bool cxx_assigns_bytes(struct clang_reader *reader, CXType type) {
    return cxx_is_plain(reader, type) ||
           (cxx_is_class(reader, type) && !is_assigned_by_code(reader, type));
}

/* ---- Which are followed ---- */

static bool is_part_read(struct clang_reader *reader, CXType type) {
    return cxx_is_reference(type) || cxx_is_plain(reader, type) || cxx_is_class(reader, type);
}

static bool is_part_unread(struct clang_reader *reader, CXType type) {
    return !is_part_read(reader, type);
}

static bool has_base_elsewhere(struct clang_reader *reader, CXCursor class) {
    struct cursors kids = reader_children(reader, class);
    int bases = 0;
    bool is_virtual_base = false;
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_CXXBaseSpecifier) {
            bases++;
            is_virtual_base = is_virtual_base || clang_isVirtualBase(kids.items[i]);
        }
    return bases > 1 || is_virtual_base ||
           (bases == 1 && is_polymorphic(reader, class) &&
            !is_polymorphic(reader, cxx_class(cxx_base(reader, class))));
}

static bool allocates_itself(CXCursor cursor) {
    CXString name = clang_getCursorSpelling(cursor);
    const char *text = clang_getCString(name);
    bool found =
        clang_getCursorKind(cursor) == CXCursor_CXXMethod &&
        (text_has_prefix(text, "operator new") || text_has_prefix(text, "operator delete"));
    clang_disposeString(name);
    return found;
}

static bool field_has_end(struct clang_reader *reader, CXCursor class) {
    struct cursors kids = reader_children(reader, class);
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_FieldDecl &&
            cxx_has_end(reader, clang_getCursorType(kids.items[i])))
            return true;
    return false;
}

/* A destructor that is called where the base is known, and that nobody wrote. */
static bool has_hidden_end(struct clang_reader *reader, CXCursor class) {
    return cxx_ends_virtually(reader, class) &&
           clang_Cursor_isNull(cxx_destructor(reader, class)) && field_has_end(reader, class);
}

/* It stands in one, too. */
static bool is_of_template(CXCursor class) {
    for (CXCursor at = class; clang_isDeclaration(clang_getCursorKind(at));
         at = clang_getCursorSemanticParent(at)) {
        enum CXCursorKind kind = clang_getCursorKind(at);
        if (kind == CXCursor_ClassTemplate || kind == CXCursor_FunctionTemplate ||
            kind == CXCursor_ClassTemplatePartialSpecialization ||
            !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(at)) ||
            clang_Type_getNumTemplateArguments(clang_getCursorType(at)) > 0)
            return true;
    }
    return false;
}

bool cxx_is_class(struct clang_reader *reader, CXType type) {
    CXCursor class = cxx_class(type);
    return !clang_Cursor_isNull(class) && clang_getCursorKind(class) != CXCursor_UnionDecl &&
           reader_is_in_project(reader, class) && !is_of_template(class) &&
           !has_base_elsewhere(reader, class) &&
           clang_Cursor_isNull(find(reader, class, allocates_itself)) &&
           !any_part(reader, class, is_part_unread) && !has_hidden_end(reader, class);
}

bool cxx_is_value(struct clang_reader *reader, CXType type) {
    return cxx_is_plain(reader, type) ||
           (cxx_is_class(reader, type) && cxx_copies_bytes(reader, type) &&
            !cxx_has_end(reader, type));
}

bool cxx_inherits(struct clang_reader *reader, CXType type, CXType from) {
    CXCursor wanted = cxx_class(from);
    for (CXCursor class = cxx_class(type);
         !clang_Cursor_isNull(class) && cxx_is_class(reader, clang_getCursorType(class));
         class = cxx_class(cxx_base(reader, class)))
        if (clang_equalCursors(cxx_class(cxx_base(reader, class)), wanted))
            return !clang_Cursor_isNull(wanted);
    return false;
}
