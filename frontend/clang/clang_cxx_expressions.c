/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions of C++. A reference is a pointer that is followed where it is named: what is not
 * written (`*`, `&`, `this`) has the text of its operand, or none.
 *
 * libclang's traps: conversions, temporaries and value initialisation are all "unexposed"; which of
 * them it is tells the types in and around it.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/str.h"

#include <string.h>

struct ast *cxx_make(struct clang_reader *reader, enum ast_kind kind, const struct ast *like,
                     const struct type *type, int kid_count) {
    struct ast *ast = ARENA_NEW(&reader->program->arena, struct ast);
    ast->kind = kind;
    ast->range = like->range;
    ast->line = like->line;
    ast->from_macro = like->from_macro;
    ast->in_macro_arg = like->in_macro_arg;
    ast->type = type;
    reader_kids(reader, ast, kid_count);
    return ast;
}

static const struct type *pointer_to(struct clang_reader *reader, const struct type *element) {
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    *type = (struct type){.kind = TYPE_POINTER,
                          .size_bytes = (long long)sizeof(void *),
                          .element = element,
                          .name = arena_printf(&reader->program->arena, "%s *", element->name)};
    return type;
}

/* Written as its operand is. */
static bool is_hidden(const struct ast *ast, const char *op) {
    return ast->kind == AST_UNARY && strcmp(ast->op, op) == 0 &&
           memcmp(&ast->range, &ast->kids[0]->range, sizeof ast->range) == 0;
}

struct ast *cxx_address_of(struct clang_reader *reader, struct ast *place) {
    if (is_hidden(place, "*"))
        return place->kids[0];
    struct ast *ast = cxx_make(reader, AST_UNARY, place, pointer_to(reader, place->type), 1);
    ast->op = "&";
    ast->kids[0] = place;
    return ast;
}

struct ast *cxx_pointed_to(struct clang_reader *reader, struct ast *pointer) {
    struct ast *ast = cxx_make(reader, AST_UNARY, pointer, pointer->type->element, 1);
    ast->op = "*";
    ast->kids[0] = pointer;
    return ast;
}

struct ast *cxx_object(struct clang_reader *reader, CXCursor at) {
    struct ast *ast = reader_new(reader, AST_REFERENCE, at);
    ast->declaration = reader->object_parameter;
    ast->name = "this";
    ast->type = ast->declaration != NULL ? ast->declaration->type : NULL;
    if (ast->declaration == NULL) {
        cxx_refuse(reader, at, "this use of an object");
        ast->kind = AST_OTHER;
        ast->type = reader_type(reader, clang_getCursorType(at));
    }
    return ast;
}

bool cxx_is_place(const struct ast *ast) {
    switch (ast->kind) {
    case AST_REFERENCE:
        return ast->declaration->kind == DECLARATION_VARIABLE;
    case AST_COMPOUND_LITERAL:
    case AST_STRING:
        return true;
    case AST_UNARY:
        return strcmp(ast->op, "*") == 0;
    case AST_MEMBER:
        return ast->arrow || (ast->kid_count > 0 && cxx_is_place(ast->kids[0]));
    case AST_SUBSCRIPT: /* of a container its elements are, whatever it is itself */
        return ast->kids[0]->type->kind != TYPE_ARRAY || cxx_is_place(ast->kids[0]);
    default:
        return false;
    }
}

static CXCursor only_expression(struct clang_reader *reader, CXCursor cursor, int *count) {
    struct cursors kids = reader_children(reader, cursor);
    CXCursor last = clang_getNullCursor();
    *count = 0;
    for (int i = 0; i < kids.count; i++)
        if (clang_isExpression(clang_getCursorKind(kids.items[i]))) {
            last = kids.items[i];
            ++*count;
        }
    return last;
}

static CXType value_type(CXCursor cursor) {
    return clang_getUnqualifiedType(clang_getCanonicalType(clang_getCursorType(cursor)));
}

static CXType pointee(CXType type) {
    CXType to = clang_getCanonicalType(clang_getPointeeType(type));
    return clang_getUnqualifiedType(to);
}

static bool is_number(CXType type) {
    return (type.kind >= CXType_Bool && type.kind <= CXType_LongDouble) ||
           type.kind == CXType_Enum || type.kind == CXType_Float128 ||
           type.kind == CXType_Float16 || type.kind == CXType_Half;
}

