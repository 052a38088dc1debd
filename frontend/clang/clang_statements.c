/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements: libclang's cursors -> struct ast.
 *
 * libclang's traps: the omitted parts of `for (;;)` are simply not there, so the semicolons of the
 * header are found in the text; a variable's initialiser and its array dimensions are all just
 * child expressions.
 */
#include "frontend/clang/clang_cxx.h"

#include <string.h>

static size_t skip_comment(const char *text, size_t at) {
    const char *end = text[at + 1] == '*' ? strstr(text + at + 2, "*/") : strchr(text + at, '\n');
    if (end == NULL)
        return at + strlen(text + at);
    return (size_t)(end - text) + (text[at + 1] == '*' ? 2 : 0);
}

/* Of a for header: the offset of the parenthesis, of the two semicolons, and of the other one. */
struct clang_statements_header {
    size_t ends[4];
};

/* That of a loop that begins at `at`; false if it is not there, as when a macro gives it. */
static bool find_header(struct clang_statements_header *out, const char *text, size_t length,
                        size_t at) {
    int depth = 0, found = 0;
    while (at < length) {
        char c = text[at];
        if (c == '"' || c == '\'') {
            at = reader_skip_quoted(text, at, length);
            continue;
        }
        if (c == '/' && (text[at + 1] == '*' || text[at + 1] == '/')) {
            at = skip_comment(text, at);
            continue;
        }
        if (strchr("([{", c) != NULL && c != '\0' && depth++ == 0)
            out->ends[0] = at;
        if (strchr(")]}", c) != NULL && c != '\0' && --depth == 0) {
            out->ends[3] = at;
            return found == 2;
        }
        if (c == ';' && depth == 1 && found < 2)
            out->ends[++found] = at;
        else if (c == ';' && depth <= 1)
            return false;
        at++;
    }
    return false;
}

static bool is_blank(const char *text, size_t begin, size_t end) {
    while (begin < end) {
        if (text[begin] == '/' && text[begin + 1] == '*')
            begin = skip_comment(text, begin);
        else if (strchr(" \t\r\n\f\v\\", text[begin++]) == NULL)
            return false;
    }
    return true;
}

/* In a macro: which of the three parts each child is, by what is written in the definition. */
static bool find_parts(int slots[3], CXCursor cursor, int count) {
    size_t length = 0;
    struct clang_statements_header header;
    int found = 0;
    const char *text = reader_written_at(cursor, &length);
    if (text == NULL || length < strlen("for") || strncmp(text, "for", strlen("for")) != 0 ||
        !find_header(&header, text, length, 0))
        return false;
    for (int i = 0; i < 3; i++)
        if (!is_blank(text, header.ends[i] + 1, header.ends[i + 1])) {
            if (found < count)
                slots[found] = i;
            found++;
        }
    return found == count;
}

static struct ast *any(struct clang_reader *reader, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return clang_isExpression(kind) ? reader_expression(reader, cursor)
                                    : reader_statement(reader, cursor);
}

static struct ast *read_for(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct ast *ast = reader_new(reader, AST_FOR, cursor);
    reader_kids(reader, ast, 4);
    const struct source_file *file = reader->program->files.items[ast->range.file];
    struct clang_statements_header header;
    int slots[3] = {0, 1, 2};
    bool known =
        !ast->from_macro && find_header(&header, file->text, file->length, ast->range.begin);
    if (!known && kids.count != 4 && !find_parts(slots, cursor, kids.count - 1))
        program_report(reader->program, ast->range, "error",
                       "the header of this for loop comes out of a macro and leaves parts out; "
                       "write it out so that it can be analysed");
    for (int i = 0; i + 1 < kids.count; i++) {
        struct ast *part = any(reader, kids.items[i]);
        int slot = i < 3 ? slots[i] : 2;
        if (known)
            slot = part->range.begin < header.ends[1]   ? 0
                   : part->range.begin < header.ends[2] ? 1
                                                        : 2;
        ast->kids[slot] = part;
    }
    ast->kids[3] = any(reader, kids.items[kids.count - 1]);
    return ast;
}

/* All children, in order. */
static struct ast *read_all(struct clang_reader *reader, enum ast_kind kind, CXCursor cursor,
                            struct cursors kids) {
    struct ast *ast = reader_new(reader, kind, cursor);
    reader_kids(reader, ast, kids.count);
    for (int i = 0; i < kids.count; i++)
        ast->kids[i] = any(reader, kids.items[i]);
    return ast;
}

