/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of C++: of functions, methods and operators of the program, of what the library has from C,
 * `new`, `delete`, and output by streams. A reference takes the address of its argument, a method
 * that of its object, in front of the others; arguments that are left out are read where the
 * function is declared.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/file.h"
#include "base/str.h"
#include "frontend/program/names.h"

#include <ctype.h>
#include <string.h>

struct arguments {
    VEC(struct ast *) items;
};

static struct ast *other(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = reader_new(reader, AST_OTHER, cursor);
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    return ast;
}

static struct ast *refused(struct clang_reader *reader, CXCursor cursor, const char *what) {
    cxx_refuse(reader, cursor, what);
    return other(reader, cursor);
}

/* Arguments */

/* In C++ these are places, too, and a reference to one is none to a copy. */
static bool may_be_place(const struct ast *ast) {
    static const char *const ops[] = {"=", ",", "++", "--", NULL};
    return ast->kind == AST_CONDITIONAL || ast->kind == AST_COMPOUND_ASSIGN ||
           ast->kind == AST_OTHER ||
           ((ast->kind == AST_BINARY || ast->kind == AST_UNARY) && text_is_one_of(ast->op, ops));
}

struct ast *cxx_bind(struct clang_reader *reader, CXCursor value, CXType wanted) {
    struct ast *ast = reader_expression(reader, value);
    CXType target = clang_getCanonicalType(wanted);
    CXType to = clang_getCanonicalType(clang_getPointeeType(target));
    const struct type *type = reader_type(reader, to);
    if (ast->type == type && cxx_is_place(ast))
        return cxx_address_of(reader, ast);
    bool takes_values = target.kind == CXType_RValueReference || clang_isConstQualifiedType(to);
    if (!takes_values || may_be_place(ast) || type->kind == TYPE_FUNCTION ||
        type->kind == TYPE_ARRAY || !cxx_is_value(reader, to)) {
        cxx_refuse(reader, value, "what this reference is bound to");
        return ast;
    }
    struct ast *literal = cxx_make(reader, AST_COMPOUND_LITERAL, ast, type, 1);
    literal->kids[0] = ast;
    return cxx_address_of(reader, literal);
}

/* False: it has a call, of which something might have to stay where the other one goes. */
static bool mark_unwritten(struct ast *ast) {
    bool is_fine = ast == NULL || ast->kind != AST_CALL;
    if (ast != NULL)
        ast->is_unwritten = true;
    for (int i = 0; ast != NULL && i < ast->kid_count; i++)
        is_fine = mark_unwritten(ast->kids[i]) && is_fine;
    return is_fine;
}

/* The value that a parameter has where it is left out; the null cursor: not found. */
static CXCursor default_of(struct clang_reader *reader, CXCursor callee, int index) {
    CXCursor declared[] = {callee, clang_getCanonicalCursor(callee),
                           clang_getCursorDefinition(callee)};
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        if (clang_Cursor_isNull(declared[i]))
            continue;
        CXCursor parameter = clang_Cursor_getArgument(declared[i], (unsigned)index);
        struct cursors kids = reader_children(reader, parameter);
        if (kids.count > 0 && clang_isExpression(clang_getCursorKind(kids.items[kids.count - 1])))
            return kids.items[kids.count - 1];
    }
    return clang_getNullCursor();
}

static void add_argument(struct clang_reader *reader, struct arguments *out, CXCursor call,
                         CXCursor value, CXType wanted, bool is_unwritten) {
    bool is_reference = wanted.kind != CXType_Invalid && cxx_is_reference(wanted);
    struct ast *ast =
        is_reference ? cxx_bind(reader, value, wanted) : reader_expression(reader, value);
    if (!is_reference && ast->type->kind == TYPE_RECORD)
        cxx_check_type(reader, value, clang_getCursorType(value));
    if (is_unwritten && !mark_unwritten(ast))
        cxx_refuse(reader, call, "an argument that is left out of this call");
    vec_push(&out->items, ast);
}

/* From argument `first` of the call on; `function`: the type of what is called. */
static void add_arguments(struct clang_reader *reader, struct arguments *out, CXCursor call,
                          CXCursor callee, CXType function, int first) {
    int count = clang_Cursor_getNumArguments(call), known = clang_getNumArgTypes(function);
    for (int i = first; i < count; i++) {
        CXCursor value = clang_Cursor_getArgument(call, (unsigned)i);
        int index = i - first;
        CXType none = {0}, wanted = none;
        if (index < known)
            wanted = clang_getCanonicalType(clang_getArgType(function, (unsigned)index));
        else
            wanted.kind = CXType_Invalid;
        bool is_default = cxx_is_left_out(value);
        if (is_default)
            value = default_of(reader, callee, index);
        if (clang_Cursor_isNull(value))
            cxx_refuse(reader, call, "an argument that is left out of this call");
        else
            add_argument(reader, out, call, value, wanted, is_default);
    }
}

