/* SPDX-License-Identifier: Apache-2.0
 *
 * What C++ has for malloc, free and printf: `new`, `delete`, and streams that are written to. They
 * become calls of functions that no program can have, with rows in mpi/externs.def.
 */
#include "frontend/clang/clang_cxx.h"

#include "base/str.h"
#include "frontend/program/names.h"

#include <ctype.h>
#include <string.h>

/* Rows of externs.def that no function of a program is called like. */
static const char *row_of(const char *name) {
    return strchr(name, '$') != NULL     ? name
           : strcmp(name, "new") == 0    ? "cxx$new"
           : strcmp(name, "delete") == 0 ? "cxx$delete"
           : strcmp(name, "now") == 0    ? "cxx$now"
           : strcmp(name, "throw") == 0  ? "cxx$throw"
                                         : "cxx$output";
}

static const struct declaration *function_named(struct clang_reader *reader, const char *name) {
    struct declaration *out = names_get(reader->declarations, "library", name);
    if (out != NULL)
        return out;
    struct type *type = ARENA_NEW(&reader->program->arena, struct type);
    type->kind = TYPE_FUNCTION;
    type->name = "void *(unsigned long)";
    type->parameter_count = -1;
    out = ARENA_NEW(&reader->program->arena, struct declaration);
    out->kind = DECLARATION_FUNCTION;
    out->name = arena_strdup(&reader->program->arena, name);
    out->key = out->symbol = row_of(name);
    out->is_cxx = true;
    out->type = type;
    out->external_linkage = out->global = out->static_storage = true;
    out->name_range.file = -1;
    names_put(reader->declarations, "library", name, out);
    return out;
}

/* A call of a row of externs.def, whose arguments stay where they are written. */
static struct ast *cxx_named_call(struct clang_reader *reader, CXCursor cursor, const char *name,
                                  struct ast *const *arguments, int count) {
    struct ast *call = reader_new(reader, AST_CALL, cursor);
    reader_kids(reader, call, count + 1);
    call->pinned = count;
    call->type = reader_type(reader, clang_getCursorType(cursor));
    call->kids[0] = cxx_make(reader, AST_REFERENCE, call, NULL, 0);
    call->kids[0]->range.end = call->kids[0]->range.begin;
    call->kids[0]->declaration = function_named(reader, name);
    call->kids[0]->name = name;
    call->kids[0]->type = call->kids[0]->declaration->type;
    for (int i = 0; i < count; i++)
        call->kids[i + 1] = arguments[i];
    return call;
}

/* Without the copy that is thrown. */
static CXCursor thrown_by(struct clang_reader *reader, CXCursor cursor) {
    for (;;) {
        struct cursors kids = reader_children(reader, cursor);
        enum CXCursorKind kind = clang_getCursorKind(cursor);
        CXCursor last = kids.count > 0 ? kids.items[kids.count - 1] : clang_getNullCursor();
        CXCursor named = clang_getCursorReferenced(cursor);
        bool copies = kind == CXCursor_CallExpr &&
                      clang_getCursorKind(named) == CXCursor_Constructor &&
                      (clang_CXXConstructor_isCopyConstructor(named) ||
                       clang_CXXConstructor_isMoveConstructor(named));
        if ((kind != CXCursor_UnexposedExpr && kind != CXCursor_ParenExpr &&
             kind != CXCursor_CXXFunctionalCastExpr && !copies) ||
            !clang_isExpression(clang_getCursorKind(last)))
            return cursor;
        cursor = last;
    }
}

/* Without a try anywhere in the program, of which units are refused, it ends the process. */
struct ast *cxx_throw(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    VEC(struct ast *) values = {0};
    CXCursor thrown = kids.count > 0 ? thrown_by(reader, kids.items[0]) : cursor;
    bool is_made = clang_getCursorKind(thrown) == CXCursor_CallExpr &&
                   reader_is_of_the_system(clang_getCursorReferenced(thrown)) &&
                   clang_getCursorKind(clang_getCursorReferenced(thrown)) == CXCursor_Constructor;
    int count = is_made ? clang_Cursor_getNumArguments(thrown) : 0;
    for (int i = 0; i < count; i++)
        vec_push(&values, reader_expression(reader, clang_Cursor_getArgument(thrown, (unsigned)i)));
    if (kids.count > 0 && !is_made)
        vec_push(&values, reader_expression(reader, thrown));
    struct ast *call = cxx_named_call(reader, cursor, "throw", values.items, (int)values.count);
    vec_dispose(&values);
    return call;
}