static bool is_address(CXType type) {
    return type.kind == CXType_Pointer || type.kind == CXType_NullPtr ||
           type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray || type.kind == CXType_FunctionProto;
}

/* As C converts: between numbers, from arrays and functions to pointers, of pointers to void *; or
 * from a class to its base. */
static bool is_conversion_of_c(struct clang_reader *reader, CXType from, CXType to) {
    if (from.kind == CXType_MemberPointer || to.kind == CXType_MemberPointer)
        return cxx_is_method_pointer(to) &&
               (clang_equalTypes(from, to) || from.kind == CXType_NullPtr);
    if (from.kind == CXType_Record || to.kind == CXType_Record)
        return clang_equalTypes(from, to) != 0;
    if (from.kind == CXType_Pointer && to.kind == CXType_Pointer) {
        CXType a = pointee(from), b = pointee(to);
        return a.kind != CXType_Record || b.kind != CXType_Record || clang_equalTypes(a, b) ||
               cxx_inherits(reader, a, b);
    }
    if (is_address(from) && is_number(to))
        return to.kind == CXType_Bool;
    return true;
}

static struct ast *constant(struct clang_reader *reader, CXCursor cursor, long long value) {
    struct ast *ast = reader_new(reader, AST_CONSTANT, cursor);
    ast->has_value = true;
    ast->value = value;
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    return ast;
}

static bool evaluates(CXCursor cursor, long long *value) {
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    bool is_known = result != NULL && clang_EvalResult_getKind(result) == CXEval_Int;
    if (is_known)
        *value = clang_EvalResult_getAsLongLong(result);
    if (result != NULL)
        clang_EvalResult_dispose(result);
    return is_known;
}

static struct ast *refused(struct clang_reader *reader, CXCursor cursor, const char *what) {
    struct ast *ast = reader_new(reader, AST_OTHER, cursor);
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    cxx_refuse(reader, cursor, what);
    return ast;
}

/* `int()`, and elements of a list that are not there. */
static bool is_zero(struct clang_reader *reader, CXCursor cursor) {
    struct range range = reader_range(reader, cursor, NULL);
    CXType type = value_type(cursor);
    if (range.file < 0 || (!is_number(type) && type.kind != CXType_Pointer))
        return range.file < 0 && is_number(type);
    const char *text = reader->program->files.items[range.file]->text;
    return range.end <= range.begin + 1 || strncmp(text + range.end - 2, "()", 2) == 0;
}

static bool names_type(CXType type, const char *name) {
    CXString text = clang_getCursorSpelling(clang_getTypeDeclaration(type));
    bool is = type.kind == CXType_Record && strcmp(clang_getCString(text), name) == 0;
    clang_disposeString(text);
    return is;
}

/* `{1, 2, 3}`, however it is wrapped. */
static bool is_list(struct clang_reader *reader, CXCursor cursor) {
    int count = 1;
    while (clang_getCursorKind(cursor) == CXCursor_UnexposedExpr && count == 1)
        cursor = only_expression(reader, cursor, &count);
    return clang_getCursorKind(cursor) == CXCursor_InitListExpr;
}

static struct ast *base_of(struct clang_reader *reader, CXCursor cursor, CXCursor inner) {
    struct ast *object = reader_expression(reader, inner);
    if (!cxx_is_place(object))
        return refused(reader, cursor, "this conversion");
    return cxx_as(reader, object, clang_getCursorType(cursor));
}

static struct ast *unexposed(struct clang_reader *reader, CXCursor cursor) {
    int count;
    long long value = 0;
    CXCursor inner = only_expression(reader, cursor, &count);
    if (count == 0 && is_zero(reader, cursor))
        return constant(reader, cursor, 0);
    if (count == 0 && evaluates(cursor, &value))
        return constant(reader, cursor, value);
    if (count != 1)
        return refused(reader, cursor, "this expression");
    if (names_type(value_type(cursor), "initializer_list") && is_list(reader, inner))
        return reader_expression(reader, inner);
    if (cxx_is_stream(value_type(inner)) && cxx_is_stream(value_type(cursor)))
        return reader_wrapped(reader, cursor, inner);
    if (cxx_inherits(reader, value_type(inner), value_type(cursor)))
        return base_of(reader, cursor, inner);
    if (!is_conversion_of_c(reader, value_type(inner), value_type(cursor)))
        return refused(reader, cursor, "this conversion");
    return reader_wrapped(reader, cursor, inner);
}

