/* SPDX-License-Identifier: Apache-2.0
 *
 * What the program does with objects of the C++ library, by the rows of mpi/library.def: sizes and
 * elements become members, subscripts and pointers, as in C; all else an AST_LIBRARY, which says of
 * its object and of each argument whether it is read or changed. It is kept or dropped as a whole.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

struct clang_cxx_containers_use {
    struct clang_reader *reader;
    CXCursor call, callee;
    const struct ast *like; /* with the range of the call */
    const char *name;
    CXCursor object;                   /* of a method; or the null cursor */
    const struct library_class *class; /* of a method; NULL: a function */
    VEC(CXCursor) arguments;           /* as they are written */
};

static bool is_left_out(CXCursor argument) {
    CXFile file = NULL;
    clang_getFileLocation(clang_getCursorLocation(argument), &file, NULL, NULL, NULL);
    return clang_Cursor_isNull(argument) || file == NULL;
}

static bool is_operator(const char *name) {
    return text_has_prefix(name, "operator") && ispunct((unsigned char)name[8]) && name[8] != '_';
}

static CXCursor first_expression(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    for (int i = 0; i < kids.count; i++)
        if (clang_isExpression(clang_getCursorKind(kids.items[i])))
            return kids.items[i];
    return clang_getNullCursor();
}

/* In front of a method's name. */
static CXCursor find_object(const struct clang_cxx_containers_use *use) {
    CXCursor member = first_expression(use->reader, use->call);
    if (is_operator(use->name))
        return clang_Cursor_getArgument(use->call, 0);
    return clang_getCursorKind(member) == CXCursor_MemberRefExpr
               ? first_expression(use->reader, member)
               : clang_getNullCursor();
}

static void begin(struct clang_cxx_containers_use *use, bool is_method) {
    int count = clang_Cursor_getNumArguments(use->call);
    int first = is_method && is_operator(use->name) ? 1 : 0;
    for (int i = first; i < count; i++) {
        CXCursor argument = clang_Cursor_getArgument(use->call, (unsigned)i);
        if (!is_left_out(argument))
            vec_push(&use->arguments, argument);
    }
}

static struct ast *part(const struct clang_cxx_containers_use *use, enum ast_kind kind,
                        const struct type *type, struct ast *left, struct ast *right) {
    struct ast *ast = cxx_make(use->reader, kind, use->like, type, right != NULL ? 2 : 1);
    ast->kids[0] = left;
    if (right != NULL)
        ast->kids[1] = right;
    return ast;
}

static struct ast *number(const struct clang_cxx_containers_use *use, long long value) {
    struct ast *ast = cxx_make(use->reader, AST_CONSTANT, use->like, cxx_size_type(use->reader), 0);
    ast->range.end = ast->range.begin;
    ast->is_unwritten = true;
    ast->has_value = true;
    ast->value = value;
    return ast;
}

static const struct type *result_type(const struct clang_cxx_containers_use *use) {
    return reader_type(use->reader, clang_getCursorType(use->call));
}

static struct ast *operation(const struct clang_cxx_containers_use *use, enum ast_kind kind,
                             const char *op, struct ast *left, struct ast *right) {
    struct ast *ast = part(use, kind, result_type(use), left, right);
    ast->op = op;
    return ast;
}

static struct ast *argument(const struct clang_cxx_containers_use *use, size_t index) {
    return reader_expression(use->reader, use->arguments.items[index]);
}

/* The object, also where a pointer to it is written in front of the method. */
static struct ast *object_of(const struct clang_cxx_containers_use *use) {
    struct ast *ast = reader_expression(use->reader, use->object);
    CXType type = clang_getCanonicalType(clang_getCursorType(use->object));
    return type.kind == CXType_Pointer ? cxx_pointed_to(use->reader, ast) : ast;
}

/* `data()` or `size()`; of std::array the array itself. */
static struct ast *member(const struct clang_cxx_containers_use *use, struct ast *object,
                          int index) {
    struct ast *ast =
        cxx_make(use->reader, AST_MEMBER, object, object->type->fields[index].type, 1);
    ast->kids[0] = object;
    ast->name = object->type->fields[index].name;
    ast->member_offset_bytes = object->type->fields[index].offset_bytes;
    ast->range = use->like->range;
    return ast;
}

/* Iterators: pointers. */