/* Of std::chrono. */
struct ast *cxx_clock(struct clang_reader *reader, CXCursor cursor) {
    return cxx_named_call(reader, cursor, "now", NULL, 0);
}

/* Memory */

/* `new T[n]`: what stands first behind the type; '\0': nothing. */
static char behind_type(struct clang_reader *reader, CXCursor cursor) {
    struct range range = reader_range(reader, cursor, NULL);
    const char *text = range.file >= 0 ? reader->program->files.items[range.file]->text : "";
    const char *word = "new";
    if (range.file < 0 || range.end < range.begin + strlen(word))
        return '(';
    for (unsigned at = range.begin + (unsigned)strlen(word); at < range.end; at++)
        if (strchr("[({", text[at]) != NULL)
            return text[at];
    return '\0';
}

/* `new (place) T`; also `new (T)`. */
static bool is_placed(struct clang_reader *reader, CXCursor cursor) {
    struct range range = reader_range(reader, cursor, NULL);
    if (range.file < 0)
        return true;
    const char *text = reader->program->files.items[range.file]->text + range.begin;
    text += strncmp(text, "new", 3) == 0 ? 3 : 0;
    return text[strspn(text, " \t\n")] == '(';
}

static bool is_value_initialised(struct clang_reader *reader, CXCursor cursor) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    CXCursor callee = clang_getCursorReferenced(cursor);
    if (kind == CXCursor_CallExpr)
        return clang_getCursorKind(callee) == CXCursor_Constructor &&
               clang_Cursor_getNumArguments(cursor) == 0;
    return (kind == CXCursor_UnexposedExpr || kind == CXCursor_InitListExpr) &&
           reader_children(reader, cursor).count == 0;
}

static struct ast *one(struct clang_reader *reader, CXCursor cursor) {
    struct ast *size = reader_new(reader, AST_CONSTANT, cursor);
    size->range.end = size->range.begin;
    size->has_value = true;
    size->value = 1;
    size->is_unwritten = true;
    size->type = reader_type(reader, clang_getCursorType(cursor));
    return size;
}

/* `new T(1)`: memory, and an object in it. */
static struct ast *made(struct clang_reader *reader, CXCursor cursor, struct ast *memory,
                        CXType type, CXCursor value, bool is_array) {
    struct ast *steps = cxx_constructed(reader, cursor, type, value, false);
    struct ast *ast = cxx_make(reader, AST_CONSTRUCT, memory, memory->type, steps->kid_count + 1);
    ast->op = is_array ? "new[]" : "new";
    ast->kids[0] = memory;
    for (int i = 0; i < steps->kid_count; i++)
        ast->kids[i + 1] = steps->kids[i];
    return ast;
}

struct ast *cxx_new(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    char first = behind_type(reader, cursor);
    struct ast *size = NULL;
    CXCursor value = clang_getNullCursor();
    CXType type = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(cursor)));
    bool is_plain = cxx_is_plain(reader, type), is_read = is_plain || cxx_is_class(reader, type);
    for (int i = 0; i < kids.count && is_read; i++) {
        if (!clang_isExpression(clang_getCursorKind(kids.items[i])))
            continue;
        if (first == '[' && size == NULL)
            size = reader_expression(reader, kids.items[i]);
        else if (!clang_Cursor_isNull(value))
            is_read = false;
        else
            value = kids.items[i];
    }
    bool has_value = !clang_Cursor_isNull(value) &&
                     !(is_plain && !cxx_holds_library(type) && is_value_initialised(reader, value));
    if (!is_read || (first == '[' && (size == NULL || (has_value && is_plain))) ||
        is_placed(reader, cursor))
        cxx_refuse(reader, cursor, "this new");
    if (size == NULL)
        size = one(reader, cursor);
    struct ast *memory = cxx_named_call(reader, cursor, "new", &size, 1);
    if (!has_value || !is_read)
        return memory;
    memory->is_unwritten = true; /* it stays with what is made in it */
    return made(reader, cursor, memory, type, value, first == '[');
}