/* Only its address can be taken. */
static bool is_read_method(struct clang_reader *reader, CXCursor method) {
    return clang_getCursorKind(method) == CXCursor_CXXMethod &&
           !clang_CXXMethod_isVirtual(method) && cxx_is_read(reader, method);
}

static struct ast *reference(struct clang_reader *reader, CXCursor cursor) {
    CXCursor target = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(target);
    bool is_static_method = kind == CXCursor_CXXMethod && clang_CXXMethod_isStatic(target);
    /* A template's number, of each instance another one: libclang names nothing. */
    if (clang_Cursor_isNull(target) && is_number(value_type(cursor)) &&
        reader_children(reader, cursor).count == 1) {
        struct ast *number = reader_new(reader, AST_OTHER, cursor);
        number->type = reader_type(reader, clang_getCursorType(cursor));
        return number;
    }
    if (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl && kind != CXCursor_FunctionDecl &&
        kind != CXCursor_EnumConstantDecl && !is_static_method && !is_read_method(reader, target))
        return refused(reader, cursor, "this name");
    struct ast *ast = reader_c_expression(reader, cursor);
    if (cxx_is_instance(target))
        cxx_use_instance(reader, cursor, target);
    if ((kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) &&
        cxx_is_reference(clang_getCursorType(target))) {
        ast->type = ast->declaration->type;
        return cxx_pointed_to(reader, ast);
    }
    return ast;
}

static struct ast *member(struct clang_reader *reader, CXCursor cursor) {
    CXCursor target = clang_getCursorReferenced(cursor);
    int count;
    only_expression(reader, cursor, &count);
    if (clang_getCursorKind(target) == CXCursor_VarDecl && count == 0) { /* static */
        struct ast *ast = reader_new(reader, AST_REFERENCE, cursor);
        ast->declaration = reader_declaration(reader, target);
        ast->name = ast->declaration->name;
        ast->type = ast->declaration->type;
        return ast;
    }
    if (clang_getCursorKind(target) != CXCursor_FieldDecl || count > 1)
        return refused(reader, cursor, "this member");
    struct ast *ast = reader_c_expression(reader, cursor);
    if (count == 0) {
        struct ast *object = cxx_object(reader, cursor);
        object->range.end = object->range.begin;
        reader_kids(reader, ast, 1);
        ast->kids[0] = object;
        ast->arrow = true;
    }
    if (!cxx_is_reference(clang_getCursorType(target)))
        return ast;
    ast->type = reader_type(reader, clang_getCursorType(target));
    return cxx_pointed_to(reader, ast);
}

static bool changes(const struct ast *ast) {
    if (ast->kind == AST_COMPOUND_ASSIGN || ast_is_assignment(ast))
        return true;
    return ast->kind == AST_UNARY && (strstr(ast->op, "++") != NULL ||
                                      strstr(ast->op, "--") != NULL || strcmp(ast->op, "&") == 0);
}

/* In C++ more is a place than in C: `(a ? b : c) = 1`, `++ ++n`. */
static struct ast *operation(struct clang_reader *reader, CXCursor cursor) {
    static const char *const others[] = {".*", "->*", "<=>", NULL};
    struct ast *ast = reader_c_expression(reader, cursor);
    bool is_function = ast->kid_count > 0 && ast->kids[0]->kind == AST_REFERENCE &&
                       ast->kids[0]->declaration->kind == DECLARATION_FUNCTION;
    bool is_method =
        is_function && strcmp(ast->op, "&") == 0 && cxx_is_method_pointer(value_type(cursor));
    if ((value_type(cursor).kind == CXType_MemberPointer && !is_method &&
         !ast_is_assignment(ast)) ||
        ast->op == NULL || text_is_one_of(ast->op, others) ||
        (changes(ast) && !is_function && !cxx_is_place(ast->kids[0])))
        cxx_refuse(reader, cursor, "this operation");
    return ast;
}

