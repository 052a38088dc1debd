/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of unit_write.c -> a unit, as if it had been parsed: numbers become pointers, files the
 * program's, in the order in which parsing would have come across them.
 *
 * Types and declarations may be referred to before they are read, so each gets its memory when its
 * number is first met. Counts are checked against the bytes that are left, numbers against the
 * counts.
 */
#include "frontend/cache/unit_cache.h"

#include "frontend/cache/unit_bytes.h"

#include <limits.h>
#include <string.h>

struct unit_read_reader {
    struct arena *arena;
    const char *at, *end;
    long long most; /* types or declarations that the bytes can hold */
    bool failed;
    struct unit_record record; /* files: numbers of the program */
    VEC(const char *) paths;
    VEC(struct type *) types;
    VEC(struct declaration *) declarations;
};

static long long take(struct unit_read_reader *r) {
    long long number = 0;
    if ((size_t)(r->end - r->at) < sizeof number) {
        r->failed = true;
        return 0;
    }
    memcpy(&number, r->at, sizeof number);
    r->at += sizeof number;
    return number;
}

static long long take_within(struct unit_read_reader *r, long long least, long long most) {
    long long number = take(r);
    if (number >= least && number <= most)
        return number;
    r->failed = true;
    return least;
}

/* Each of the things counted takes at least a number. */
static int take_count(struct unit_read_reader *r) {
    long long most = (r->end - r->at) / (long long)sizeof(long long);
    return (int)take_within(r, 0, most < INT_MAX ? most : INT_MAX);
}

static const char *take_text(struct unit_read_reader *r) {
    long long length = take_within(r, -1, r->end - r->at);
    if (r->failed || length < 0 || length > r->end - r->at)
        return NULL;
    const char *text = arena_strndup(r->arena, r->at, (size_t)length);
    r->at += length;
    return text;
}

static const char *take_name(struct unit_read_reader *r) {
    const char *text = take_text(r);
    r->failed = r->failed || text == NULL;
    return text != NULL ? text : "";
}

/* A file by its place in the record; resolved once the files are the program's. */
static struct range take_range(struct unit_read_reader *r) {
    struct range range;
    range.file = (int)take_within(r, -1, (long long)r->paths.count - 1);
    range.begin = (unsigned)take_within(r, 0, UINT_MAX);
    range.end = (unsigned)take_within(r, 0, UINT_MAX);
    return range;
}

static struct type *take_type(struct unit_read_reader *r) {
    long long number = take_within(r, -1, r->most);
    if (r->failed || number < 0)
        return NULL;
    while (r->types.count <= (size_t)number)
        vec_push(&r->types, ARENA_NEW(r->arena, struct type));
    return r->types.items[number];
}

static struct declaration *take_declaration(struct unit_read_reader *r) {
    long long number = take_within(r, -1, r->most);
    if (r->failed || number < 0)
        return NULL;
    while (r->declarations.count <= (size_t)number)
        vec_push(&r->declarations, ARENA_NEW(r->arena, struct declaration));
    return r->declarations.items[number];
}

static struct ast *read_ast(struct unit_read_reader *r, int depth) {
    bool is_there = take(r) != 0;
    if (!is_there || r->failed)
        return NULL;
    struct ast *ast = ARENA_NEW(r->arena, struct ast);
    r->failed = depth > UNIT_DEEPEST;
    ast->kind = (enum ast_kind)take_within(r, 0, AST_OTHER);
    ast->range = take_range(r);
    if (ast->kind == AST_VARIABLE)
        ast->name_range = take_range(r);
    ast->line = (int)take_within(r, INT_MIN, INT_MAX);
    long long flags = take(r);
    ast->from_macro = flags & 1;
    ast->in_macro_arg = flags >> 1 & 1;
    ast->is_default = flags >> 2 & 1;
    ast->arrow = flags >> 3 & 1;
    ast->braces = flags >> 4 & 1;
    ast->has_value = flags >> 5 & 1;
    ast->is_deduced = flags >> 6 & 1;
    ast->is_unwritten = flags >> 8 & 1;
    if (ast->kind == AST_CALL)
        ast->pinned = (int)take_within(r, 0, INT_MAX);
    ast->op = take_text(r);
    ast->name = take_text(r);
    ast->type = take_type(r);
    ast->declaration = take_declaration(r);
    ast->value = take(r);
    ast->member_offset_bytes = take(r);
    ast->kid_count = take_count(r);
    if (r->failed)
        return NULL;
    ast->kids = ARENA_ARRAY(r->arena, struct ast *, (size_t)ast->kid_count);
    for (int i = 0; i < ast->kid_count && !r->failed; i++)
        ast->kids[i] = read_ast(r, depth + 1);
    if (flags >> 7 & 1)
        ast->named = read_ast(r, depth + 1);
    return ast;
}

