/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations of the skeleton: declarators that are not needed go, initialisers that are not
 * needed go, unneeded definitions at file scope go.
 *
 * clang tells where each declarator ends, but the first begins with the specifiers; where the
 * specifiers end is found in the text: before the first `*`, `(` or name of the first declarator.
 */
#include "base/file.h"
#include "skeletonizer/plan/shared_text.h"
#include "skeletonizer/rewrite/cxx_text.h"
#include "skeletonizer/rewrite/rewrite.h"
#include "skeletonizer/rewrite/static_worlds.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/text/directives.h"
#include "skeletonizer/text/scan.h"

#include <ctype.h>
#include <string.h>

/* ---- Rewrite arrays ---- */

/*
 * Arrays on the stack that no rank looks at: only their address is needed. The engine copies the
 * stack of a rank that waits, so that they would take memory and time with each call.
 * An array of variable length stays whole where its function asks for its
 * size (sizeof, typeof), of which the answer would be another one, and where a typedef says it.
 */

/* A rank that waits has some 1 KB on its stack; less than a quarter of this saves little. */
#define SMALL_BYTES 256

static bool is_unread(const struct rewriter *r, const struct ast *variable) {
    const struct object *object = program_object(r->program, r->function, variable->declaration);
    return object != NULL && !variable->declaration->static_storage && !variable->from_macro &&
           r->plan->unread_variables[object->id];
}

static bool is_of_constant_type(const struct type *type) {
    while (type != NULL && type->kind == TYPE_ARRAY && !type->variable_length)
        type = type->element;
    return type != NULL && !type_is_variably_modified(type);
}

/* An array of a size that the compiler knows can be shared by all ranks and all executions
 * (`BSIM_SHARED static`). */
static bool rewrite_leaves_stack(const struct rewriter *r, const struct ast *variable) {
    const struct type *type = variable->declaration->type;
    bool is_sized = variable->kids[0] == NULL || variable->kid_count > 1; /* not `int a[] = {1}` */
    return is_unread(r, variable) && is_sized && is_of_constant_type(type) &&
           type->size_bytes >= SMALL_BYTES;
}

static bool names(const struct ast *ast, const struct declaration *declaration) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_REFERENCE && ast->declaration == declaration)
        return true;
    for (int i = 0; i < ast->kid_count; i++)
        if (names(ast->kids[i], declaration))
            return true;
    return names(ast->named, declaration);
}

static bool asks_size(const struct ast *ast, const struct declaration *declaration) {
    if (ast == NULL)
        return false;
    if (ast->kind == AST_SIZEOF || ast->named != NULL)
        return names(ast, declaration);
    for (int i = 0; i < ast->kid_count; i++)
        if (asks_size(ast->kids[i], declaration))
            return true;
    return false;
}

/* NULL: none is written. */
static const struct ast *first_dimension(const struct ast *variable) {
    const struct ast *first = NULL;
    for (int i = 1; i < variable->kid_count; i++)
        if (first == NULL || variable->kids[i]->range.begin < first->range.begin)
            first = variable->kids[i];
    return first;
}

static bool is_type(const struct declaration *declaration) {
    return declaration != NULL && declaration->is_type;
}

/* An array of variable length becomes one of a single element: BSIM_UNREAD_LENGTH around its first
 * dimension. Others stay as they are. */
static void rewrite_length(struct rewriter *r, const struct ast *variable) {
    const struct ast *length = first_dimension(variable);
    const struct declaration *declaration = variable->declaration;
    if (length == NULL || length->from_macro || length->in_macro_arg || is_type(declaration) ||
        is_type(length->declaration) || declaration->type->kind != TYPE_ARRAY ||
        is_of_constant_type(declaration->type) || !is_unread(r, variable) ||
        asks_size(r->function->tree->ast, declaration))
        return;
    struct range at = length->range;
    at.end = at.begin;
    edits_add(r->edits, at, "BSIM_UNREAD_LENGTH(");
    at.begin = at.end = length->range.end;
    edits_add(r->edits, at, ")");
}

/* ---- Rewrite declarations ---- */

static const struct source_file *file_of(const struct rewriter *r, struct range range) {
    return r->program->files.items[range.file];
}

static const struct object *object_of(const struct rewriter *r, const struct ast *variable) {
    return program_object(r->program, r->function, variable->declaration);
}

static const struct node *node_of(const struct tree *tree, const struct object *object) {
    for (size_t i = 0; i < tree->nodes.count; i++)
        if (tree->nodes.items[i]->declares == object)
            return tree->nodes.items[i];
    return NULL;
}