static struct ast *read_if(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct ast *ast = reader_new(reader, AST_IF, cursor);
    reader_kids(reader, ast, 3);
    for (int i = 0; i < kids.count && i < 3; i++)
        ast->kids[i] = any(reader, kids.items[i]);
    return ast;
}

/* The last child is the statement; before it the value (two for a GNU range). */
static struct ast *read_case(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct ast *ast = reader_new(reader, AST_CASE, cursor);
    ast->is_default = clang_getCursorKind(cursor) == CXCursor_DefaultStmt;
    reader_kids(reader, ast, 1);
    ast->kids[0] = any(reader, kids.items[kids.count - 1]);
    ast->named = reader_named(reader, kids.items, kids.count - 1);
    return ast;
}

static struct ast *read_label(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct ast *ast = read_all(reader, AST_LABEL, cursor, kids);
    ast->name = reader_text(reader, clang_getCursorSpelling(cursor));
    return ast;
}

static struct ast *read_goto(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct ast *ast = reader_new(reader, AST_GOTO, cursor);
    if (kids.count > 0)
        ast->name = reader_text(reader, clang_getCursorSpelling(kids.items[0]));
    return ast;
}

/* A record or enumeration that is defined in the declaration of a variable. */
static struct ast *read_named_by_type(struct clang_reader *reader, struct cursors kids) {
    int count = 0;
    for (int i = 0; i < kids.count; i++)
        if (clang_isDeclaration(clang_getCursorKind(kids.items[i])))
            kids.items[count++] = kids.items[i];
    return reader_named(reader, kids.items, count);
}

static void add_cleanup(struct clang_reader *reader, struct ast *variable, CXCursor cursor) {
    struct ast *call = reader->is_cxx && !variable->declaration->static_storage
                           ? cxx_end_of_variable(reader, cursor)
                           : NULL;
    call = call != NULL ? call : reader_cleanup(reader, cursor);
    if (call == NULL)
        return;
    struct ast *types = variable->named;
    variable->named = reader_new(reader, AST_SIZEOF, cursor);
    variable->named->type = call->type;
    variable->named->has_value = true;
    reader_kids(reader, variable->named, types != NULL ? 2 : 1);
    variable->named->kids[0] = types;
    variable->named->kids[variable->named->kid_count - 1] = call;
}

struct ast *reader_variable(struct clang_reader *reader, CXCursor cursor) {
    struct ast *ast = reader_new(reader, AST_VARIABLE, cursor);
    struct cursors kids = reader_children(reader, cursor);
    CXCursor initialiser = clang_Cursor_getVarDeclInitializer(cursor);
    bool has_initialiser = !clang_Cursor_isNull(initialiser);
    ast->declaration = reader_declaration(reader, cursor);
    ast->name = ast->declaration->name;
    int line;
    ast->name_range = reader_name_range(reader, cursor, ast->name, &line);
    ast->type = reader_type(reader, clang_getCursorType(cursor));
    reader_kids(reader, ast, kids.count + 1);
    ast->kid_count = 1;
    if (has_initialiser && reader->is_cxx)
        ast->kids[0] = cxx_initialiser(reader, cursor, initialiser);
    else if (has_initialiser)
        ast->kids[0] = reader_expression(reader, initialiser);
    if (reader->is_cxx && has_initialiser)
        cxx_close_variable(reader, ast);
    if (reader->is_cxx && ast->declaration->static_storage)
        cxx_check_static(reader, cursor, ast->kids[0]);
    for (int i = 0; i < kids.count; i++) {
        bool initialises = has_initialiser && clang_equalCursors(kids.items[i], initialiser);
        struct ast *dimension = initialises ? NULL : reader_dimension(reader, kids.items[i]);
        if (dimension != NULL)
            ast->kids[ast->kid_count++] = dimension;
    }
    ast->is_deduced =
        clang_getCursorType(cursor).kind == CXType_Auto ||
        (reader->is_cxx && has_initialiser &&
         (ast->declaration->is_constant || cxx_is_reference(clang_getCursorType(cursor))));
    ast->named = read_named_by_type(reader, kids);
    add_cleanup(reader, ast, cursor);
    return ast;
}

