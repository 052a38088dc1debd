/* SPDX-License-Identifier: Apache-2.0
 *
 * Expressions: libclang's cursors -> struct ast.
 *
 * libclang's traps: implicit casts and a few real expressions are both "unexposed"; one child means
 * a cast, more mean an expression that it has no name for (va_arg, offsetof, a designated element).
 * Operators are known since libclang 17 (binary) and 19 (unary).
 */
#include "frontend/clang/clang_cxx.h"
#include "frontend/program/names.h"

#include <stdio.h>
#include <string.h>

bool reader_is_sized_type(struct clang_reader *reader, CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_TypedefDecl &&
           type_is_variably_modified(
               reader_type(reader, clang_getTypedefDeclUnderlyingType(cursor)));
}

struct ast *reader_dimension(struct clang_reader *reader, CXCursor cursor) {
    CXCursor type = clang_getCursorKind(cursor) == CXCursor_TypeRef
                        ? clang_getCursorReferenced(cursor)
                        : clang_getNullCursor();
    if (clang_isExpression(clang_getCursorKind(cursor)))
        return reader_expression(reader, cursor);
    if (!reader_is_sized_type(reader, type))
        return NULL;
    struct ast *ast = reader_new(reader, AST_REFERENCE, cursor);
    ast->declaration = reader_declaration(reader, type);
    ast->name = ast->declaration->name;
    ast->type = ast->declaration->type;
    return ast;
}

static void read_kids(struct clang_reader *reader, struct ast *ast, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    reader_kids(reader, ast, kids.count);
    ast->kid_count = 0;
    for (int i = 0; i < kids.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(kids.items[i]);
        struct ast *kid = clang_isStatement(kind) ? reader_statement(reader, kids.items[i])
                                                  : reader_dimension(reader, kids.items[i]);
        if (kid != NULL)
            ast->kids[ast->kid_count++] = kid;
    }
}

static void evaluate(struct ast *ast, CXCursor cursor) {
    CXEvalResult result = clang_Cursor_Evaluate(cursor);
    if (result != NULL && clang_EvalResult_getKind(result) == CXEval_Int) {
        ast->has_value = true;
        ast->value = clang_EvalResult_getAsLongLong(result);
    }
    if (result != NULL)
        clang_EvalResult_dispose(result);
}

/* Counts how often the macro uses the argument; see program_spelled_again. */
static void count_spelling(struct clang_reader *reader, const struct ast *ast) {
    vec_push(&reader->record->spelled, ast->range);
    program_count_spelling(reader->program, ast->range);
}

static struct ast *read_reference(struct clang_reader *reader, CXCursor cursor) {
    CXCursor target = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(target);
    bool known = kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl ||
                 kind == CXCursor_FunctionDecl || kind == CXCursor_EnumConstantDecl ||
                 kind == CXCursor_CXXMethod;
    struct ast *ast = reader_new(reader, known ? AST_REFERENCE : AST_OTHER, cursor);
    if (known) {
        ast->declaration = reader_declaration(reader, target);
        ast->name = ast->declaration->name;
        if (ast->in_macro_arg)
            count_spelling(reader, ast);
    }
    if (kind == CXCursor_EnumConstantDecl) {
        ast->kind = AST_CONSTANT;
        ast->has_value = true;
        ast->value = clang_getEnumConstantDeclValue(target);
    }
    return ast;
}

static struct ast *read_member(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = reader_new(reader, AST_MEMBER, cursor);
    ast->name = reader_text(reader, clang_getCursorSpelling(cursor));
    read_kids(reader, ast, cursor);
    long long bits = clang_Cursor_getOffsetOfField(clang_getCursorReferenced(cursor));
    ast->member_offset_bytes = bits >= 0 ? bits / 8 : -1;
    ast->arrow =
        ast->kid_count > 0 && ast->kids[0]->type != NULL &&
        (ast->kids[0]->type->kind == TYPE_POINTER || ast->kids[0]->type->kind == TYPE_ARRAY);
    return ast;
}

static struct ast *read_operator(struct clang_reader *reader, CXCursor cursor, enum ast_kind kind) {
    struct ast *ast = reader_new(reader, kind, cursor);
    if (kind == AST_UNARY) {
        enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(cursor);
        if (op == CXUnaryOperator_PostInc)
            ast->op = "p++";
        else if (op == CXUnaryOperator_PostDec)
            ast->op = "p--";
        else if (op == CXUnaryOperator_Extension)
            ast->op = "extension";
        else
            ast->op = reader_text(reader, clang_getUnaryOperatorKindSpelling(op));
    } else {
        ast->op = reader_text(
            reader, clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(cursor)));
    }
    read_kids(reader, ast, cursor);
    if (strcmp(ast->op, "-") == 0 && kind == AST_UNARY && ast->kids[0]->has_value) {
        ast->has_value = true;
        ast->value = -ast->kids[0]->value;
    }
    return ast;
}