/* Calls */

static struct ast *name_of(struct clang_reader *reader, CXCursor callee, CXCursor at) {
    struct ast *ast = reader_new(reader, AST_REFERENCE, at);
    ast->range.end = ast->range.begin;
    ast->declaration = reader_declaration(reader, callee);
    ast->name = ast->declaration->name;
    ast->type = ast->declaration->type;
    return ast;
}

/* `pinned`: so many arguments are not between parentheses. */
static struct ast *finish(struct clang_reader *reader, CXCursor cursor, struct ast *callee,
                          struct arguments *arguments, CXType result, int pinned) {
    struct ast *call = reader_new(reader, AST_CALL, cursor);
    int count = (int)arguments->items.count;
    reader_kids(reader, call, count + 1);
    call->kids[0] = callee;
    for (int i = 0; i < count; i++)
        call->kids[i + 1] = arguments->items.items[i];
    call->pinned = pinned;
    call->type = reader_type(reader, result);
    vec_dispose(&arguments->items);
    if (cxx_is_reference(result))
        return cxx_pointed_to(reader, call);
    if (call->type->kind == TYPE_RECORD)
        cxx_check_type(reader, cursor, result);
    return call;
}

static CXType function_type(CXCursor callee) {
    return clang_getCanonicalType(clang_getCursorType(callee));
}

static bool is_operator(struct clang_reader *reader, CXCursor callee) {
    const char *name = reader_text(reader, clang_getCursorSpelling(callee));
    return text_has_prefix(name, "operator") && !isalnum((unsigned char)name[8]) && name[8] != '_';
}

/* The header that declares it. */
static const char *header_of(struct clang_reader *reader, CXCursor cursor) {
    CXFile file = NULL;
    clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
    return path_base(reader_text(reader, clang_getFileName(file)));
}

/* What C has as well, for each type once. */
static bool is_of_c(struct clang_reader *reader, CXCursor callee) {
    static const char *const headers[] = {"cmath",  "std_abs.h", "cstdlib",  "cstring",
                                          "math.h", "stdlib.h",  "string.h", NULL};
    const char *symbol = cxx_symbol(reader, callee); /* fscanf is __isoc99_fscanf for the linker */
    return symbol == NULL || !text_has_prefix(symbol, "_Z") ||
           text_is_one_of(header_of(reader, callee), headers);
}

/* std::min and std::max of numbers: a value. */
static struct ast *choice(struct clang_reader *reader, CXCursor cursor) {
    static const char *const names[] = {"min", "max", NULL};
    CXCursor callee = clang_getCursorReferenced(cursor);
    struct ast *ast = other(reader, cursor);
    bool is_number = ast->type->kind == TYPE_INTEGER || ast->type->kind == TYPE_FLOATING ||
                     ast->type->kind == TYPE_CHARACTER;
    if (!text_is_one_of(reader_text(reader, clang_getCursorSpelling(callee)), names) ||
        !is_number || clang_Cursor_getNumArguments(cursor) != 2)
        return NULL;
    reader_kids(reader, ast, 2);
    for (int i = 0; i < 2; i++)
        ast->kids[i] = reader_expression(reader, clang_Cursor_getArgument(cursor, (unsigned)i));
    return ast;
}

static struct ast *first_expression(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    for (int i = 0; i < kids.count; i++)
        if (clang_isExpression(clang_getCursorKind(kids.items[i])))
            return reader_expression(reader, kids.items[i]);
    return NULL;
}

static struct ast *function_call(struct clang_reader *reader, CXCursor cursor, CXCursor callee) {
    struct arguments arguments = {0};
    bool by_operator = is_operator(reader, callee);
    if (by_operator && cxx_writes_stream(cursor))
        return cxx_output(reader, cursor);
    if (reader_is_of_the_system(callee) && !is_of_c(reader, callee)) {
        struct ast *chosen = choice(reader, cursor);
        if (chosen == NULL)
            chosen = cxx_library_call(reader, cursor, callee);
        return chosen != NULL ? chosen
                              : refused(reader, cursor, "this function of the C++ library");
    }
    if (cxx_is_instance(callee))
        cxx_use_instance(reader, cursor, callee);
    struct ast *name =
        by_operator ? name_of(reader, callee, cursor) : first_expression(reader, cursor);
    if (name == NULL || name->kind != AST_REFERENCE)
        return refused(reader, cursor, "this call");
    add_arguments(reader, &arguments, cursor, callee, function_type(callee), 0);
    int pinned = by_operator ? (int)arguments.items.count : 0;
    return finish(reader, cursor, name, &arguments, clang_getCursorResultType(callee), pinned);
}