static struct ast *iterator_operation(const struct clang_cxx_containers_use *use) {
    static const char *const binary[] = {"+", "-", NULL}, *const both[] = {"+=", "-=", NULL};
    const char *op = use->name + strlen("operator");
    bool has_argument = use->arguments.count > 0;
    if (strcmp(use->name, "base") == 0 || strcmp(op, "->") == 0)
        return object_of(use);
    if (!is_operator(use->name))
        return NULL;
    struct ast *left = object_of(use);
    if (strcmp(op, "*") == 0 && !has_argument)
        return operation(use, AST_UNARY, "*", left, NULL);
    if (strcmp(op, "[]") == 0)
        return part(use, AST_SUBSCRIPT, result_type(use), left, argument(use, 0));
    if (strcmp(op, "++") == 0)
        return operation(use, AST_UNARY, has_argument ? "p++" : "++", left, NULL);
    if (strcmp(op, "--") == 0)
        return operation(use, AST_UNARY, has_argument ? "p--" : "--", left, NULL);
    if (strcmp(op, "=") == 0)
        return operation(use, AST_BINARY, "=", left, argument(use, 0));
    if (text_is_one_of(op, both))
        return operation(use, AST_COMPOUND_ASSIGN, op, left, argument(use, 0));
    return text_is_one_of(op, binary) && has_argument
               ? operation(use, AST_BINARY, op, left, argument(use, 0))
               : NULL;
}

static bool is_iterator(CXCursor expression) {
    const struct library_class *class = cxx_library_class(clang_getCursorType(expression));
    return class != NULL && class->shape == LIBRARY_SHAPE_ITERATOR;
}

/* `it != end`: as a function. */
static struct ast *iterator_function(const struct clang_cxx_containers_use *use) {
    static const char *const ops[] = {"==", "!=", "<", ">", "<=", ">=", "+", "-", NULL};
    const char *op = use->name + strlen("operator");
    if (!is_operator(use->name) || use->arguments.count != 2 || !text_is_one_of(op, ops) ||
        !is_iterator(use->arguments.items[strcmp(op, "+") == 0]))
        return NULL;
    return operation(use, AST_BINARY, op, argument(use, 0), argument(use, 1));
}

/* What the library does by itself */

static CXType element_of(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    const struct library_class *class = cxx_library_class(canonical);
    if (canonical.kind == CXType_Pointer)
        return element_of(clang_getPointeeType(canonical));
    if (class != NULL && class->shape == LIBRARY_SHAPE_ITERATOR)
        return element_of(clang_Type_getTemplateArgumentAsType(canonical, 0));
    return clang_getUnqualifiedType(canonical);
}

/* The library calls nothing of the program: neither what is handed to it nor an operator. */
static bool calls_nothing(const struct clang_cxx_containers_use *use,
                          const struct library_function *row) {
    for (size_t i = 0; i < use->arguments.count; i++) {
        CXType element = element_of(clang_getCursorType(use->arguments.items[i]));
        if (element.kind == CXType_FunctionProto || element.kind == CXType_FunctionNoProto ||
            (row->compares && !cxx_is_compared_by_library(use->reader, element)))
            return false;
    }
    return clang_Cursor_isNull(use->object) || !row->compares ||
           cxx_is_compared_by_library(use->reader, clang_getCursorType(use->object));
}

/* An element that is a record is given as such: no constructor of it is called with other values.
 */
static bool makes_elements(const struct clang_cxx_containers_use *use, const struct type *element) {
    if (element->kind != TYPE_RECORD || !text_has_prefix(use->name, "emplace"))
        return true;
    size_t last = use->arguments.count;
    return last > 0 &&
           reader_type(use->reader, clang_getCursorType(use->arguments.items[last - 1])) == element;
}

/* A container, or where it may be a variable, that. */
static bool may_change(const struct ast *ast, char effect) {
    bool may = type_is_container(ast->type);
    if (effect == 's')
        may = may || ast->type->kind == TYPE_INTEGER || ast->type->kind == TYPE_FLOATING ||
              ast->type->kind == TYPE_CHARACTER;
    return effect == 'x' ? cxx_is_place(ast)
                         : may && (cxx_is_place(ast) || ast->kind == AST_LIBRARY);
}