/* Where the name of the declarator is, going back over `*`, `(`, qualifiers and blanks. */
static unsigned declarator_begin(const struct source_file *file, const struct ast *variable) {
    unsigned at = variable->name_range.begin;
    unsigned limit = variable->range.begin;
    for (;;) {
        unsigned back = at;
        while (back > limit && isspace((unsigned char)file->text[back - 1]))
            back--;
        if (back > limit && strchr("*(&", file->text[back - 1]) != NULL) {
            at = back - 1;
            continue;
        }
        static const char *const qualifiers[] = {"const", "restrict", "volatile", "__restrict"};
        bool found = false;
        for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
            unsigned length = (unsigned)strlen(qualifiers[i]);
            /* Only behind a star is a qualifier part of the declarator. */
            if (back > limit + length &&
                strncmp(file->text + back - length, qualifiers[i], length) == 0) {
                unsigned before = back - length;
                while (before > limit && isspace((unsigned char)file->text[before - 1]))
                    before--;
                if (before > limit && file->text[before - 1] == '*') {
                    at = before - 1;
                    found = true;
                }
            }
        }
        if (!found)
            return at;
    }
}

/* The `=` in front of an initialiser, or the end of the declarator if it cannot be found. */
static unsigned assign_sign(const struct source_file *file, const struct ast *variable) {
    unsigned at = variable->kids[0]->range.begin;
    unsigned limit = variable->name_range.end;
    while (at > limit && file->text[at - 1] != '=')
        at--;
    if (at <= limit) { /* C++: x(1), x{1} */
        unsigned open = scan_skip_space(file, limit);
        return file->text[open] == '(' || file->text[open] == '{' ? limit : variable->range.end;
    }
    at--;
    while (at > limit && isspace((unsigned char)file->text[at - 1]))
        at--;
    return at;
}

static bool defines_type(const struct source_file *file, const struct ast *variable) {
    for (unsigned at = variable->range.begin; at < variable->name_range.begin; at++)
        if (file->text[at] == '{')
            return true;
    return false;
}

static void remove_initialiser(struct rewriter *r, const struct ast *variable) {
    struct range range = variable->range;
    range.begin = assign_sign(file_of(r, range), variable);
    edits_add(r->edits, range, "");
}

struct declarators {
    const struct ast *const *items;
    int count;
    struct range whole; /* semicolon included */
};

/* Takes away those declarators for which keep[] is false; some are kept. */
static void remove_declarators(struct rewriter *r, const struct declarators *list,
                               const bool *keep) {
    const struct source_file *file = file_of(r, list->whole);
    bool first_kept = false;
    for (int i = 0; i < list->count; i++) {
        struct range range = list->whole;
        range.begin = i == 0 ? declarator_begin(file, list->items[0])
                             : list->items[i - 1]->range.end; /* the comma is behind it */
        range.end = list->items[i]->range.end;
        if (keep[i] && !first_kept && i > 0) { /* its comma goes with what was before it */
            range.end = scan_skip_space(file, range.begin) + 1;
            edits_add(r->edits, range, " ");
        }
        first_kept = first_kept || keep[i];
        if (!keep[i])
            edits_add(r->edits, range, "");
    }
}

static bool text_is_editable(const struct rewriter *r, const struct declarators *list) {
    const struct source_file *file = file_of(r, list->whole);
    if (defines_type(file, list->items[0]))
        return false;
    for (int i = 0; i < list->count; i++)
        if (list->items[i]->from_macro || list->items[i]->name_range.file != list->whole.file ||
            list->items[i]->name_range.begin < list->items[i]->range.begin)
            return false;
    return true;
}

/* `BSIM_SHARED static double b[9];` for each such array of `double a, b[9], c;`, which are then no
 * longer kept. */
static char *declare_shared(struct rewriter *r, const struct declarators *list, bool *keep) {
    const struct source_file *file = file_of(r, list->whole);
    unsigned begin = list->whole.begin, first = declarator_begin(file, list->items[0]);
    struct str out = {0};
    for (int i = 0; i < list->count; i++) {
        const struct ast *variable = list->items[i];
        if (!keep[i] || !rewrite_leaves_stack(r, variable))
            continue;
        unsigned at = declarator_begin(file, variable);
        unsigned end =
            variable->kids[0] != NULL ? assign_sign(file, variable) : variable->range.end;
        str_printf(&out, "BSIM_SHARED static %.*s%.*s; ", (int)(first - begin), file->text + begin,
                   (int)(end - at), file->text + at);
        keep[i] = false;
    }
    return rewrite_take(r, &out);
}

static void declare_kept(struct rewriter *r, const struct declarators *list) {
    worlds_wrap(r->edits, r->program, list->items, list->count, list->whole);
    rewrite_private(r, list->items, list->count, list->whole);
}

