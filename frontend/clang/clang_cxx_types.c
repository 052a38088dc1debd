/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of C++, as users write them and as the linker knows them, and kinds of methods.
 *
 * Of the library's classes (mpi/library.def) nothing is read: a container is a record of a pointer
 * to a block of its elements and of a number, an iterator is a pointer. A copy of a container is a
 * copy of its record: the two have one block, which stands for many, as one that is allocated in a
 * loop does. What is written to either is taken for written to both.
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

bool cxx_is_method_pointer(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind == CXType_MemberPointer &&
           clang_getCanonicalType(clang_getPointeeType(canonical)).kind == CXType_FunctionProto;
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

/* Classes of the library */

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
    bool packs_bits = strcmp(class->name, "vector") == 0 && element.kind == CXType_Bool;
    bool is_wide = strcmp(class->name, "basic_string") == 0 && element.kind != CXType_Char_S;
    return packs_bits || is_wide ? NULL : class;
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

static const struct type *element_of(struct clang_reader *reader, CXType type,
                                     const struct library_class *class) {
    if (class->element == LIBRARY_ELEMENT_MAPPED)
        return pair_of(reader, argument_of(type, 0), argument_of(type, 1));
    CXType argument = argument_of(type, class->element < 0 ? 0 : class->element);
    if (class->element == LIBRARY_ELEMENT_POINTED)
        argument = clang_getPointeeType(argument);
    return reader_type(reader, argument);
}

const struct type *cxx_size_type(struct clang_reader *reader) {
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    *type = (struct type){
        .kind = TYPE_INTEGER, .size_bytes = (long long)sizeof(size_t), .name = "unsigned long"};
    return type;
}

/* Of the members the names are what is written to read them. */
bool cxx_fill_library_type(struct clang_reader *reader, struct type *out, CXType type) {
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

/* Templates: clang has each instance that is used as a function of its own, in the text of all. */

bool cxx_is_instance(CXCursor function) {
    CXCursor template = clang_getSpecializedCursorTemplate(function);
    return clang_getCursorKind(function) == CXCursor_FunctionDecl &&
           !clang_Cursor_isNull(template) && !reader_is_of_the_system(function) &&
           clang_equalLocations(clang_getCursorLocation(function),
                                clang_getCursorLocation(template));
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
