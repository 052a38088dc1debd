/* SPDX-License-Identifier: Apache-2.0
 *
 * A parsed unit as bytes: its record (files by path, macros, names), then types, declarations and
 * definitions with their trees. Types and declarations are numbered when they are first met and
 * refer to each other by number; files by their place in the record. unit_read.c has the other
 * half.
 *
 * Numbers are 64 bits in the machine's order, texts a length and bytes: entries are read where they
 * were written.
 */
#include "frontend/cache/unit_cache.h"

#include "base/hash_table.h"
#include "frontend/cache/unit_bytes.h"

#include <stdlib.h>
#include <string.h>

struct unit_write_writer {
    struct str *out;
    const struct program *program;
    const struct unit_record *record;
    struct hash_table types, declarations; /* numbers, by pointer */
    VEC(const struct type *) type_list;
    VEC(const struct declaration *) declaration_list;
    int *local_file; /* by file of the program: its place in the record, -1: not there */
    bool failed;
};

static void put(struct unit_write_writer *w, long long number) {
    str_addn(w->out, (const char *)&number, sizeof number);
}

static void put_text(struct unit_write_writer *w, const char *text) {
    put(w, text != NULL ? (long long)strlen(text) : -1);
    if (text != NULL)
        str_add(w->out, text);
}

static void put_range(struct unit_write_writer *w, struct range range) {
    int file = range.file >= 0 ? w->local_file[range.file] : -1;
    w->failed = w->failed || (range.file >= 0 && file < 0);
    put(w, file);
    put(w, range.begin);
    put(w, range.end);
}

/* What it was given when it first came up; the next one, and then *is_new. */
static long long number_of(struct hash_table *numbers, const void *pointer, size_t next,
                           bool *is_new) {
    const long long *known = hash_table_find(numbers, &pointer, sizeof pointer);
    *is_new = known == NULL;
    if (known != NULL)
        return *known;
    long long *number = hash_table_add(numbers, &pointer, sizeof pointer, sizeof *number);
    *number = (long long)next;
    return *number;
}

static long long type_number(struct unit_write_writer *w, const struct type *type) {
    bool is_new;
    if (type == NULL)
        return -1;
    long long number = number_of(&w->types, type, w->type_list.count, &is_new);
    if (is_new)
        vec_push(&w->type_list, type);
    return number;
}

static long long declaration_number(struct unit_write_writer *w,
                                    const struct declaration *declaration) {
    bool is_new;
    if (declaration == NULL)
        return -1;
    long long number = number_of(&w->declarations, declaration, w->declaration_list.count, &is_new);
    if (is_new)
        vec_push(&w->declaration_list, declaration);
    return number;
}

static void put_ast(struct unit_write_writer *w, const struct ast *ast, int depth) {
    put(w, ast != NULL);
    w->failed = w->failed || depth > UNIT_DEEPEST;
    if (ast == NULL || w->failed)
        return;
    put(w, ast->kind);
    put_range(w, ast->range);
    if (ast->kind == AST_VARIABLE)
        put_range(w, ast->name_range);
    put(w, ast->line);
    put(w, ast->from_macro | ast->in_macro_arg << 1 | ast->is_default << 2 | ast->arrow << 3 |
               ast->braces << 4 | ast->has_value << 5 | ast->is_deduced << 6 |
               (ast->named != NULL) << 7 | ast->is_unwritten << 8);
    if (ast->kind == AST_CALL)
        put(w, ast->pinned);
    put_text(w, ast->op);
    put_text(w, ast->name);
    put(w, type_number(w, ast->type));
    put(w, declaration_number(w, ast->declaration));
    put(w, ast->value);
    put(w, ast->member_offset_bytes);
    put(w, ast->kid_count);
    for (int i = 0; i < ast->kid_count; i++)
        put_ast(w, ast->kids[i], depth + 1);
    if (ast->named != NULL)
        put_ast(w, ast->named, depth + 1);
}

static void put_parameter(struct unit_write_writer *w, const struct definition *definition,
                          int index) {
    put(w, declaration_number(w, definition->parameters[index]));
    put_ast(w, definition->parameter_variables[index], 0);
}

static void put_alias(struct unit_write_writer *w, const struct alias *alias) {
    put(w, declaration_number(w, alias->declaration));
    put(w, declaration_number(w, alias->target));
    put_text(w, alias->symbol);
    put_range(w, alias->range);
    put(w, alias->is_resolved | alias->is_reference << 1);
}

