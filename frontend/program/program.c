/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's files: their text, line maps, macro calls and the diagnostics with a caret; and how
 * all of it is disposed of. build.c makes the rest.
 */
#include "frontend/program/program.h"

#include "base/file.h"
#include "base/status_line.h"
#include "frontend/program/names.h"
#include "frontend/program/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIASES_DEEPEST 8 /* an alias of an alias; a circle of them comes to an end */

/* Its members are all of one class, without gaps: bit-fields and the like, which are not among
 * them, would be. */
static enum value_class record_class(const struct type *record) {
    enum value_class class = CLASS_ANY;
    long long bytes = 0;
    for (int i = 0; i < record->field_count; i++) {
        enum value_class of_field = type_class(record->fields[i].type);
        if (of_field == CLASS_ANY || (i > 0 && of_field != class))
            return CLASS_ANY;
        class = of_field;
        bytes += record->fields[i].type->size_bytes;
    }
    return !record->is_union && bytes == record->size_bytes ? class : CLASS_ANY;
}

enum value_class type_class(const struct type *type) {
    while (type != NULL && type->kind == TYPE_ARRAY)
        type = type->element;
    switch (type != NULL ? type->kind : TYPE_OTHER) {
    case TYPE_INTEGER:
        return CLASS_INTEGER;
    case TYPE_FLOATING:
        return CLASS_FLOATING;
    case TYPE_POINTER:
        return CLASS_POINTER;
    case TYPE_RECORD:
        return record_class(type);
    default:
        return CLASS_ANY;
    }
}

bool type_is_variably_modified(const struct type *type) {
    while (type != NULL && type->kind == TYPE_POINTER)
        type = type->element;
    return type != NULL && type->kind == TYPE_ARRAY &&
           (type->variable_length || type_is_variably_modified(type->element));
}

static void find_lines(struct source_file *file) {
    vec_push(&file->lines, 0);
    for (size_t i = 0; i < file->length; i++)
        if (file->text[i] == '\n')
            vec_push(&file->lines, (unsigned)i + 1);
}

bool program_is_of_system(const struct program *program, const char *path) {
    return path_inside("/usr", path) && !path_inside(program->root, path);
}

int program_file(struct program *program, const char *path) {
    void *known = names_get(program->names, "file", path);
    if (known != NULL)
        return (int)(size_t)known - 1;
    struct source_file *file = ARENA_NEW(&program->arena, struct source_file);
    struct error error = {0};
    char *text = NULL;
    if (file_read(&text, &file->length, path, &error) != 0)
        return -1;
    file->path = arena_strdup(&program->arena, path);
    file->text = arena_strndup(&program->arena, text, file->length);
    free(text);
    file->in_project = path_inside(program->root, path);
    find_lines(file);
    vec_push(&program->files, file);
    names_put(program->names, "file", path, (void *)program->files.count);
    return (int)program->files.count - 1;
}

struct source_file *program_add_file(struct program *program, const char *name, const char *text) {
    struct source_file *file = ARENA_NEW(&program->arena, struct source_file);
    file->path = arena_strdup(&program->arena, name);
    file->text = arena_strdup(&program->arena, text);
    file->length = strlen(text);
    find_lines(file);
    vec_push(&program->files, file);
    return file;
}

/* What is told of a forwarder is told where its address is taken. */
static struct range mentioned(const struct program *program, struct range range) {
    const struct source_file *file = program->files.items[range.file];
    int line, column;
    program_position(program, range, &line, &column);
    return (size_t)line <= file->mentions.count ? file->mentions.items[line - 1] : range;
}

void program_position(const struct program *program, struct range range, int *line, int *column) {
    const struct source_file *file = program->files.items[range.file];
    size_t low = 0, high = file->lines.count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (file->lines.items[middle] <= range.begin)
            low = middle;
        else
            high = middle;
    }
    *line = (int)low + 1;
    *column = (int)(range.begin - file->lines.items[low]) + 1;
}

