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

bool cxx_is_left_out(CXCursor argument) {
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
        if (!cxx_is_left_out(argument))
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
        may = may || ast->type->kind == TYPE_RECORD || ast->type->kind == TYPE_INTEGER ||
              ast->type->kind == TYPE_FLOATING || ast->type->kind == TYPE_CHARACTER;
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
    bool holds = ast->kind == AST_CALL;
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

/* What `v[i]` gives of a std::vector<bool>: for us it is the element. NULL: something else. */
static struct ast *bit(const struct clang_cxx_containers_use *use) {
    struct ast *place = object_of(use);
    if (place->kind != AST_SUBSCRIPT)
        return NULL;
    if (text_has_prefix(use->name, "operator bool"))
        return place;
    struct ast *ast = strcmp(use->name, "operator=") == 0
                          ? operation(use, AST_BINARY, "=", place, argument(use, 0))
                          : NULL;
    if (ast != NULL)
        ast->type = place->type;
    return ast;
}

static bool is_bit(CXType type) {
    CXString name = clang_getCursorSpelling(clang_getTypeDeclaration(type));
    bool is = strcmp(clang_getCString(name), "_Bit_reference") == 0;
    clang_disposeString(name);
    return is;
}

static struct ast *method(struct clang_cxx_containers_use *use) {
    use->object = find_object(use);
    if (clang_Cursor_isNull(use->object))
        return NULL;
    CXType type = clang_getCanonicalType(clang_getCursorType(use->object));
    if (type.kind == CXType_Pointer)
        type = clang_getPointeeType(type);
    use->class = cxx_library_class(type);
    if (is_bit(type))
        return bit(use);
    if (use->class == NULL && cxx_is_stream(type))
        return stream(use);
    if (use->class == NULL || !cxx_is_plain(use->reader, type))
        return NULL;
    if (use->class->shape == LIBRARY_SHAPE_ITERATOR)
        return iterator_operation(use);
    const char *name = text_has_prefix(use->name, "operator bool") ? "has_value" : use->name;
    const struct library_function *row = library_function(use->class, name);
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
    if (cxx_is_method(callee) && strcmp(use.name, "now") == 0) {
        out = cxx_clock(reader, call);
    } else if (is_method) {
        out = method(&use);
    } else if (strcmp(use.name, "make_pair") == 0 && use.arguments.count == 2) {
        out = pair(&use);
    } else {
        const struct library_function *row = library_function(NULL, use.name);
        out = iterator_function(&use);
        if (out == NULL && row != NULL)
            out = by_row(&use, row);
        if (out == NULL)
            out = cxx_library_callback(reader, call, use.name);
    }
    vec_dispose(&use.arguments);
    return out;
}

/* Objects */

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
        return row != NULL                                           ? by_row(use, row)
               : count == 1                                          ? converted(use)
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
