/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of C++ and its classes. libclang has no question whether something happens where an object
 * begins, is copied, or ends: the class is looked through for all that would make it so.
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
    if (cxx_library_class(type) != NULL)
        return cxx_is_library_plain(reader, type);
    if (!clang_Cursor_isNull(clang_getSpecializedCursorTemplate(declaration)) ||
        clang_Type_getNumTemplateArguments(type) > 0 || clang_Cursor_isNull(definition))
        return false;
    clang_visitChildren(definition, look_at_member, &look);
    return look.is_plain;
}

bool cxx_is_method_pointer(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind == CXType_MemberPointer &&
           clang_getCanonicalType(clang_getPointeeType(canonical)).kind == CXType_FunctionProto;
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
    return is_plain && (class->shape != LIBRARY_SHAPE_STREAM ||
                        cxx_is_compared_by_library(reader, argument_of(record_of(type), 0)));
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