static void put_definition(struct unit_write_writer *w, const struct definition *definition) {
    put(w, declaration_number(w, definition->declaration));
    put_range(w, definition->range);
    put_ast(w, definition->body, 0);
    put(w, definition->parameter_count);
    for (int i = 0; i < definition->parameter_count; i++)
        put_parameter(w, definition, i);
    put(w, type_number(w, definition->result));
    put_ast(w, definition->named, 0);
    put_ast(w, definition->variable, 0);
    put(w, definition->is_extern | definition->is_constructor << 1 |
               definition->is_destructor << 2 | definition->stays_defined << 3 |
               definition->is_instance << 4);
}

/* A key is the name, or made of the file's number in this run. */
static void put_declaration(struct unit_write_writer *w, const struct declaration *d) {
    put(w, d->kind);
    put_text(w, d->name);
    put(w, type_number(w, d->type));
    put(w, d->external_linkage | d->static_storage << 1 | d->parameter << 2 | d->global << 3 |
               d->thread_local_storage << 4 | d->in_project << 5 | d->variadic << 6 |
               d->is_constant << 7 | d->has_hidden_body << 8 | d->is_type << 9 | d->is_cxx << 10);
    put(w, d->line);
    put_range(w, d->name_range);
    put_text(w, d->symbol);
    put_text(w, d->section);
}

static void put_type(struct unit_write_writer *w, const struct type *type) {
    put(w, type->kind);
    put(w, type->size_bytes);
    put(w, type_number(w, type->element));
    put(w, type->variable_length | type->is_union << 1 | type->is_scoped << 2);
    put_text(w, type->name);
    put(w, type->field_count);
    for (int i = 0; i < type->field_count; i++) {
        put_text(w, type->fields[i].name);
        put(w, type->fields[i].offset_bytes);
        put(w, type_number(w, type->fields[i].type));
    }
    put(w, type->parameter_count);
    for (int i = 0; i < type->parameter_count; i++)
        put(w, type_number(w, type->parameters[i]));
}

static void put_macro(struct unit_write_writer *w, const struct unit_macro *macro) {
    put_range(w, macro->range);
    put_text(w, macro->name);
}

static void put_record(struct unit_write_writer *w) {
    const struct unit_record *record = w->record;
    put(w, (long long)record->files.count);
    for (size_t i = 0; i < record->files.count; i++)
        put_text(w, w->program->files.items[record->files.items[i]]->path);
    put(w, (long long)record->macros.count);
    for (size_t i = 0; i < record->macros.count; i++)
        put_macro(w, &record->macros.items[i]);
    put(w, (long long)record->seen.count);
    for (size_t i = 0; i < record->seen.count; i++)
        put_text(w, record->seen.items[i]);
    put(w, (long long)record->spelled.count);
    for (size_t i = 0; i < record->spelled.count; i++)
        put_range(w, record->spelled.items[i]);
}

/* Definitions first meet declarations, these types, and these further types: each list is written
 * behind what adds to it, with its length, which is known only then, in front of its items. */
bool unit_write(struct str *out, const struct program *program, const struct unit *unit,
                const struct unit_record *record) {
    struct unit_write_writer w = {.out = out, .program = program, .record = record};
    w.local_file = xmalloc((program->files.count + 1) * sizeof(int));
    for (size_t i = 0; i < program->files.count; i++)
        w.local_file[i] = -1;
    for (size_t i = 0; i < record->files.count; i++)
        w.local_file[record->files.items[i]] = (int)i;
    put_record(&w);
    put(&w, unit->is_cxx | unit->stays_whole << 1);
    put(&w, unit->definition_count);
    for (int i = 0; i < unit->definition_count; i++)
        put_definition(&w, &unit->definitions[i]);
    put_ast(&w, unit->named, 0);
    put(&w, unit->alias_count);
    for (int i = 0; i < unit->alias_count; i++)
        put_alias(&w, &unit->aliases[i]);
    put(&w, (long long)w.declaration_list.count);
    for (size_t i = 0; i < w.declaration_list.count; i++)
        put_declaration(&w, w.declaration_list.items[i]);
    for (size_t i = 0; i < w.type_list.count; i++) {
        put(&w, 1);
        put_type(&w, w.type_list.items[i]);
    }
    put(&w, 0);
    hash_table_dispose(&w.types);
    hash_table_dispose(&w.declarations);
    vec_dispose(&w.type_list);
    vec_dispose(&w.declaration_list);
    free(w.local_file);
    return !w.failed;
}