/* Written twice in the tree, it may not do anything. */
static bool is_simple(const struct ast *ast) {
    bool is_fine = ast->kind == AST_REFERENCE || ast->kind == AST_MEMBER ||
                   ast->kind == AST_SUBSCRIPT || ast->kind == AST_CAST ||
                   ast->kind == AST_CONSTANT || ast->kind == AST_BINARY ||
                   (ast->kind == AST_UNARY && strcmp(ast->op, "*") == 0);
    for (int i = 0; i < ast->kid_count && is_fine; i++)
        is_fine = is_simple(ast->kids[i]);
    return is_fine && !ast_is_assignment(ast);
}

static void end_of(struct clang_reader *reader, CXCursor cursor, cxx_steps *out,
                   struct ast *pointer, CXType type) {
    CXCursor class = cxx_class(type);
    struct range range = reader_range(reader, cursor, NULL);
    const char *text =
        range.file >= 0 ? reader->program->files.items[range.file]->text + range.begin : "";
    const char *behind = text + strcspn(text, "[;(*");
    if (cxx_ends_virtually(reader, class)) {
        CXCursor destructor = cxx_virtual_destructor(reader, class);
        vec_push(out, cxx_virtual_end(reader, cursor, destructor, pointer));
        return;
    }
    struct ast *place = cxx_pointed_to(reader, pointer);
    if (*behind == '[') { /* delete[] p: any element */
        place = cxx_make(reader, AST_SUBSCRIPT, pointer, pointer->type->element, 2);
        place->kids[0] = pointer;
        place->kids[1] = cxx_nowhere(reader, cursor);
    }
    cxx_destroy(reader, out, place, type);
}

struct ast *cxx_delete(struct clang_reader *reader, CXCursor cursor) {
    struct cursors kids = reader_children(reader, cursor);
    CXCursor pointer = kids.count > 0 ? kids.items[kids.count - 1] : clang_getNullCursor();
    CXType to = clang_getPointeeType(clang_getCanonicalType(clang_getCursorType(pointer)));
    struct ast *argument = reader_expression(reader, pointer);
    bool is_plain = cxx_is_plain(reader, to);
    if (!is_plain && (!cxx_is_class(reader, to) || !is_simple(argument)))
        cxx_refuse(reader, cursor, "this delete");
    struct ast *freed = cxx_named_call(reader, cursor, "delete", &argument, 1);
    if (is_plain || !cxx_is_class(reader, to) ||
        (!cxx_has_end(reader, to) && !cxx_ends_virtually(reader, cxx_class(to))))
        return freed;
    cxx_steps steps = {0};
    end_of(reader, cursor, &steps, argument, to);
    freed->is_unwritten = true; /* it stays with what ends in it */
    vec_push(&steps, freed);
    struct ast *ast = cxx_steps_make(reader, freed, &steps);
    ast->is_unwritten = false;
    return ast;
}

/* Output */

static bool names_stream(CXType type) {
    CXString name = clang_getTypeSpelling(clang_getUnqualifiedType(type));
    bool found = strcmp(clang_getCString(name), "std::basic_ostream<char>") == 0;
    clang_disposeString(name);
    return found;
}

/* std::cout, std::cerr, std::clog. */
static bool is_terminal(struct clang_reader *reader, CXCursor cursor) {
    static const char *const names[] = {"cout", "cerr", "clog", NULL};
    CXCursor named = clang_getCursorReferenced(cursor);
    return clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && reader_is_of_the_system(named) &&
           text_is_one_of(reader_text(reader, clang_getCursorSpelling(named)), names);
}

