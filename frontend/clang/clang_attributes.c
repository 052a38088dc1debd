/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of declarations, and which of them are other names of what is defined elsewhere.
 *
 * libclang has no kind of cursor for most attributes and tells nothing of their arguments, which
 * macros may have made (`alias(#name)`): they are found in the declaration as clang prints it.
 *
 * Not handled: names in the arguments of alignments; attributes of a declaration between the first
 * one and this one.
 */
#include "frontend/clang/clang_reader.h"

#include <ctype.h>
#include <string.h>

static bool is_attribute_of(CXCursor cursor) {
    return clang_isAttribute(clang_getCursorKind(cursor)) != 0;
}

static const char *printed(struct clang_reader *reader, CXCursor declaration) {
    CXPrintingPolicy policy = clang_getCursorPrintingPolicy(declaration);
    clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
    CXString text = clang_getCursorPrettyPrinted(declaration, policy);
    const char *copy = arena_strdup(&reader->scratch, clang_getCString(text));
    clang_disposeString(text);
    clang_PrintingPolicy_dispose(policy);
    return copy;
}

/* What stands in parentheses behind the word, without quotes; NULL: the word is not there. */
static const char *argument_of(struct clang_reader *reader, const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
        bool whole = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!whole || (at[length] != '(' && at[length] != ')'))
            continue;
        if (at[length] == ')')
            return "";
        at += length + 1;
        at += *at == '"';
        return arena_strndup(&reader->program->arena, at, strcspn(at, "\")"));
    }
    return NULL;
}

const char *reader_attribute(struct clang_reader *reader, CXCursor declaration, const char *word) {
    struct cursors kids = reader_children(reader, declaration);
    for (int i = 0; i < kids.count; i++)
        if (is_attribute_of(kids.items[i])) {
            const char *own = argument_of(reader, printed(reader, declaration), word);
            CXCursor first = clang_getCanonicalCursor(declaration); /* prints what is its own */
            return own != NULL ? own : argument_of(reader, printed(reader, first), word);
        }
    return NULL;
}

/* The function or variable at file scope of this name; the null cursor: none. */
static CXCursor declared(struct cursors top, const char *symbol) {
    for (int i = 0; i < top.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(top.items[i]);
        if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
            continue;
        CXString name = clang_getCursorSpelling(top.items[i]);
        bool same = strcmp(clang_getCString(name), symbol) == 0;
        clang_disposeString(name);
        if (same)
            return top.items[i];
    }
    return clang_getNullCursor();
}

static struct ast *new_part(struct clang_reader *reader, enum ast_kind kind, CXCursor variable,
                            const struct type *type, int kid_count) {
    struct ast *ast = reader_new(reader, kind, variable);
    ast->from_macro = true; /* it has no text of its own */
    ast->type = type;
    reader_kids(reader, ast, kid_count);
    return ast;
}

static struct ast *new_name(struct clang_reader *reader, CXCursor variable,
                            const struct declaration *declaration) {
    struct ast *ast = new_part(reader, AST_REFERENCE, variable, declaration->type, 0);
    ast->declaration = declaration;
    ast->name = declaration->name;
    return ast;
}

static const struct type *pointer_to(struct clang_reader *reader, const struct type *element) {
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    type->kind = TYPE_POINTER;
    type->size_bytes = (long long)sizeof(void *);
    type->element = element;
    type->name = arena_printf(&reader->program->arena, "%s *", element->name);
    return type;
}

struct ast *reader_cleanup(struct clang_reader *reader, CXCursor variable) {
    const char *name = reader_attribute(reader, variable, "cleanup");
    if (name == NULL)
        return NULL;
    CXCursor unit = clang_getTranslationUnitCursor(reader->unit);
    CXCursor function = declared(reader_children(reader, unit), name);
    const struct declaration *of = reader_declaration(reader, variable);
    if (clang_Cursor_isNull(function)) {
        program_report(reader->program, reader_range(reader, variable, NULL), "error",
                       "'%s', which is called where this variable's scope is left, is not declared "
                       "at file scope and cannot be followed; declare it there",
                       name);
        return NULL;
    }
    const struct type *result = reader_type(reader, clang_getCursorResultType(function));
    struct ast *call = new_part(reader, AST_CALL, variable, result, 2);
    call->kids[0] = new_name(reader, variable, reader_declaration(reader, function));
    call->kids[1] = new_part(reader, AST_UNARY, variable, pointer_to(reader, of->type), 1);
    call->kids[1]->op = "&";
    call->kids[1]->kids[0] = new_name(reader, variable, of);
    return call;
}

static void read_alias(struct clang_reader *reader, struct cursors top, CXCursor cursor,
                       struct unit *out) {
    const char *resolver = reader_attribute(reader, cursor, "ifunc");
    const char *target = resolver != NULL ? resolver : reader_attribute(reader, cursor, "alias");
    if (target == NULL)
        return;
    struct alias *alias = &out->aliases[out->alias_count++];
    alias->declaration = reader_declaration(reader, cursor);
    alias->range = reader_range(reader, cursor, NULL);
    alias->symbol = target;
    CXCursor defined = declared(top, target);
    alias->target = clang_Cursor_isNull(defined) ? NULL : reader_declaration(reader, defined);
    alias->is_resolved = resolver != NULL;
    alias->is_reference = reader_attribute(reader, cursor, "weakref") != NULL;
}

void reader_aliases(struct clang_reader *reader, struct cursors top, struct unit *out) {
    out->aliases = ARENA_ARRAY(&reader->program->arena, struct alias, (size_t)top.count);
    for (int i = 0; i < top.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(top.items[i]);
        if ((kind == CXCursor_FunctionDecl || kind == CXCursor_VarDecl) &&
            reader_is_in_project(reader, top.items[i]))
            read_alias(reader, top, top.items[i], out);
    }
}