const char *rewrite_declaration(struct rewriter *r, const struct tree *tree) {
    struct str after = {0};
    struct declarators list = {(const struct ast *const *)tree->ast->kids, tree->ast->kid_count,
                               tree->ast->range};
    bool *keep = ARENA_ARRAY(&r->program->arena, bool, (size_t)list.count);
    bool all = true;
    if (list.count == 0)
        return "";
    if (!text_is_editable(r, &list)) {
        declare_kept(r, &list);
        for (size_t i = 0; i < tree->nodes.count; i++)
            rewrite_arguments(r, r->edits, tree->nodes.items[i]);
        return "";
    }
    for (int i = 0; i < list.count; i++) {
        const struct object *object = object_of(r, list.items[i]);
        const struct node *node = node_of(tree, object);
        keep[i] = slice_declares(r->slice, object);
        if (keep[i])
            rewrite_length(r, list.items[i]);
        if (node == NULL)
            continue;
        if (keep[i] && rewrite_leaves_stack(r, list.items[i]))
            continue;
        if (slice_keeps_node(r->slice, node)) {
            rewrite_arguments(r, r->edits, node);
            continue;
        }
        const char *calls = rewrite_calls(r, node);
        str_printf(&after, "%s%s", after.length > 0 ? " " : "", calls);
        if (keep[i] && list.items[i]->kids[0] != NULL)
            remove_initialiser(r, list.items[i]);
    }
    const char *before = declare_shared(r, &list, keep);
    bool none = true;
    for (int i = 0; i < list.count; i++) {
        none = none && !keep[i];
        all = all && keep[i];
    }
    char *text = rewrite_take(r, &after);
    if (none) {
        struct range range = list.whole;
        if (text[0] == '\0' && before[0] == '\0')
            range = scan_whole_lines(file_of(r, range), range);
        edits_add(r->edits, range, arena_printf(&r->program->arena, "%s%s", before, text));
        return "";
    }
    declare_kept(r, &list);
    if (before[0] != '\0')
        edits_add(r->edits, (struct range){list.whole.file, list.whole.begin, list.whole.begin},
                  before);
    if (!all)
        remove_declarators(r, &list, keep);
    return text;
}

/* File scope */

static bool keeps_object(const struct rewriter *r, const struct ast *variable) {
    const struct object *object = object_of(r, variable);
    return object != NULL && slice_declares(r->slice, object);
}

static bool has_code_of(const struct program *program, const struct ast *code, int file,
                        const char *name, size_t length) {
    if (code == NULL)
        return false;
    if (code->range.file >= 0 && code->range.file != file) {
        const char *base = path_base(program->files.items[code->range.file]->path);
        if (strlen(base) == length && strncmp(base, name, length) == 0)
            return true;
    }
    for (int i = 0; i < code->kid_count; i++)
        if (has_code_of(program, code->kids[i], file, name, length))
            return true;
    return false;
}

/* `#include "rows.inc"` inside the definition, of which the file's text is a part. */
static bool includes_code(const struct program *program, const char *line, int file,
                          const struct ast *const *code, int count) {
    size_t length = strcspn(line, "\n");
    const char *open = memchr(line, '"', length);
    const char *close =
        open != NULL ? memchr(open + 1, '"', length - (size_t)(open + 1 - line)) : NULL;
    if (close == NULL || strncmp(line + strspn(line, " \t#"), "include", 7) != 0)
        return false;
    const char *name = open + 1;
    for (const char *c = name; c < close; c++)
        name = *c == '/' ? c + 1 : name;
    for (int i = 0; i < count; i++)
        if (has_code_of(program, code[i], file, name, (size_t)(close - name)))
            return true;
    return false;
}

/* `code` is what the definition is made of. */
static void replace_definition(struct rewriter *r, struct range range,
                               const struct ast *const *code, int count, const char *by) {
    struct str text = {0}, left = {0};
    const struct source_file *file = file_of(r, range);
    range.begin = scan_before_macros(file, range.begin);
    range.begin = directives_before(file, range.begin);
    range.begin = scan_before_comment(file, range.begin);
    directives_left(&text, file, range.begin, range.end);
    str_printf(&left, "%s", by);
    for (const char *line = str_text(&text); *line != '\0';) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (!includes_code(r->program, line, range.file, code, count))
            str_addn(&left, line, length);
        line += length;
    }
    range = scan_whole_lines(file, range);
    bool begins_line = range.begin == 0 || file->text[range.begin - 1] == '\n';
    if (begins_line && range.end < file->length && file->text[range.end] == '\n' &&
        left.length == 0)
        range.end++; /* one of the two blank lines around it */
    edits_add(r->edits, range, arena_strdup(&r->program->arena, str_text(&left)));
    str_dispose(&text);
    str_dispose(&left);
}