/* What a function returns is one as well, until the statement ends. */
static struct ast *address_of_object(struct clang_reader *reader, CXCursor at, struct ast *object) {
    if (!cxx_is_place(object) && object->kind != AST_CALL)
        cxx_refuse(reader, at, "this object");
    return cxx_address_of(reader, object);
}

/* In front of a method's name; behind it may stand arguments of a template. */
static struct ast *first_object(struct clang_reader *reader, CXCursor member) {
    struct cursors kids = reader_children(reader, member);
    for (int i = 0; i < kids.count; i++) {
        CXType type = clang_getCanonicalType(clang_getCursorType(kids.items[i]));
        CXType to = clang_getCanonicalType(clang_getPointeeType(type));
        bool is_object = type.kind == CXType_Record || to.kind == CXType_Record;
        if (is_object && clang_isExpression(clang_getCursorKind(kids.items[i])))
            return reader_expression(reader, kids.items[i]);
    }
    return NULL;
}

/* The address of what a method is called for. */
static struct ast *object_of(struct clang_reader *reader, CXCursor call, CXCursor written) {
    if (clang_isExpression(clang_getCursorKind(written)) &&
        clang_getCursorKind(written) != CXCursor_MemberRefExpr)
        return address_of_object(reader, written, reader_expression(reader, written));
    struct ast *base = first_object(reader, written);
    if (base == NULL) {
        struct ast *object = cxx_object(reader, call);
        object->range.end = object->range.begin;
        return object;
    }
    return base->type->kind == TYPE_POINTER ? base : address_of_object(reader, call, base);
}

static struct ast *assignment(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = reader_new(reader, AST_BINARY, cursor);
    ast->op = "=";
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    reader_kids(reader, ast, 2);
    for (int i = 0; i < 2; i++)
        ast->kids[i] = reader_expression(reader, clang_Cursor_getArgument(cursor, (unsigned)i));
    if (!cxx_is_place(ast->kids[0]))
        cxx_refuse(reader, cursor, "this assignment");
    return ast;
}

static struct ast *method_call(struct clang_reader *reader, CXCursor cursor, CXCursor callee) {
    struct cursors kids = reader_children(reader, cursor);
    struct arguments arguments = {0};
    CXCursor first = kids.count > 0 ? kids.items[0] : clang_getNullCursor();
    CXType class = clang_getCursorType(clang_getCursorSemanticParent(callee));
    bool converts = clang_getCursorKind(callee) == CXCursor_ConversionFunction;
    bool by_operator = !converts && is_operator(reader, callee);
    const char *name = reader_text(reader, clang_getCursorSpelling(callee));
    if (reader_is_of_the_system(callee)) {
        if (cxx_writes_stream(cursor) || cxx_writes_stream(first) ||
            cxx_sets_stream(reader, cursor))
            return cxx_output(reader, cursor);
        if (strcmp(name, "operator=") == 0 && cxx_is_c_record(reader, class))
            return assignment(reader, cursor);
        struct ast *ast = cxx_library_call(reader, cursor, callee);
        return ast != NULL ? ast : refused(reader, cursor, "this method of the C++ library");
    }
    if (strcmp(name, "operator=") == 0 && !cxx_is_own(callee))
        return cxx_assigns_bytes(reader, class) ? assignment(reader, cursor)
                                                : refused(reader, cursor, "this assignment");
    if ((clang_getCursorKind(callee) != CXCursor_CXXMethod &&
         clang_getCursorKind(callee) != CXCursor_ConversionFunction) ||
        (!clang_Cursor_isNull(clang_getSpecializedCursorTemplate(callee)) &&
         !cxx_is_instance(callee)) ||
        !cxx_is_read(reader, callee))
        return refused(reader, cursor, "this call of a method");
    if (cxx_is_instance(callee))
        cxx_use_instance(reader, cursor, callee);
    int pinned = 0, own = 0;
    if (cxx_has_object(callee)) {
        CXCursor written = by_operator ? clang_Cursor_getArgument(cursor, 0) : first;
        vec_push(&arguments.items, object_of(reader, cursor, written));
        own = by_operator;
        pinned = 1;
    }
    add_arguments(reader, &arguments, cursor, callee, function_type(callee), own);
    if (by_operator)
        pinned = (int)arguments.items.count;
    struct ast *called = clang_Cursor_isDynamicCall(cursor) ? cxx_virtual(reader, callee, cursor)
                                                            : name_of(reader, callee, cursor);
    struct ast *ast =
        finish(reader, cursor, called, &arguments, clang_getCursorResultType(callee), pinned);
    if (converts) /* `x` alone would not call it */
        (ast->kind == AST_CALL ? ast : ast->kids[0])->is_unwritten = true;
    return ast;
}