static struct ast *read_simple(struct clang_reader *reader, CXCursor cursor, enum ast_kind kind) {
    struct ast *ast = reader_new(reader, kind, cursor);
    read_kids(reader, ast, cursor);
    return ast;
}

static struct ast *read_literal(struct clang_reader *reader, CXCursor cursor, enum ast_kind kind) {
    struct ast *ast = reader_new(reader, kind, cursor);
    enum CXCursorKind cursor_kind = clang_getCursorKind(cursor);
    if (cursor_kind == CXCursor_IntegerLiteral || cursor_kind == CXCursor_CharacterLiteral)
        evaluate(ast, cursor);
    if (kind == AST_STRING)
        ast->name = reader_text(reader, clang_getCursorSpelling(cursor));
    return ast;
}

/* With a parenthesis behind it, as macros need it: `(table.MPI_Send)(...)` is as good as any. */
static bool is_member_named_as_mpi(struct clang_reader *reader, const struct ast *callee) {
    if (callee->kind != AST_MEMBER || mpi_call_find(callee->name) == NULL)
        return false;
    const char *text = reader->program->files.items[callee->range.file]->text;
    const char *behind = text + callee->range.end;
    size_t length = strlen(callee->name);
    return callee->range.end - callee->range.begin > length &&
           strncmp(behind - length, callee->name, length) == 0 &&
           behind[strspn(behind, " \t\n\\")] == '(';
}

static struct ast *read_call(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = reader_new(reader, AST_CALL, cursor);
    read_kids(reader, ast, cursor);
    if (ast->kid_count > 0 && is_member_named_as_mpi(reader, ast->kids[0]))
        program_report_taken_name(reader->program, ast->kids[0]->range, ast->kids[0]->name);
    return ast;
}

static struct ast *read_sizeof(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = read_simple(reader, cursor, AST_SIZEOF);
    evaluate(ast, cursor);
    return ast;
}

struct clang_expressions_names {
    struct clang_reader *reader;
    VEC(struct ast *) found;
};

static enum CXChildVisitResult add_name(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct clang_expressions_names *names = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (names->reader->is_cxx &&
        (cxx_is_of_body(cursor, parent) || cxx_is_body(names->reader, cursor, parent)))
        return CXChildVisit_Continue;
    if (kind != CXCursor_DeclRefExpr && kind != CXCursor_TypeRef)
        return CXChildVisit_Recurse;
    struct ast *ast = kind == CXCursor_DeclRefExpr ? read_reference(names->reader, cursor)
                                                   : reader_dimension(names->reader, cursor);
    if (ast != NULL && ast->kind == AST_REFERENCE)
        ast->type = ast->declaration->type;
    if (ast != NULL && ast->kind == AST_REFERENCE)
        vec_push(&names->found, ast);
    return CXChildVisit_Continue;
}

struct ast *reader_named(struct clang_reader *reader, const CXCursor *cursors, int count) {
    struct clang_expressions_names names = {.reader = reader};
    struct ast *ast = NULL;
    for (int i = 0; i < count; i++)
        if (add_name(cursors[i], cursors[i], &names) == CXChildVisit_Recurse)
            clang_visitChildren(cursors[i], add_name, &names);
    if (names.found.count > 0) {
        ast = reader_new(reader, AST_SIZEOF, cursors[0]);
        ast->type = names.found.items[0]->type;
        ast->has_value = true; /* is not evaluated */
        reader_kids(reader, ast, (int)names.found.count);
        memcpy(ast->kids, names.found.items, names.found.count * sizeof *ast->kids);
    }
    vec_dispose(&names.found);
    return ast;
}

/* An element of an initialiser list such as `.n = 3` or `[2] = x`. */
static struct ast *read_designated(struct clang_reader *reader, CXCursor cursor,
                                   struct cursors kids) {
    struct ast *ast = reader_new(reader, AST_DESIGNATED, cursor);
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_MemberRef)
            ast->name = reader_text(reader, clang_getCursorSpelling(kids.items[i]));
    reader_kids(reader, ast, 1);
    ast->kids[0] = reader_expression(reader, kids.items[kids.count - 1]);
    ast->named = reader_named(reader, kids.items, kids.count - 1);
    return ast;
}

static struct ast *read_init_list(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = reader_new(reader, AST_INIT_LIST, cursor);
    struct cursors kids = reader_children(reader, cursor);
    reader_kids(reader, ast, kids.count);
    for (int i = 0; i < kids.count; i++) {
        struct cursors inner = reader_children(reader, kids.items[i]);
        bool unexposed = clang_getCursorKind(kids.items[i]) == CXCursor_UnexposedExpr;
        if (unexposed && inner.count > 1)
            ast->kids[i] = read_designated(reader, kids.items[i], inner);
        else
            ast->kids[i] = reader_expression(reader, kids.items[i]);
    }
    return ast;
}