static void read_definition(struct unit_read_reader *r, struct definition *out) {
    out->declaration = take_declaration(r);
    out->range = take_range(r);
    out->body = read_ast(r, 0);
    out->parameter_count = take_count(r);
    out->parameters =
        ARENA_ARRAY(r->arena, const struct declaration *, (size_t)out->parameter_count);
    out->parameter_variables = ARENA_ARRAY(r->arena, struct ast *, (size_t)out->parameter_count);
    for (int i = 0; i < out->parameter_count && !r->failed; i++) {
        out->parameters[i] = take_declaration(r);
        out->parameter_variables[i] = read_ast(r, 0);
    }
    out->result = take_type(r);
    out->named = read_ast(r, 0);
    out->variable = read_ast(r, 0);
    long long flags = take(r);
    out->is_extern = flags & 1;
    out->is_constructor = flags >> 1 & 1;
    out->is_destructor = flags >> 2 & 1;
    out->is_instance = flags >> 4 & 1;
    out->stays_defined = flags >> 3 & 1;
    r->failed = r->failed || out->declaration == NULL;
}

static void read_declaration(struct unit_read_reader *r, struct declaration *out) {
    out->kind = (enum declaration_kind)take_within(r, 0, DECLARATION_CONSTANT);
    out->name = take_name(r);
    out->type = take_type(r);
    long long flags = take(r);
    out->external_linkage = flags & 1;
    out->static_storage = flags >> 1 & 1;
    out->parameter = flags >> 2 & 1;
    out->global = flags >> 3 & 1;
    out->thread_local_storage = flags >> 4 & 1;
    out->in_project = flags >> 5 & 1;
    out->variadic = flags >> 6 & 1;
    out->is_constant = flags >> 7 & 1;
    out->has_hidden_body = flags >> 8 & 1;
    out->is_type = flags >> 9 & 1;
    out->is_cxx = flags >> 10 & 1;
    out->line = (int)take_within(r, INT_MIN, INT_MAX);
    out->name_range = take_range(r);
    out->symbol = take_text(r);
    out->section = take_text(r);
}

static void read_alias(struct unit_read_reader *r, struct alias *out) {
    out->declaration = take_declaration(r);
    out->target = take_declaration(r);
    out->symbol = take_name(r);
    out->range = take_range(r);
    long long flags = take(r);
    out->is_resolved = flags & 1;
    out->is_reference = flags >> 1 & 1;
    r->failed = r->failed || out->declaration == NULL;
}

static void read_parameters(struct unit_read_reader *r, struct type *out) {
    out->parameter_count = (int)take_within(r, -1, (r->end - r->at) / (long long)sizeof(long long));
    if (r->failed || out->parameter_count < 0)
        return;
    out->parameters = ARENA_ARRAY(r->arena, const struct type *, (size_t)out->parameter_count + 1);
    for (int i = 0; i < out->parameter_count && !r->failed; i++)
        out->parameters[i] = take_type(r);
}

static void read_type(struct unit_read_reader *r, struct type *out) {
    out->kind = (enum type_kind)take_within(r, 0, TYPE_OTHER);
    out->size_bytes = take(r);
    out->element = take_type(r);
    long long flags = take(r);
    out->variable_length = flags & 1;
    out->is_union = flags >> 1 & 1;
    out->is_scoped = flags >> 2 & 1;
    out->name = take_name(r);
    out->field_count = take_count(r);
    out->fields = ARENA_ARRAY(r->arena, struct field, (size_t)out->field_count);
    for (int i = 0; i < out->field_count && !r->failed; i++) {
        out->fields[i].name = take_name(r);
        out->fields[i].offset_bytes = take(r);
        out->fields[i].type = take_type(r);
    }
    read_parameters(r, out);
}

static struct unit_macro take_macro(struct unit_read_reader *r) {
    struct unit_macro macro = {.range = take_range(r)};
    macro.name = take_name(r);
    return macro;
}