static struct ast *effects(const struct clang_cxx_containers_use *use,
                           const struct library_function *row, const struct type *type) {
    int own = clang_Cursor_isNull(use->object) ? 0 : 1;
    int count = own + (int)use->arguments.count;
    struct ast *ast = cxx_make(use->reader, AST_LIBRARY, use->like, type, count);
    char *op = ARENA_ARRAY(&use->reader->program->arena, char, (size_t)count + 1);
    bool is_array = own && strcmp(use->class->name, "array") == 0;
    if (own)
        ast->kids[0] = is_array ? member(use, object_of(use), 0) : object_of(use);
    for (int i = 0; i < count; i++) {
        if (i >= own)
            ast->kids[i] = argument(use, (size_t)(i - own));
        op[i] = library_effect(row, i);
        if (op[i] == 'c' && row->compares)
            op[i] = 'k';
        if (strchr("ckxs", op[i]) != NULL && !may_change(ast->kids[i], op[i]))
            cxx_refuse(use->reader, use->call, "this object");
    }
    if (row->result == LIBRARY_RESULT_CHANGED)
        ast->type = ast->kids[0]->type;
    ast->op = op;
    ast->name = use->name;
    return ast;
}

static struct ast *mapped(const struct clang_cxx_containers_use *use,
                          const struct library_function *row) {
    struct ast *object = object_of(use);
    const struct type *pair = object->type->fields[0].type->element;
    struct ast *ast = part(use, AST_MEMBER, result_type(use),
                           effects(use, row, object->type->fields[0].type), NULL);
    ast->arrow = true;
    ast->name = pair->fields[1].name;
    ast->member_offset_bytes = pair->fields[1].offset_bytes;
    return ast;
}

static bool holds_call(const struct ast *ast) {
    bool holds = ast->kind == AST_CALL || ast->kind == AST_LIBRARY;
    for (int i = 0; i < ast->kid_count && !holds; i++)
        holds = holds_call(ast->kids[i]);
    return holds;
}

static struct ast *in_object(const struct clang_cxx_containers_use *use,
                             const struct library_function *row) {
    struct ast *object = object_of(use), *data = member(use, object, 0);
    const struct type *element = data->type->element;
    bool is_array = data->type->kind == TYPE_ARRAY;
    bool is_twice = row->result == LIBRARY_RESULT_END || row->result == LIBRARY_RESULT_LAST;
    if (is_twice && holds_call(object))
        return NULL;
    switch (row->result) {
    case LIBRARY_RESULT_SIZE:
        return is_array ? number(use, data->type->size_bytes / element->size_bytes)
                        : member(use, object, 1);
    case LIBRARY_RESULT_EMPTY:
        return operation(use, AST_UNARY, "!", member(use, object, 1), NULL);
    case LIBRARY_RESULT_DATA:
        return data;
    case LIBRARY_RESULT_END: {
        struct ast *size = is_array ? number(use, data->type->size_bytes / element->size_bytes)
                                    : member(use, object, 1);
        return operation(use, AST_BINARY, "+", data, size);
    }
    case LIBRARY_RESULT_ELEMENT:
        return part(use, AST_SUBSCRIPT, element, data, argument(use, 0));
    case LIBRARY_RESULT_FIRST:
        return part(use, AST_SUBSCRIPT, element, data, number(use, 0));
    default:
        return part(use, AST_SUBSCRIPT, element, data,
                    is_array ? number(use, data->type->size_bytes / element->size_bytes - 1)
                             : member(use, object, 1));
    }
}

static struct ast *by_row(const struct clang_cxx_containers_use *use,
                          const struct library_function *row) {
    if (!calls_nothing(use, row))
        return NULL;
    switch (row->result) {
    case LIBRARY_RESULT_SAME:
        return use->arguments.count == 1
                   ? reader_wrapped(use->reader, use->call, use->arguments.items[0])
                   : NULL;
    case LIBRARY_RESULT_MAPPED:
        return mapped(use, row);
    case LIBRARY_RESULT_SIZE:
    case LIBRARY_RESULT_EMPTY:
    case LIBRARY_RESULT_DATA:
    case LIBRARY_RESULT_END:
    case LIBRARY_RESULT_ELEMENT:
    case LIBRARY_RESULT_FIRST:
    case LIBRARY_RESULT_LAST:
        return in_object(use, row);
    default:
        return effects(use, row, result_type(use));
    }
}