/* `(object.*method)(...)` */
static struct ast *method_pointer_call(struct clang_reader *reader, CXCursor cursor,
                                       CXCursor operation) {
    struct cursors kids = reader_children(reader, operation);
    CXString spelled =
        clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(operation));
    bool is_arrow = strcmp(clang_getCString(spelled), "->*") == 0;
    clang_disposeString(spelled);
    struct arguments arguments = {0};
    if (kids.count != 2 || !cxx_is_method_pointer(clang_getCursorType(kids.items[1])))
        return refused(reader, cursor, "this call");
    CXType type = clang_getCanonicalType(clang_getCursorType(kids.items[1]));
    type = clang_getCanonicalType(clang_getPointeeType(type));
    struct ast *object = reader_expression(reader, kids.items[0]);
    vec_push(&arguments.items,
             is_arrow ? object : address_of_object(reader, kids.items[0], object));
    add_arguments(reader, &arguments, cursor, clang_getNullCursor(), type, 0);
    return finish(reader, cursor, reader_expression(reader, kids.items[1]), &arguments,
                  clang_getResultType(type), 1);
}

static struct ast *pointer_call(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    struct arguments arguments = {0};
    if (kids.count == 0 || !clang_isExpression(clang_getCursorKind(kids.items[0])))
        return refused(reader, cursor, "this call");
    CXCursor called = kids.items[0];
    while (clang_getCursorKind(called) == CXCursor_ParenExpr)
        called = reader_children(reader, called).items[0];
    if (clang_getCursorKind(called) == CXCursor_BinaryOperator)
        return method_pointer_call(reader, cursor, called);
    CXType type = clang_getCanonicalType(clang_getCursorType(kids.items[0]));
    if (type.kind == CXType_Pointer)
        type = clang_getCanonicalType(clang_getPointeeType(type));
    if (type.kind != CXType_FunctionProto)
        return refused(reader, cursor, "this call");
    struct ast *callee = reader_expression(reader, kids.items[0]);
    add_arguments(reader, &arguments, cursor, clang_getNullCursor(), type, 0);
    return finish(reader, cursor, callee, &arguments, clang_getResultType(type), 0);
}

/* An object that lasts until the statement ends. */
static struct ast *temporary(struct clang_reader *reader, CXCursor cursor) {
    CXType type = clang_getCursorType(cursor);
    struct ast *ast = reader_new(reader, AST_COMPOUND_LITERAL, cursor);
    ast->type = reader_type(reader, type);
    reader_kids(reader, ast, 1);
    ast->kids[0] = cxx_constructed(reader, cursor, type, cursor, true);
    return ast;
}

/* Of plain classes: a copy is the value, `T()` one of zeros. */
static struct ast *construction(struct clang_reader *reader, CXCursor cursor, CXCursor callee) {
    if (reader_is_of_the_system(callee) && !cxx_is_c_record(reader, clang_getCursorType(cursor)))
        return cxx_library_construction(reader, cursor);
    if (!cxx_is_plain(reader, clang_getCursorType(cursor)) &&
        !cxx_is_class(reader, clang_getCursorType(cursor)))
        return refused(reader, cursor,
                       "this object, whose class is none of those that are followed,");
    if (!cxx_is_plain(reader, clang_getCursorType(cursor)) &&
        !(cxx_copies_bytes(reader, clang_getCursorType(cursor)) && !cxx_is_own(callee) &&
          !cxx_has_end(reader, clang_getCursorType(cursor)) &&
          clang_Cursor_getNumArguments(cursor) == 1))
        return temporary(reader, cursor);
    if (clang_Cursor_getNumArguments(cursor) == 1 &&
        (clang_CXXConstructor_isCopyConstructor(callee) ||
         clang_CXXConstructor_isMoveConstructor(callee)))
        return reader_expression(reader, clang_Cursor_getArgument(cursor, 0));
    if (clang_Cursor_getNumArguments(cursor) > 0)
        cxx_refuse(reader, cursor, "this constructor");
    struct ast *ast = reader_new(reader, AST_INIT_LIST, cursor);
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    ast->is_unwritten = true;
    return cxx_holds_library(clang_getCursorType(cursor))
               ? cxx_library_objects(reader, ast, clang_getCursorType(cursor))
               : ast;
}