static void print_caret(const struct source_file *file, int line, int column) {
    const char *begin = file->text + file->lines.items[line - 1];
    int length = (int)strcspn(begin, "\r\n");
    fprintf(stderr, "%.*s\n", length, begin);
    for (int i = 0; i + 1 < column && i < length; i++)
        fputc(begin[i] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
}

void program_report(struct program *program, struct range range, const char *severity,
                    const char *format, ...) {
    struct arena *arena = &program->arena;
    va_list args;
    status_line_hide();
    va_start(args, format);
    if (range.file >= 0) {
        int line, column;
        range = mentioned(program, range);
        const struct source_file *file = program->files.items[range.file];
        const char *here = path_current(arena);
        const char *path =
            path_inside(here, file->path) ? path_relative(arena, here, file->path) : file->path;
        program_position(program, range, &line, &column);
        fprintf(stderr, "%s:%d:%d: %s: ", path, line, column, severity);
        vfprintf(stderr, format, args);
        fputc('\n', stderr);
        print_caret(file, line, column);
    } else {
        fprintf(stderr, "mpiskel: %s: ", severity);
        vfprintf(stderr, format, args);
        fputc('\n', stderr);
    }
    va_end(args);
    if (strcmp(severity, "error") == 0)
        program->error_count++;
}

char *program_relative(struct program *program, const char *path) {
    return path_relative(&program->arena, program->root, path);
}

char *program_text(struct program *program, struct range range) {
    const struct source_file *file = program->files.items[range.file];
    return arena_strndup(&program->arena, file->text + range.begin, range.end - range.begin);
}

const struct declaration *program_alias(const struct program *program, const char *key) {
    const struct declaration *target = NULL, *next;
    for (int i = 0; program->has_aliases && i < ALIASES_DEEPEST; i++) {
        next = names_get(program->names, "alias", target != NULL ? target->key : key);
        if (next == NULL)
            break;
        target = next;
    }
    return target;
}

const struct ast *program_argument(const struct call *call, int index) {
    if (index < 0 || (size_t)index >= call->arguments.count)
        return NULL;
    const struct argument *argument = &call->arguments.items[index];
    while (argument->passed != NULL)
        argument = argument->passed;
    return argument->ast;
}

struct function *program_function(const struct program *program, const char *key) {
    const struct declaration *target = key != NULL ? program_alias(program, key) : NULL;
    return key != NULL ? names_get(program->names, "function", target != NULL ? target->key : key)
                       : NULL;
}

bool program_sees(const struct program *program, const struct function *function,
                  const char *name) {
    char unit[32];
    snprintf(unit, sizeof unit, "seen%d", function->unit);
    return names_get(program->names, unit, name) != NULL;
}

void program_note_seen(struct program *program, const char *name) {
    char unit[32];
    snprintf(unit, sizeof unit, "seen%d", program->unit_being_read);
    names_put(program->names, unit, name, program);
}

void program_add_pragma(struct program *program, const char *name) {
    names_put(program->names, "pragma", name, program);
}

bool program_is_pragma(const struct program *program, const char *name) {
    return names_get(program->names, "pragma", name) != NULL;
}

size_t source_macro_behind(const struct source_file *source, unsigned place) {
    size_t low = 0, high = source->macros.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (source->macros.items[middle].end <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void program_add_macro(struct program *program, struct range range, const char *name) {
    struct source_file *source = program->files.items[range.file];
    size_t at = source_macro_behind(source, range.begin), inside = 0, count = source->macros.count;
    while (at + inside < count && source->macros.items[at + inside].begin < range.end)
        inside++;
    if (inside == 0)
        vec_push(&source->macros, range);
    struct range *items = source->macros.items + at;
    if (inside == 0) {
        memmove(items + 1, items, (count - at) * sizeof *items);
        items[0] = range;
    } else if (items[0].begin <= range.begin && items[0].end >= range.end) {
        return; /* inside of it, or seen when another unit included the file */
    } else {    /* it was none where another unit included the file, what is inside of it was */
        items[0].begin = items[0].begin < range.begin ? items[0].begin : range.begin;
        items[0].end = items[inside - 1].end > range.end ? items[inside - 1].end : range.end;
        memmove(items + 1, items + inside, (count - at - inside) * sizeof *items);
        source->macros.count -= inside - 1;
    }
    if (program_is_pragma(program, name))
        vec_push(&source->pragmas, range);
}

void program_count_spelling(struct program *program, struct range range) {
    char place[48];
    snprintf(place, sizeof place, "%d:%u", range.file, range.begin);
    size_t count = (size_t)names_get(program->names, "spelled", place) + 1;
    names_put(program->names, "spelled", place, (void *)count);
}

bool program_spelled_again(const struct program *program, struct range range) {
    char place[48];
    snprintf(place, sizeof place, "%d:%u", range.file, range.begin);
    return (size_t)names_get(program->names, "spelled", place) > 1;
}

static void dispose_node(struct node *node) {
    vec_dispose(&node->uses);
    vec_dispose(&node->defines);
    vec_dispose(&node->moves);
    vec_dispose(&node->addresses);
    vec_dispose(&node->calls);
    vec_dispose(&node->next);
    vec_dispose(&node->pseudo_next);
}

static void dispose_call(struct call *call) {
    for (size_t i = 0; i < call->arguments.count; i++) {
        vec_dispose(&call->arguments.items[i].uses);
        vec_dispose(&call->arguments.items[i].addresses);
        vec_dispose(&call->arguments.items[i].calls);
    }
    vec_dispose(&call->callee_uses);
    vec_dispose(&call->arguments);
    vec_dispose(&call->targets);
    vec_dispose(&call->callbacks);
}

static void dispose_tree(struct tree *tree) {
    if (tree == NULL)
        return;
    for (size_t i = 0; i < tree->kids.count; i++)
        dispose_tree(tree->kids.items[i]);
    dispose_tree(tree->init);
    dispose_tree(tree->step);
    vec_dispose(&tree->kids);
    vec_dispose(&tree->nodes);
    vec_dispose(&tree->named);
}

void program_dispose(struct program *program) {
    for (size_t i = 0; i < program->nodes.count; i++)
        dispose_node(program->nodes.items[i]);
    for (size_t i = 0; i < program->calls.count; i++)
        dispose_call(program->calls.items[i]);
    for (size_t i = 0; i < program->functions.count; i++) {
        dispose_tree(program->functions.items[i]->tree);
        vec_dispose(&program->functions.items[i]->parameters);
        vec_dispose(&program->functions.items[i]->locals);
        vec_dispose(&program->functions.items[i]->nodes);
    }
    for (size_t i = 0; i < program->files.count; i++) {
        vec_dispose(&program->files.items[i]->lines);
        vec_dispose(&program->files.items[i]->macros);
        vec_dispose(&program->files.items[i]->pragmas);
        vec_dispose(&program->files.items[i]->mentions);
        vec_dispose(&program->files.items[i]->counting);
    }
    for (size_t i = 0; i < program->objects.count; i++)
        vec_dispose(&program->objects.items[i]->named);
    vec_dispose(&program->files);
    vec_dispose(&program->units);
    vec_dispose(&program->functions);
    vec_dispose(&program->objects);
    vec_dispose(&program->nodes);
    vec_dispose(&program->calls);
    vec_dispose(&program->constraints);
    vec_dispose(&program->externs);
    vec_dispose(&program->named);
    vec_dispose(&program->targets);
    vec_dispose(&program->pointed_to);
    for (size_t i = 0; i < program->sections.count; i++)
        vec_dispose(&program->sections.items[i]->variables);
    vec_dispose(&program->sections);
    names_free(program->names);
    arena_dispose(&program->arena);
}