/* Two values side by side. */
static struct ast *pair(const struct clang_cxx_containers_use *use) {
    struct ast *list = cxx_make(use->reader, AST_INIT_LIST, use->like, result_type(use), 2);
    for (size_t i = 0; i < 2; i++)
        list->kids[i] = argument(use, i);
    return part(use, AST_COMPOUND_LITERAL, list->type, list, NULL);
}

static struct clang_cxx_containers_use use_of(struct clang_reader *reader, CXCursor call,
                                              CXCursor callee) {
    struct ast *like = reader_new(reader, AST_OTHER, call);
    return (struct clang_cxx_containers_use){
        .reader = reader,
        .call = call,
        .callee = callee,
        .like = like,
        .object = clang_getNullCursor(),
        .name = reader_text(reader, clang_getCursorSpelling(callee))};
}

/* As one of its bases, which tell that it is a stream; what it is says the object itself. */
static struct ast *stream(struct clang_cxx_containers_use *use) {
    const char *name =
        text_has_prefix(use->name, "operator bool") || strcmp(use->name, "operator!") == 0
            ? "good"
            : use->name;
    use->class = library_class("basic_stringstream");
    const struct library_function *row = library_function(use->class, name);
    return row != NULL && type_is_container(object_of(use)->type) ? by_row(use, row) : NULL;
}

static struct ast *method(struct clang_cxx_containers_use *use) {
    use->object = find_object(use);
    if (clang_Cursor_isNull(use->object))
        return NULL;
    CXType type = clang_getCanonicalType(clang_getCursorType(use->object));
    if (type.kind == CXType_Pointer)
        type = clang_getPointeeType(type);
    use->class = cxx_library_class(type);
    if (use->class == NULL && cxx_is_stream(type))
        return stream(use);
    if (use->class == NULL || !cxx_is_plain(use->reader, type))
        return NULL;
    if (use->class->shape == LIBRARY_SHAPE_ITERATOR)
        return iterator_operation(use);
    const struct library_function *row = library_function(use->class, use->name);
    CXType none = clang_getCursorType(clang_getNullCursor()), given = none;
    if (use->arguments.count == 1)
        given = clang_getCursorType(use->arguments.items[0]);
    if (strcmp(use->name, "operator=") == 0 &&
        clang_equalTypes(clang_getUnqualifiedType(clang_getCanonicalType(given)),
                         clang_getUnqualifiedType(clang_getCanonicalType(type))))
        return operation(use, AST_BINARY, "=", object_of(use), argument(use, 0));
    const struct type *record = reader_type(use->reader, type);
    bool is_fine = row != NULL && (!type_is_container(record) ||
                                   makes_elements(use, record->fields[0].type->element));
    return is_fine ? by_row(use, row) : NULL;
}

struct ast *cxx_library_call(struct clang_reader *reader, CXCursor call, CXCursor callee) {
    struct clang_cxx_containers_use use = use_of(reader, call, callee);
    bool is_method = cxx_has_object(callee);
    struct ast *out = NULL;
    begin(&use, is_method);
    if (is_method) {
        out = method(&use);
    } else if (strcmp(use.name, "make_pair") == 0 && use.arguments.count == 2) {
        out = pair(&use);
    } else {
        const struct library_function *row = library_function(NULL, use.name);
        out = iterator_function(&use);
        if (out == NULL && row != NULL)
            out = by_row(&use, row);
    }
    vec_dispose(&use.arguments);
    return out;
}

/* Objects */

struct default_fields {
    struct clang_reader *reader;
    const struct ast *like;
    VEC(struct ast *) kids;
};

static enum CXVisitorResult add_default(CXCursor field, CXClientData data) {
    struct default_fields *fields = data;
    CXType type = clang_getCursorType(field);
    if (!cxx_holds_library(type))
        return CXVisit_Continue;
    struct ast *value = cxx_library_default(fields->reader, fields->like, type);
    struct ast *ast = cxx_make(fields->reader, AST_DESIGNATED, value, value->type, 1);
    ast->name = reader_text(fields->reader, clang_getCursorSpelling(field));
    ast->kids[0] = value;
    ast->is_unwritten = true;
    vec_push(&fields->kids, ast);
    return CXVisit_Continue;
}