/* `std::cout.unsetf(flags)` */
static bool sets_stream(CXCursor call) {
    static const char *const names[] = {"setf",  "unsetf", "precision", "width",
                                        "flush", "fill",   NULL};
    CXString name = clang_getCursorSpelling(clang_getCursorReferenced(call));
    bool sets = text_is_one_of(clang_getCString(name), names) &&
                cxx_is_method(clang_getCursorReferenced(call));
    clang_disposeString(name);
    return sets;
}

bool cxx_writes_stream(CXCursor cursor) {
    CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
    if (cxx_is_reference(type))
        type = clang_getCanonicalType(clang_getPointeeType(type));
    return names_stream(type);
}

bool cxx_sets_stream(struct clang_reader *reader, CXCursor call) {
    struct cursors kids = reader_children(reader, call);
    if (kids.count == 0 || !sets_stream(call))
        return false;
    CXCursor object = kids.items[0];
    do {
        kids = reader_children(reader, object);
        object = kids.count > 0 ? kids.items[0] : clang_getNullCursor();
    } while (clang_getCursorKind(object) == CXCursor_UnexposedExpr);
    return is_terminal(reader, object);
}

/* std::endl, std::fixed: functions of the system, handed on by name. */
static bool is_format(CXCursor cursor) {
    CXCursor named = clang_getCursorReferenced(cursor);
    enum CXCursorKind kind = clang_getCursorKind(named);
    return clang_getCursorKind(cursor) == CXCursor_DeclRefExpr && reader_is_of_the_system(named) &&
           (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate);
}

static bool sets_format(struct clang_reader *reader, CXCursor cursor) {
    static const char *const names[] = {"setw",    "setprecision",  "setfill", "setiosflags",
                                        "setbase", "resetiosflags", NULL};
    CXCursor named = clang_getCursorReferenced(cursor);
    return clang_getCursorKind(cursor) == CXCursor_CallExpr && reader_is_of_the_system(named) &&
           text_is_one_of(reader_text(reader, clang_getCursorSpelling(named)), names);
}

typedef VEC(struct ast *) ast_list;

static bool is_printed(const struct type *type) {
    return type->kind == TYPE_INTEGER || type->kind == TYPE_FLOATING ||
           type->kind == TYPE_CHARACTER || type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY;
}

static void add_values(struct clang_reader *reader, ast_list *out, CXCursor cursor) {
    cursor = cxx_unwrapped(reader, cursor);
    bool is_call = clang_getCursorKind(cursor) == CXCursor_CallExpr;
    if (is_terminal(reader, cursor) || is_format(cursor))
        return;
    if (is_call && (cxx_writes_stream(cursor) || sets_format(reader, cursor))) {
        CXCursor callee = clang_getCursorReferenced(cursor);
        struct cursors kids = reader_children(reader, cursor);
        int count = clang_Cursor_getNumArguments(cursor);
        if (!reader_is_of_the_system(callee))
            cxx_refuse(reader, cursor, "this output of an object");
        if (kids.count > 0 && clang_getCursorKind(kids.items[0]) == CXCursor_MemberRefExpr) {
            struct cursors base = reader_children(reader, kids.items[0]);
            for (int i = 0; i < base.count; i++)
                if (clang_isExpression(clang_getCursorKind(base.items[i])))
                    add_values(reader, out, base.items[i]);
        }
        for (int i = 0; i < count; i++)
            add_values(reader, out, clang_Cursor_getArgument(cursor, (unsigned)i));
        return;
    }
    struct ast *ast = reader_expression(reader, cursor);
    if (type_is_container(ast->type) && !cxx_is_stream(clang_getCursorType(cursor))) {
        struct ast *read = cxx_make(reader, AST_LIBRARY, ast, cxx_size_type(reader), 1);
        read->kids[0] = ast;
        read->op = "r";
        ast = read;
    }
    if (type_is_container(ast->type) && out->count == 0) { /* what it is printed to */
        vec_push(out, ast);
        return;
    }
    if (!is_printed(ast->type) || cxx_writes_stream(cursor))
        cxx_refuse(reader, cursor, "this output of an object");
    vec_push(out, ast);
}

