/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual methods. For each one that overrides none there is a variable that nobody wrote, a
 * pointer to a function. Each class that a unit sees initialises it with its own overrider; a call
 * is one through that pointer. So a call may reach the methods of all classes of the hierarchy,
 * whichever unit they are in, and points-to, slice, and rewriting know nothing of it.
 */
#include "base/str.h"
#include "frontend/clang/clang_cxx.h"
#include "frontend/program/names.h"

#include <string.h>

/* The method of the class where it was declared virtual first. */
static CXCursor first_of(CXCursor method) {
    for (;;) {
        CXCursor *overridden = NULL;
        unsigned count = 0;
        clang_getOverriddenCursors(method, &overridden, &count);
        if (count == 0)
            return clang_getCanonicalCursor(method);
        CXCursor next = overridden[0];
        clang_disposeOverriddenCursors(overridden);
        method = next;
    }
}

/* Of destructors, which have other names: the class where it was virtual first. */
static const char *slot_key(struct clang_reader *reader, CXCursor method) {
    if (clang_getCursorKind(method) != CXCursor_Destructor)
        return reader_text(reader, clang_getCursorUSR(first_of(method)));
    CXCursor class = cxx_class(clang_getCursorType(clang_getCursorSemanticParent(method)));
    for (CXType base = cxx_base(reader, class);
         base.kind != CXType_Invalid && cxx_ends_virtually(reader, cxx_class(base));
         base = cxx_base(reader, class))
        class = cxx_class(base);
    return arena_printf(&reader->program->arena, "%s~",
                        reader_text(reader, clang_getCursorUSR(class)));
}

static const struct declaration *slot_of(struct clang_reader *reader, CXCursor method) {
    const char *key = slot_key(reader, method);
    struct declaration *out = names_get(reader->declarations, "virtual", key);
    if (out != NULL)
        return out;
    const struct declaration *like = reader_declaration(reader, method);
    out = ARENA_NEW(&reader->program->arena, struct declaration);
    *out = *like;
    out->kind = DECLARATION_VARIABLE;
    out->key = arena_printf(&reader->program->arena, "virtual %s", key);
    out->symbol = out->key;
    out->external_linkage = out->static_storage = out->global = true;
    out->is_constant = out->is_cxx = true;
    out->has_hidden_body = false;
    names_put(reader->declarations, "virtual", key, out);
    return out;
}

static struct ast *slot(struct clang_reader *reader, CXCursor method, struct ast *like) {
    const struct declaration *of = slot_of(reader, method);
    struct type *pointer = ARENA_NEW(&reader->program->arena, struct type);
    *pointer = (struct type){.kind = TYPE_POINTER,
                             .size_bytes = (long long)sizeof(void *),
                             .element = of->type,
                             .name = "void *"};
    struct ast *ast = cxx_make(reader, AST_REFERENCE, like, pointer, 0);
    ast->declaration = of;
    ast->name = of->name;
    ast->is_unwritten = true;
    return ast;
}

struct ast *cxx_virtual(struct clang_reader *reader, CXCursor method, CXCursor at) {
    return slot(reader, method, cxx_nowhere(reader, at));
}

CXCursor cxx_virtual_destructor(struct clang_reader *reader, CXCursor class) {
    struct cursors kids = reader_children(reader, class);
    for (int i = 0; i < kids.count; i++)
        if (clang_getCursorKind(kids.items[i]) == CXCursor_Destructor)
            return kids.items[i];
    CXType base = cxx_base(reader, class);
    return base.kind == CXType_Invalid ? clang_getNullCursor()
                                       : cxx_virtual_destructor(reader, cxx_class(base));
}

/* ---- Who overrides ---- */

static bool is_class(struct clang_reader *reader, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    return (kind == CXCursor_ClassDecl || kind == CXCursor_StructDecl) &&
           clang_isCursorDefinition(cursor) && cxx_is_class(reader, clang_getCursorType(cursor));
}

static bool overrides(CXCursor method) {
    enum CXCursorKind kind = clang_getCursorKind(method);
    return (kind == CXCursor_CXXMethod || kind == CXCursor_Destructor) &&
           clang_CXXMethod_isVirtual(method) && cxx_is_own(method) &&
           !clang_CXXMethod_isPureVirtual(method);
}

int cxx_count_virtual(struct clang_reader *reader, struct cursors top) {
    int count = 0;
    for (int i = 0; i < top.count; i++) {
        struct cursors kids = is_class(reader, top.items[i]) ? reader_children(reader, top.items[i])
                                                             : (struct cursors){0};
        for (int k = 0; k < kids.count; k++)
            count += overrides(kids.items[k]);
    }
    return count;
}

static void add_overrider(struct clang_reader *reader, CXCursor method, struct unit *unit) {
    struct definition *definition = &unit->definitions[unit->definition_count++];
    struct ast *at = cxx_nowhere(reader, method), *pointer = slot(reader, method, at);
    struct ast *variable = cxx_make(reader, AST_VARIABLE, at, pointer->type, 1);
    struct ast *function = cxx_make(reader, AST_REFERENCE, at, at->type, 0);
    function->declaration = reader_declaration(reader, method);
    function->name = function->declaration->name;
    function->type = function->declaration->type;
    function->is_unwritten = variable->is_unwritten = true;
    variable->declaration = pointer->declaration;
    variable->name = variable->declaration->name;
    variable->name_range = at->range;
    variable->kids[0] = function;
    definition->declaration = (struct declaration *)variable->declaration;
    definition->range = at->range;
    definition->variable = variable;
}

void cxx_add_virtual(struct clang_reader *reader, struct cursors top, struct unit *unit) {
    for (int i = 0; i < top.count; i++) {
        struct cursors kids = is_class(reader, top.items[i]) ? reader_children(reader, top.items[i])
                                                             : (struct cursors){0};
        for (int k = 0; k < kids.count; k++)
            if (overrides(kids.items[k]))
                add_overrider(reader, kids.items[k], unit);
    }
}