static void read_record(struct unit_read_reader *r) {
    for (int i = take_count(r); i > 0 && !r->failed; i--)
        vec_push(&r->paths, take_name(r));
    for (int i = take_count(r); i > 0 && !r->failed; i--)
        vec_push(&r->record.macros, take_macro(r));
    for (int i = take_count(r); i > 0 && !r->failed; i--)
        vec_push(&r->record.seen, take_name(r));
    for (int i = take_count(r); i > 0 && !r->failed; i--)
        vec_push(&r->record.spelled, take_range(r));
}

static void read_unit(struct unit_read_reader *r, struct unit *unit) {
    read_record(r);
    long long flags = take(r);
    unit->is_cxx = flags & 1;
    unit->stays_whole = flags >> 1 & 1;
    unit->definition_count = take_count(r);
    unit->definitions =
        ARENA_ARRAY(r->arena, struct definition, (size_t)unit->definition_count + 1);
    for (int i = 0; i < unit->definition_count && !r->failed; i++)
        read_definition(r, &unit->definitions[i]);
    unit->named = read_ast(r, 0);
    unit->alias_count = take_count(r);
    unit->aliases = ARENA_ARRAY(r->arena, struct alias, (size_t)unit->alias_count + 1);
    for (int i = 0; i < unit->alias_count && !r->failed; i++)
        read_alias(r, &unit->aliases[i]);
    size_t count = (size_t)take_count(r);
    for (size_t i = 0; i < count && i < r->declarations.count && !r->failed; i++)
        read_declaration(r, r->declarations.items[i]);
    r->failed = r->failed || count != r->declarations.count;
    size_t types = 0;
    for (; take(r) == 1 && !r->failed && types < r->types.count; types++)
        read_type(r, r->types.items[types]);
    r->failed = r->failed || types != r->types.count || r->at != r->end;
}

/* Numbers of files become the program's */

static void place_range(const struct unit_read_reader *r, struct range *range) {
    if (range->file >= 0)
        range->file = r->record.files.items[range->file];
}

static void place_ast(const struct unit_read_reader *r, struct ast *ast) {
    if (ast == NULL)
        return;
    place_range(r, &ast->range);
    if (ast->kind == AST_VARIABLE)
        place_range(r, &ast->name_range);
    for (int i = 0; i < ast->kid_count; i++)
        place_ast(r, ast->kids[i]);
    place_ast(r, ast->named);
}

static void place_declaration(const struct unit_read_reader *r, struct declaration *d) {
    place_range(r, &d->name_range);
    d->key = d->external_linkage ? (d->symbol != NULL ? d->symbol : d->name)
                                 : arena_printf(r->arena, "%d:%u:%s", d->name_range.file,
                                                d->name_range.begin, d->name);
}

static void place(struct unit_read_reader *r, struct unit *unit) {
    for (size_t i = 0; i < r->record.macros.count; i++)
        place_range(r, &r->record.macros.items[i].range);
    for (size_t i = 0; i < r->record.spelled.count; i++)
        place_range(r, &r->record.spelled.items[i]);
    for (size_t i = 0; i < r->declarations.count; i++)
        place_declaration(r, r->declarations.items[i]);
    for (int i = 0; i < unit->definition_count; i++) {
        place_range(r, &unit->definitions[i].range);
        place_ast(r, unit->definitions[i].body);
        place_ast(r, unit->definitions[i].named);
        place_ast(r, unit->definitions[i].variable);
        for (int k = 0; k < unit->definitions[i].parameter_count; k++)
            place_ast(r, unit->definitions[i].parameter_variables[k]);
    }
    place_ast(r, unit->named);
    for (int i = 0; i < unit->alias_count; i++)
        place_range(r, &unit->aliases[i].range);
}

struct unit *unit_read(struct program *program, const char *path, const char *bytes,
                       size_t length) {
    struct unit_read_reader r = {.arena = &program->arena, .at = bytes};
    struct unit *unit = ARENA_NEW(r.arena, struct unit);
    r.end = bytes + length;
    r.most = (long long)(length / sizeof(long long));
    unit->path = arena_strdup(r.arena, path);
    read_unit(&r, unit);
    for (size_t i = 0; i < r.paths.count && !r.failed; i++) {
        int file = program_file(program, r.paths.items[i]);
        r.failed = file < 0;
        vec_push(&r.record.files, file);
    }
    if (!r.failed) {
        place(&r, unit);
        unit_record_replay(program, &r.record);
    }
    unit_record_dispose(&r.record);
    vec_dispose(&r.paths);
    vec_dispose(&r.types);
    vec_dispose(&r.declarations);
    return r.failed ? NULL : unit;
}