struct ast *cxx_call(struct clang_reader *reader, CXCursor cursor) {
    CXCursor callee = clang_getCursorReferenced(cursor);
    switch (clang_getCursorKind(callee)) {
    case CXCursor_FunctionDecl:
        return function_call(reader, cursor, callee);
    case CXCursor_CXXMethod:
    case CXCursor_ConversionFunction:
    case CXCursor_Destructor:
        return method_call(reader, cursor, callee);
    case CXCursor_Constructor:
        return construction(reader, cursor, callee);
    case CXCursor_VarDecl:
    case CXCursor_ParmDecl:
    case CXCursor_FieldDecl:
    case CXCursor_InvalidFile:
    case CXCursor_NoDeclFound:
        return pointer_call(reader, cursor);
    default:
        return clang_Cursor_isNull(callee) ? pointer_call(reader, cursor)
                                           : refused(reader, cursor, "this call");
    }
}

/* Calls that nobody wrote */

static struct ast *unwritten_call(struct clang_reader *reader, struct ast *callee, CXCursor of,
                                  struct arguments *arguments) {
    int count = (int)arguments->items.count;
    struct ast *call = cxx_make(reader, AST_CALL, arguments->items.items[0],
                                reader_type(reader, clang_getCursorResultType(of)), count + 1);
    callee->range = call->range;
    callee->range.end = callee->range.begin;
    call->kids[0] = callee;
    for (int i = 0; i < count; i++)
        call->kids[i + 1] = arguments->items.items[i];
    call->pinned = count;
    call->is_unwritten = true;
    vec_dispose(&arguments->items);
    return call;
}

static void add_left_out(struct clang_reader *reader, struct arguments *out, CXCursor callee,
                         int first) {
    int count = clang_Cursor_getNumArguments(callee);
    for (int i = first; i < count; i++) {
        CXCursor value = default_of(reader, callee, i);
        CXType wanted =
            clang_getCanonicalType(clang_getArgType(function_type(callee), (unsigned)i));
        if (clang_Cursor_isNull(value))
            cxx_refuse(reader, callee, "an argument that is left out of calls of this function");
        else
            add_argument(reader, out, callee, value, wanted, true);
    }
}

struct ast *cxx_own_call(struct clang_reader *reader, CXCursor callee, struct ast *object) {
    struct arguments arguments = {0};
    vec_push(&arguments.items, object);
    add_left_out(reader, &arguments, callee, 0);
    return unwritten_call(reader, name_of(reader, callee, callee), callee, &arguments);
}

struct ast *cxx_copy_call(struct clang_reader *reader, CXCursor callee, struct ast *object,
                          struct ast *from) {
    struct arguments arguments = {0};
    vec_push(&arguments.items, object);
    vec_push(&arguments.items, from);
    add_left_out(reader, &arguments, callee, 1);
    return unwritten_call(reader, name_of(reader, callee, callee), callee, &arguments);
}

struct ast *cxx_virtual_end(struct clang_reader *reader, CXCursor at, CXCursor destructor,
                            struct ast *object) {
    struct arguments arguments = {0};
    vec_push(&arguments.items, object);
    return unwritten_call(reader, cxx_virtual(reader, destructor, at), destructor, &arguments);
}

struct ast *cxx_constructor_call(struct clang_reader *reader, CXCursor written, CXCursor callee,
                                 struct ast *object) {
    struct arguments arguments = {0};
    if (!clang_Cursor_isNull(clang_getSpecializedCursorTemplate(callee)))
        return refused(reader, written, "this call of a template");
    vec_push(&arguments.items, object);
    add_arguments(reader, &arguments, written, callee, function_type(callee), 0);
    struct ast *call = finish(reader, written, name_of(reader, callee, written), &arguments,
                              clang_getCursorResultType(callee), 1);
    call->is_unwritten = true; /* its statement stays as a whole */
    return call;
}
