/* SPDX-License-Identifier: Apache-2.0
 *
 * Which classes of the C++ library are read (mpi/library.def), and which of them the library can
 * handle without a call of the program. Types of methods, of which pointers are followed. What
 * objects of such classes begin with where nothing is said of it.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/str.h"

#include <string.h>

/* In namespace std, or one of those that the library keeps to itself. */
static bool is_of_the_library(CXCursor declaration) {
    CXCursor scope = clang_getCursorSemanticParent(declaration);
    return reader_is_of_the_system(declaration) && clang_getCursorKind(scope) == CXCursor_Namespace;
}

static CXType record_of(CXType type) {
    return clang_getUnqualifiedType(clang_getCanonicalType(type));
}

static CXType argument_of(CXType type, int index) {
    return clang_getCanonicalType(clang_Type_getTemplateArgumentAsType(type, (unsigned)index));
}

const struct library_class *cxx_library_class(CXType type) {
    CXType record = record_of(type);
    CXCursor declaration = clang_getTypeDeclaration(record);
    if (record.kind != CXType_Record || !is_of_the_library(declaration))
        return NULL;
    CXString name = clang_getCursorSpelling(declaration);
    const struct library_class *class = library_class(clang_getCString(name));
    clang_disposeString(name);
    if (class == NULL || class->shape > LIBRARY_SHAPE_STREAM || class->element < 0)
        return class;
    CXType element = argument_of(record, class->element);
    bool is_wide = strcmp(class->name, "basic_string") == 0 && element.kind != CXType_Char_S;
    return is_wide ? NULL : class;
}

bool cxx_is_library_plain(struct clang_reader *reader, CXType type) {
    const struct library_class *class = cxx_library_class(type);
    if (class == NULL)
        return false;
    int count = clang_Type_getNumTemplateArguments(record_of(type));
    bool is_plain = true;
    for (int i = 0; i < count && class->shape != LIBRARY_SHAPE_ITERATOR; i++) {
        CXType argument = argument_of(record_of(type), i);
        CXCursor declaration = clang_getTypeDeclaration(argument);
        bool helps = argument.kind == CXType_Record && reader_is_of_the_system(declaration) &&
                     cxx_library_class(argument) == NULL; /* an allocator, an order */
        if (argument.kind != CXType_Invalid && !helps)
            is_plain = is_plain && cxx_is_plain(reader, argument);
    }
    return is_plain && (class->shape != LIBRARY_SHAPE_KEYED ||
                        cxx_is_compared_by_library(reader, argument_of(record_of(type), 0)));
}

bool cxx_is_c_record(struct clang_reader *reader, CXType type) {
    CXType element = record_of(type);
    while (clang_getArrayElementType(element).kind != CXType_Invalid)
        element = record_of(clang_getArrayElementType(element));
    return cxx_library_class(element) == NULL && cxx_is_plain(reader, element);
}

bool cxx_is_compared_by_library(struct clang_reader *reader, CXType type) {
    CXType canonical = record_of(type);
    if (canonical.kind != CXType_Record)
        return true;
    const struct library_class *class = cxx_library_class(canonical);
    int count = clang_Type_getNumTemplateArguments(canonical);
    bool is = class != NULL;
    if (is && class->shape == LIBRARY_SHAPE_ITERATOR)
        return true;
    for (int i = 0; i < count && is; i++) {
        CXType argument = argument_of(canonical, i);
        if (argument.kind == CXType_Record &&
            !reader_is_of_the_system(clang_getTypeDeclaration(argument)))
            is = false;
        else if (argument.kind == CXType_Record && cxx_library_class(argument) != NULL)
            is = cxx_is_compared_by_library(reader, argument);
    }
    return is;
}

static enum CXVisitorResult look_at_field(CXCursor field, CXClientData data) {
    bool *holds = data;
    *holds = cxx_holds_library(clang_getCursorType(field));
    return *holds ? CXVisit_Break : CXVisit_Continue;
}

bool cxx_holds_library(CXType type) {
    CXType canonical = record_of(type);
    for (CXType element = clang_getArrayElementType(canonical); element.kind != CXType_Invalid;
         element = clang_getArrayElementType(canonical))
        canonical = record_of(element);
    bool holds = false;
    if (canonical.kind != CXType_Record)
        return false;
    const struct library_class *class = cxx_library_class(canonical);
    if (class != NULL && class->shape <= LIBRARY_SHAPE_STREAM)
        return true;
    if (class == NULL || class->shape == LIBRARY_SHAPE_RECORD)
        clang_Type_visitFields(canonical, look_at_field, &holds);
    return holds;
}

bool cxx_is_stream(CXType type) {
    static const char *const bases[] = {"basic_ios", "basic_istream", "basic_ostream",
                                        "basic_iostream", NULL};
    CXType record = record_of(type);
    const struct library_class *class = cxx_library_class(record);
    CXString name = clang_getCursorSpelling(clang_getTypeDeclaration(record));
    bool is_base = record.kind == CXType_Record &&
                   is_of_the_library(clang_getTypeDeclaration(record)) &&
                   text_is_one_of(clang_getCString(name), bases);
    clang_disposeString(name);
    return is_base || (class != NULL && class->shape == LIBRARY_SHAPE_STREAM);
}

bool cxx_is_method_pointer(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind == CXType_MemberPointer &&
           clang_getCanonicalType(clang_getPointeeType(canonical)).kind == CXType_FunctionProto;
}