struct ast *reader_wrapped(struct clang_reader *reader, CXCursor outer, CXCursor inner) {
    struct ast *ast = reader_expression(reader, inner);
    struct ast wide = {0};
    struct range range = reader_range(reader, outer, &wide);
    if (range.file == ast->range.file && range.begin <= ast->range.begin &&
        range.end >= ast->range.end) {
        ast->range = range;
        ast->from_macro = wide.from_macro;
        ast->in_macro_arg = wide.in_macro_arg;
    }
    return ast;
}

static struct ast *convert(struct clang_reader *reader, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    switch (kind) {
    case CXCursor_DeclRefExpr:
        return read_reference(reader, cursor);
    case CXCursor_MemberRefExpr:
        return read_member(reader, cursor);
    case CXCursor_ArraySubscriptExpr:
        return read_simple(reader, cursor, AST_SUBSCRIPT);
    case CXCursor_UnaryOperator:
        return read_operator(reader, cursor, AST_UNARY);
    case CXCursor_BinaryOperator:
        return read_operator(reader, cursor, AST_BINARY);
    case CXCursor_CompoundAssignOperator:
        return read_operator(reader, cursor, AST_COMPOUND_ASSIGN);
    case CXCursor_ConditionalOperator:
        return read_simple(reader, cursor, AST_CONDITIONAL);
    case CXCursor_CStyleCastExpr:
        return read_simple(reader, cursor, AST_CAST);
    case CXCursor_CallExpr:
        return read_call(reader, cursor);
    case CXCursor_InitListExpr:
        return read_init_list(reader, cursor);
    case CXCursor_CompoundLiteralExpr:
        return read_simple(reader, cursor, AST_COMPOUND_LITERAL);
    case CXCursor_UnaryExpr:
        return read_sizeof(reader, cursor);
    case CXCursor_StmtExpr:
        return read_simple(reader, cursor, AST_STATEMENT_EXPR);
    case CXCursor_StringLiteral:
        return read_literal(reader, cursor, AST_STRING);
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_ImaginaryLiteral:
        return read_literal(reader, cursor, AST_CONSTANT);
    default:
        return read_simple(reader, cursor, AST_OTHER);
    }
}

static bool is_argument_list(CXCursor cursor) {
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    CXString name = clang_getTypeSpelling(type);
    bool found = strstr(clang_getCString(name), "__va_list") != NULL;
    clang_disposeString(name);
    return found;
}

/* va_arg(list, type): its child is the list, as if it were a cast of it. */
static bool is_next_argument(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    CXCursor list = kids.count > 0 ? kids.items[0] : clang_getNullCursor();
    for (int i = 1; i < kids.count && !clang_isExpression(clang_getCursorKind(list)); i++)
        list = kids.items[i];
    return clang_getCursorKind(cursor) == CXCursor_UnexposedExpr &&
           clang_isExpression(clang_getCursorKind(list)) && is_argument_list(list) &&
           !is_argument_list(cursor);
}

static struct ast *read_next_argument(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = read_simple(reader, cursor, AST_NEXT_ARGUMENT);
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    return ast;
}

/* Of the expressions without a name of their own only atomic operations begin with a pointer. */
static bool is_atomic(const struct ast *ast, enum CXCursorKind kind) {
    return ast->kind == AST_OTHER && kind == CXCursor_UnexposedExpr && ast->kid_count > 1 &&
           (ast->kids[0]->type->kind == TYPE_POINTER || ast->kids[0]->type->kind == TYPE_ARRAY);
}

struct ast *reader_expression(struct clang_reader *reader, CXCursor cursor) {
    if (!reader->is_cxx)
        return reader_c_expression(reader, cursor);
    struct ast *ast = cxx_expression(reader, cursor);
    if (ast->type == NULL) { /* of a name that libclang does not resolve, such as of a template */
        cxx_refuse(reader, cursor, "this expression");
        ast->type = reader_type(reader, clang_getCursorType(cursor));
    }
    return ast;
}

struct ast *reader_c_expression(struct clang_reader *reader, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (is_next_argument(reader, cursor))
        return read_next_argument(reader, cursor);
    if (kind == CXCursor_ParenExpr || kind == CXCursor_UnexposedExpr) {
        struct cursors kids = reader_children(reader, cursor);
        int expressions = 0, last = 0;
        for (int i = 0; i < kids.count; i++)
            if (clang_isExpression(clang_getCursorKind(kids.items[i])))
                expressions++, last = i;
        if (expressions == 1 && (kind == CXCursor_ParenExpr || kids.count == 1)) {
            reader_check_conversion(reader, cursor, kids.items[last]);
            return reader_wrapped(reader, cursor, kids.items[last]);
        }
    }
    struct ast *ast = convert(reader, cursor);
    if (is_atomic(ast, kind))
        ast->kind = AST_ATOMIC;
    bool parameter = ast->kind == AST_REFERENCE && ast->declaration->parameter;
    ast->type =
        parameter ? ast->declaration->type : reader_type(reader, clang_getCursorType(cursor));
    return ast;
}