static void rewrite_variables(struct rewriter *r, const struct unit *unit, int from, int to) {
    const struct ast *items[64];
    bool keep[64], none = true, all = true;
    struct declarators list = {.items = items, .whole = unit->definitions[from].range};
    for (int i = from; i < to && list.count < 64; i++) {
        const struct ast *variable = unit->definitions[i].variable;
        items[list.count] = variable;
        keep[list.count] = keeps_object(r, variable);
        none = none && !keep[list.count];
        all = all && keep[list.count];
        list.count++;
    }
    list.whole.end = scan_semicolon(file_of(r, list.whole), items[list.count - 1]->range.end);
    if (none && text_is_editable(r, &list)) {
        replace_definition(r, list.whole, list.items, list.count, "");
        return;
    }
    declare_kept(r, &list);
    if (!all && text_is_editable(r, &list))
        remove_declarators(r, &list, keep);
}

static bool is_seen(const struct edits *seen, struct range range) {
    for (size_t i = 0; i < seen->items.count; i++)
        if (seen->items.items[i].range.file == range.file &&
            (seen->items.items[i].range.begin == range.begin ||
             seen->items.items[i].range.end == range.end))
            return true;
    return false;
}

/* Of a definition that is overridden: those who call the other one still have to know its type. */
static const char *declared_otherwise(struct rewriter *r, const struct definition *definition) {
    const struct declaration *declaration = definition->declaration;
    const struct function *taken = declaration->overridden_by != NULL
                                       ? program_function(r->program, declaration->overridden_by)
                                       : NULL;
    if (taken == NULL || !kept_definition(r->slice, taken))
        return "";
    return arena_printf(&r->program->arena, "extern __typeof__(%s) %s;\n", declaration->type->name,
                        declaration->name);
}

/* A removed definition, or the prototype of a static function that is removed. */
static void rewrite_function(struct rewriter *r, const struct definition *definition) {
    const struct function *function = program_function(r->program, definition->declaration->key);
    struct range range = definition->range;
    const struct ast *body = definition->body;
    if (function == NULL || kept_definition(r->slice, function) ||
        shared_text_stays(r->slice, function))
        return;
    if (definition->stays_defined) {
        if (body != NULL && !body->from_macro)
            edits_add(r->edits, body->range,
                      arena_printf(&r->program->arena, "{ %s }",
                                   rewrite_zero_return(r->program, function)));
        return;
    }
    if (hash_table_find_text(&r->attribute_names, function->name) != NULL) {
        if (body != NULL && !body->from_macro) /* it stays declared */
            edits_add(r->edits, body->range, ";");
        return;
    }
    range = body != NULL ? shared_text_whole(function) : range;
    if (body == NULL)
        range.end = scan_semicolon(file_of(r, range), range.end);
    replace_definition(r, range, &body, 1, declared_otherwise(r, definition));
}

void rewrite_file_scope(struct edits *out, const struct plan *plan) {
    struct rewriter r = {.plan = plan, .slice = plan->slice, .program = plan->slice->program};
    struct edits seen = {0}; /* a header's definitions come with each unit that includes it */
    r.edits = out;
    r.pinned = rewrite_pinned(r.program);
    attribute_names_find(&r.attribute_names, r.program);
    for (size_t u = 0; u < r.program->units.count; u++) {
        const struct unit *unit = r.program->units.items[u];
        for (int i = 0; i < unit->definition_count;) {
            const struct definition *definition = &unit->definitions[i];
            int next = i + 1;
            while (definition->variable != NULL && next < unit->definition_count &&
                   unit->definitions[next].variable != NULL &&
                   unit->definitions[next].range.file == definition->range.file &&
                   unit->definitions[next].range.begin == definition->range.begin)
                next++;
            if (!is_seen(&seen, definition->range)) {
                edits_add(&seen, definition->range, "");
                if (definition->variable != NULL && !definition->variable->is_unwritten)
                    rewrite_variables(&r, unit, i, next);
                else if (definition->variable == NULL)
                    rewrite_function(&r, definition);
            }
            i = next;
        }
    }
    edits_dispose(&seen);
    hash_table_dispose(&r.attribute_names);
}

const char *rewrite_zero_return(struct program *program, const struct function *function) {
    const struct type *type = function->result_type;
    if (type->kind == TYPE_VOID)
        return "return;";
    if (program->units.items[function->unit]->is_cxx)
        return cxx_text_return(program, type);
    if (type->kind == TYPE_RECORD)
        return arena_printf(&program->arena, "return (%s){0};", type->name);
    return "return 0;";
}