static struct ast *default_parts(struct clang_reader *reader, const struct ast *like, CXType type) {
    struct default_fields fields = {.reader = reader, .like = like};
    struct ast *ast = cxx_make(reader, AST_INIT_LIST, like, reader_type(reader, type), 0);
    clang_Type_visitFields(type, add_default, &fields);
    reader_kids(reader, ast, (int)fields.kids.count);
    for (size_t i = 0; i < fields.kids.count; i++)
        ast->kids[i] = fields.kids.items[i];
    vec_dispose(&fields.kids);
    return ast;
}

struct ast *cxx_library_default(struct clang_reader *reader, const struct ast *like, CXType type) {
    CXType element = clang_getUnqualifiedType(clang_getCanonicalType(type));
    while (clang_getArrayElementType(element).kind != CXType_Invalid)
        element =
            clang_getUnqualifiedType(clang_getCanonicalType(clang_getArrayElementType(element)));
    const struct library_class *class = cxx_library_class(element);
    bool is_container = class != NULL && class->shape <= LIBRARY_SHAPE_STREAM;
    struct ast *ast = cxx_make(reader, is_container ? AST_LIBRARY : AST_COMPOUND_LITERAL, like,
                               reader_type(reader, element), is_container ? 0 : 1);
    ast->range.begin = ast->range.end;
    ast->is_unwritten = true;
    ast->op = "";
    ast->name = "new";
    if (!is_container)
        ast->kids[0] = default_parts(reader, ast, element);
    return ast;
}

/* Of an array the list of its elements. */
struct ast *cxx_library_objects(struct clang_reader *reader, const struct ast *like, CXType type) {
    CXType element = clang_getArrayElementType(clang_getCanonicalType(type));
    if (element.kind == CXType_Invalid)
        return cxx_library_default(reader, like, type);
    struct ast *list = cxx_make(reader, AST_INIT_LIST, like, reader_type(reader, type), 1);
    list->range.begin = list->range.end;
    list->is_unwritten = true;
    list->kids[0] = cxx_library_objects(reader, like, element);
    return list;
}

/* A pair or an iterator out of another one: the value of the same members. */
static struct ast *converted(const struct clang_cxx_containers_use *use) {
    struct ast *ast = argument(use, 0);
    const struct type *to = result_type(use), *from = ast->type;
    bool is_same = from->kind == to->kind && from->field_count == to->field_count &&
                   from->size_bytes == to->size_bytes;
    for (int i = 0; is_same && i < to->field_count; i++)
        is_same = from->fields[i].type->kind == to->fields[i].type->kind &&
                  from->fields[i].type->size_bytes == to->fields[i].type->size_bytes;
    if (!is_same)
        cxx_refuse(use->reader, use->call, "this conversion");
    return ast;
}

static struct ast *construction(const struct clang_cxx_containers_use *use) {
    CXType type = clang_getCursorType(use->call);
    const struct library_function *row = library_function(use->class, "new");
    size_t count = use->arguments.count;
    if (count == 0)
        return use->class->shape == LIBRARY_SHAPE_ITERATOR
                   ? number(use, 0)
                   : cxx_library_objects(use->reader, use->like, type);
    bool copies = clang_CXXConstructor_isCopyConstructor(use->callee) ||
                  clang_CXXConstructor_isMoveConstructor(use->callee);
    if (count == 1 && copies)
        return argument(use, 0);
    if (use->class->shape == LIBRARY_SHAPE_ITERATOR || use->class->shape == LIBRARY_SHAPE_RECORD)
        return count == 1                                            ? converted(use)
               : count == 2 && strcmp(use->class->name, "pair") == 0 ? pair(use)
                                                                     : NULL;
    return row != NULL ? by_row(use, row) : NULL;
}

struct ast *cxx_library_construction(struct clang_reader *reader, CXCursor call) {
    struct clang_cxx_containers_use use = use_of(reader, call, clang_getCursorReferenced(call));
    CXType type = clang_getCanonicalType(clang_getCursorType(call));
    for (CXType element = clang_getArrayElementType(type); element.kind != CXType_Invalid;
         element = clang_getArrayElementType(type))
        type = clang_getCanonicalType(element);
    use.class = cxx_library_class(type);
    begin(&use, false);
    struct ast *out = NULL;
    if (use.class != NULL && cxx_is_plain(reader, type))
        out = construction(&use);
    vec_dispose(&use.arguments);
    if (out == NULL)
        cxx_refuse(reader, call, "this object of the C++ library");
    return out != NULL ? out : (struct ast *)use.like;
}