/* A stream of the program's own: it has the values. */
static struct ast *printed_to(struct clang_reader *reader, CXCursor cursor,
                              struct ast *const *values, int count) {
    struct ast *ast = reader_new(reader, AST_LIBRARY, cursor);
    char *op = ARENA_ARRAY(&reader->program->arena, char, (size_t)count + 1);
    reader_kids(reader, ast, count);
    for (int i = 0; i < count; i++) {
        ast->kids[i] = values[i];
        op[i] = i == 0 ? 'c' : 'r';
    }
    ast->op = op;
    ast->name = "<<";
    ast->type = values[0]->type;
    if (!cxx_is_place(values[0]))
        cxx_refuse(reader, cursor, "this output");
    return ast;
}

struct ast *cxx_output(struct clang_reader *reader, CXCursor cursor) {
    ast_list values = {0};
    struct cursors kids = reader_children(reader, cursor);
    int count = clang_Cursor_getNumArguments(cursor);
    if (kids.count > 0 && clang_getCursorKind(kids.items[0]) == CXCursor_MemberRefExpr) {
        struct cursors base = reader_children(reader, kids.items[0]);
        for (int i = 0; i < base.count; i++)
            if (clang_isExpression(clang_getCursorKind(base.items[i])))
                add_values(reader, &values, base.items[i]);
    }
    if (!reader_is_of_the_system(clang_getCursorReferenced(cursor)))
        cxx_refuse(reader, cursor, "this output of an object");
    for (int i = 0; i < count; i++)
        add_values(reader, &values, clang_Cursor_getArgument(cursor, (unsigned)i));
    bool is_object = values.count > 0 && type_is_container(values.items[0]->type);
    struct ast *call = is_object
                           ? printed_to(reader, cursor, values.items, (int)values.count)
                           : cxx_named_call(reader, cursor, "<<", values.items, (int)values.count);
    vec_dispose(&values);
    return call;
}

/* Functions that call what is handed to them */

/* It reads and changes what the lambda names, and stays or goes as a whole. */
static struct ast *with_lambda(struct clang_reader *reader, CXCursor call,
                               const struct cxx_callback *callback) {
    struct cxx_lambda lambda = {0};
    int own = callback->count - 1;
    if (!cxx_read_lambda(reader, callback->called, &lambda)) {
        cxx_refuse(reader, callback->called, "this lambda");
        lambda.count = 0;
    }
    struct ast *ast = reader_new(reader, AST_LIBRARY, call);
    char *op = ARENA_ARRAY(&reader->program->arena, char, (size_t)(own + lambda.count + 1));
    reader_kids(reader, ast, own + lambda.count);
    for (int i = 0; i < ast->kid_count; i++) {
        op[i] = i < own ? callback->effects[i] : lambda.effects[i - own];
        if (op[i] == 'e')
            op[i] = lambda.takes_places ? 'w' : 'r';
        ast->kids[i] = reader_expression(
            reader, i < own ? clang_Cursor_getArgument(call, (unsigned)i) : lambda.names[i - own]);
    }
    ast->op = op;
    ast->name = reader_text(reader, clang_getCursorSpelling(clang_getCursorReferenced(call)));
    ast->type = reader_type(reader, clang_getCursorType(call));
    if (ast->type->kind == TYPE_RECORD) /* for_each gives the lambda back */
        ast->type = cxx_size_type(reader);
    return ast;
}

struct ast *cxx_library_callback(struct clang_reader *reader, CXCursor call, const char *name) {
    struct cxx_callback callback = {0};
    struct ast *arguments[4];
    if (!cxx_read_callback(reader, call, name, &callback))
        return NULL;
    if (callback.is_lambda)
        return with_lambda(reader, call, &callback);
    for (int i = 0; i < callback.count; i++)
        arguments[i] = reader_expression(reader, i + 1 < callback.count
                                                     ? clang_Cursor_getArgument(call, (unsigned)i)
                                                     : callback.called);
    return cxx_named_call(reader, call, callback.row, arguments, callback.count);
}