/* Declarators of one text go and stay as variables, or as types do: never one of each. */
static void check_typedefs(struct clang_reader *reader, const struct ast *ast,
                           struct cursors kids) {
    int typedefs = 0, sized = 0;
    for (int i = 0; i < kids.count; i++) {
        typedefs += clang_getCursorKind(kids.items[i]) == CXCursor_TypedefDecl;
        sized += reader_is_sized_type(reader, kids.items[i]);
    }
    if (sized > 0 && sized < typedefs)
        program_report(reader->program, ast->range, "error",
                       "a typedef of variable length together with others cannot be analysed; give "
                       "each a declaration of its own");
}

static struct ast *read_declare(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    if (reader->is_cxx)
        cxx_check_declarations(reader, kids);
    struct ast *ast = reader_new(reader, AST_DECLARE, cursor);
    reader_kids(reader, ast, kids.count);
    ast->kid_count = 0;
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_VarDecl ||
            reader_is_sized_type(reader, kids.items[i]))
            ast->kids[ast->kid_count++] = reader_variable(reader, kids.items[i]);
    check_typedefs(reader, ast, kids);
    if (ast->kid_count == 0)
        ast->named = reader_named(reader, kids.items, kids.count);
    return ast;
}

static struct ast *read_unknown(struct clang_reader *reader, CXCursor cursor, const char *what) {
    struct ast *ast = reader_new(reader, AST_UNKNOWN_STATEMENT, cursor);
    ast->name = what;
    struct cursors kids = reader_children(reader, cursor);
    reader_kids(reader, ast, kids.count);
    ast->kid_count = 0;
    for (int i = 0; i < kids.count; i++)
        if (clang_isExpression(clang_getCursorKind(kids.items[i])))
            ast->kids[ast->kid_count++] = reader_expression(reader, kids.items[i]);
    return ast;
}

static struct ast *read_return(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    if (!reader->returns_reference || kids.count != 1)
        return read_all(reader, AST_RETURN, cursor, kids);
    struct ast *ast = reader_new(reader, AST_RETURN, cursor);
    struct ast *place = reader_expression(reader, kids.items[0]);
    if (!cxx_is_place(place))
        cxx_refuse(reader, cursor, "what this reference is bound to");
    reader_kids(reader, ast, 1);
    ast->kids[0] = cxx_address_of(reader, place);
    return ast;
}

static struct ast *read_asm(struct clang_reader *reader, CXCursor cursor, struct cursors kids) {
    struct ast *ast = reader_asm(reader, cursor, kids);
    return ast != NULL ? ast : read_unknown(reader, cursor, "this inline assembly");
}

struct ast *reader_statement(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    if (reader->is_cxx)
        cxx_check_statement(reader, cursor, kids);
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CompoundStmt:
        return read_all(reader, AST_COMPOUND, cursor, kids);
    case CXCursor_DeclStmt:
        return read_declare(reader, cursor, kids);
    case CXCursor_IfStmt:
        return read_if(reader, cursor, kids);
    case CXCursor_WhileStmt:
        return read_all(reader, AST_WHILE, cursor, kids);
    case CXCursor_DoStmt:
        return read_all(reader, AST_DO, cursor, kids);
    case CXCursor_ForStmt:
        return read_for(reader, cursor, kids);
    case CXCursor_CXXForRangeStmt:
        return cxx_range_loop(reader, cursor, kids);
    case CXCursor_SwitchStmt:
        return read_all(reader, AST_SWITCH, cursor, kids);
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        return read_case(reader, cursor, kids);
    case CXCursor_LabelStmt:
        return read_label(reader, cursor, kids);
    case CXCursor_GotoStmt:
        return read_goto(reader, cursor, kids);
    case CXCursor_BreakStmt:
        return reader_new(reader, AST_BREAK, cursor);
    case CXCursor_ContinueStmt:
        return reader_new(reader, AST_CONTINUE, cursor);
    case CXCursor_ReturnStmt:
        return read_return(reader, cursor, kids);
    case CXCursor_NullStmt:
        return reader_new(reader, AST_NULL, cursor);
    case CXCursor_IndirectGotoStmt:
        return read_unknown(reader, cursor, "computed goto");
    case CXCursor_GCCAsmStmt:
        return read_asm(reader, cursor, kids);
    case CXCursor_MSAsmStmt:
        return read_unknown(reader, cursor, "inline assembly");
    default:
        /* A statement with attributes: the last child is the statement itself. */
        if (kids.count > 0 && clang_isStatement(clang_getCursorKind(kids.items[kids.count - 1])))
            return reader_statement(reader, kids.items[kids.count - 1]);
        return read_unknown(reader, cursor, "an unknown statement");
    }
}