/* `(int &)x`, which is a place: the type as it is written, also in a macro. */
static bool names_reference(struct clang_reader *reader, CXCursor cast) {
    size_t length = 0;
    const char *text = reader_written_at(cast, &length);
    struct cursors kids = reader_children(reader, cast);
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_TypeRef &&
            cxx_is_reference(clang_getCursorType(kids.items[i])))
            return true;
    bool is_call = clang_getCursorKind(cast) == CXCursor_CXXFunctionalCastExpr;
    if (text == NULL) /* a macro of the compiler's: `T(x)` names T, which was looked at */
        return !is_call;
    bool is_c_style = text[0] == '(';
    if (!is_c_style && is_call)
        return false;
    const char *open = is_c_style ? text : memchr(text, '<', length);
    int depth = 0;
    for (const char *at = open; at != NULL && at < text + length; at++) {
        depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
        if (*at == '&' || depth == 0)
            return *at == '&';
    }
    return true;
}

static struct ast *cast(struct clang_reader *reader, CXCursor cursor) {
    int count;
    CXCursor inner = only_expression(reader, cursor, &count);
    CXType to = value_type(cursor);
    if (count == 1 && to.kind == CXType_Record && clang_equalTypes(to, value_type(inner)))
        return reader_wrapped(reader, cursor, inner); /* T(3) is made of 3 */
    if (count != 1 || to.kind == CXType_Record || to.kind == CXType_MemberPointer ||
        value_type(inner).kind == CXType_Record || value_type(inner).kind == CXType_MemberPointer ||
        (to.kind == CXType_Pointer && value_type(inner).kind == CXType_Pointer &&
         !is_conversion_of_c(reader, value_type(inner), to) &&
         !is_conversion_of_c(reader, to, value_type(inner)) &&
         clang_getCursorKind(cursor) != CXCursor_CXXReinterpretCastExpr))
        return refused(reader, cursor, "this cast");
    struct ast *ast = reader_new(reader, AST_CAST, cursor);
    reader_kids(reader, ast, 1);
    ast->kids[0] = reader_expression(reader, inner);
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    if (ast->kids[0]->kind != AST_CONSTANT && names_reference(reader, cursor))
        cxx_refuse(reader, cursor, "this cast");
    return ast;
}

static struct ast *truth(struct clang_reader *reader, CXCursor cursor) {
    size_t length = 0;
    const char *text = reader_written_at(cursor, &length);
    return constant(reader, cursor, text != NULL && length >= 4 && strncmp(text, "true", 4) == 0);
}

static struct ast *list(struct clang_reader *reader, CXCursor cursor) {
    if (!cxx_is_plain(reader, clang_getCursorType(cursor)))
        return refused(reader, cursor, "this list of values for a class");
    return reader_c_expression(reader, cursor);
}

struct ast *cxx_expression(struct clang_reader *reader, CXCursor cursor) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        return unexposed(reader, cursor);
    case CXCursor_DeclRefExpr:
        return reference(reader, cursor);
    case CXCursor_MemberRefExpr:
        return member(reader, cursor);
    case CXCursor_UnaryOperator:
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return operation(reader, cursor);
    case CXCursor_CStyleCastExpr:
    case CXCursor_CXXStaticCastExpr:
    case CXCursor_CXXReinterpretCastExpr:
    case CXCursor_CXXConstCastExpr:
    case CXCursor_CXXFunctionalCastExpr:
        return cast(reader, cursor);
    case CXCursor_CallExpr:
        return cxx_call(reader, cursor);
    case CXCursor_CXXNewExpr:
        return cxx_new(reader, cursor);
    case CXCursor_CXXDeleteExpr:
        return cxx_delete(reader, cursor);
    case CXCursor_CXXThisExpr:
        return cxx_object(reader, cursor);
    case CXCursor_CXXBoolLiteralExpr:
        return truth(reader, cursor);
    case CXCursor_CXXNullPtrLiteralExpr:
    case CXCursor_GNUNullExpr:
        return constant(reader, cursor, 0);
    case CXCursor_InitListExpr:
    case CXCursor_CompoundLiteralExpr:
        return list(reader, cursor);
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_ConditionalOperator:
    case CXCursor_UnaryExpr:
    case CXCursor_StringLiteral:
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
        return reader_c_expression(reader, cursor);
    case CXCursor_CXXThrowExpr:
        return cxx_throw(reader, cursor);
    case CXCursor_LambdaExpr:
        return refused(reader, cursor, "this lambda");
    default:
        return refused(reader, cursor, "this expression");
    }
}
