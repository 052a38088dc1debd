/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of declarations, and which of them are other names of what is defined elsewhere.
 *
 * libclang has no kind of cursor for most attributes and tells nothing of their arguments, which
 * macros may have made (`alias(#name)`): they are found in the declaration as clang prints it.
 *
 * Not handled: names in the arguments of alignments.
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
    const char *text = reader_text(reader, clang_getCursorPrettyPrinted(declaration, policy));
    clang_PrintingPolicy_dispose(policy);
    return text;
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
        if (is_attribute_of(kids.items[i]))
            return argument_of(reader, printed(reader, declaration), word);
    return NULL;
}

/* The function or variable of this unit that the linker knows by the name. */
static const struct declaration *declared(struct clang_reader *reader, struct cursors top,
                                          const char *symbol) {
    for (int i = 0; i < top.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(top.items[i]);
        if (kind != CXCursor_FunctionDecl && kind != CXCursor_VarDecl)
            continue;
        CXString name = clang_getCursorSpelling(top.items[i]);
        bool same = strcmp(clang_getCString(name), symbol) == 0;
        clang_disposeString(name);
        if (same)
            return reader_declaration(reader, top.items[i]);
    }
    return NULL;
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
    alias->target = declared(reader, top, target);
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
