/* SPDX-License-Identifier: Apache-2.0
 *
 * A parsed unit and its record as bytes, and back, as if it had been parsed.
 *
 * Each structure is written as it lies in memory, once, in the order in which it is first pointed
 * to. In the place of a pointer stands the number of the structure that it points to, or how long a
 * text is that follows, and in the place of a file its place in the record. Tables say where each
 * structure has its pointers; writer and reader walk along the same ones.
 *
 * Entries are read where they were written, so numbers are in the machine's order. Lengths and
 * numbers of structures are checked against the bytes; what else they hold is taken as it is.
 */
#include "frontend/cache/unit_cache.h"

#include "base/hash_table.h"

#include <stdlib.h>
#include <string.h>

/* ---- Where pointers are ---- */

enum link_kind {
    LINK_END,
    LINK_TEXT,
    LINK_RANGE,    /* no pointer: a file */
    LINK_OBJECT,   /* a structure that others may point to as well */
    LINK_OBJECTS,  /* an array of pointers to such */
    LINK_ITEMS,    /* an array of structures of its own */
    LINK_LEFT_OUT, /* what only all units together tell, or what place_declarations sets */
};

struct unit_link {
    enum link_kind kind;
    size_t offset, count_offset; /* count: an int */
    const struct unit_layout *of;
};

struct unit_layout {
    size_t size;
    const struct unit_link *links; /* ends with {0} */
};

/* All that is kept of a unit. */
struct unit_image {
    struct unit unit;
    int macro_count, seen_count, spelled_count;
    struct unit_macro *macros;
    const char **seen;
    struct range *spelled;
};

#define LAYOUT(type, ...)                                                                          \
    static const struct unit_layout type##_layout = {                                              \
        sizeof(struct type), (const struct unit_link[]){__VA_ARGS__, {LINK_END, 0, 0, NULL}}}
#define TEXT(type, member) {LINK_TEXT, offsetof(struct type, member), 0, NULL}
#define RANGE(type, member) {LINK_RANGE, offsetof(struct type, member), 0, NULL}
#define OBJECT(type, member, of) {LINK_OBJECT, offsetof(struct type, member), 0, &of##_layout}
#define LEFT_OUT(type, member) {LINK_LEFT_OUT, offsetof(struct type, member), 0, NULL}
#define MANY(kind, type, member, count, of)                                                        \
    {kind, offsetof(struct type, member), offsetof(struct type, count), &of##_layout}

static const struct unit_layout type_layout;

LAYOUT(field, TEXT(field, name), OBJECT(field, type, type));
LAYOUT(type, TEXT(type, name), OBJECT(type, element, type),
       MANY(LINK_ITEMS, type, fields, field_count, field),
       MANY(LINK_OBJECTS, type, parameters, parameter_count, type));
LAYOUT(declaration, TEXT(declaration, name), LEFT_OUT(declaration, key), TEXT(declaration, symbol),
       LEFT_OUT(declaration, overridden_by), TEXT(declaration, section),
       OBJECT(declaration, type, type), RANGE(declaration, name_range));

static const struct unit_layout ast_layout;

LAYOUT(ast, RANGE(ast, range), TEXT(ast, op), TEXT(ast, name), OBJECT(ast, type, type),
       OBJECT(ast, declaration, declaration), RANGE(ast, name_range),
       MANY(LINK_OBJECTS, ast, kids, kid_count, ast), OBJECT(ast, named, ast));
LAYOUT(definition, OBJECT(definition, declaration, declaration), RANGE(definition, range),
       OBJECT(definition, body, ast),
       MANY(LINK_OBJECTS, definition, parameters, parameter_count, declaration),
       MANY(LINK_OBJECTS, definition, parameter_variables, parameter_count, ast),
       OBJECT(definition, result, type), OBJECT(definition, named, ast),
       OBJECT(definition, variable, ast));
LAYOUT(alias, OBJECT(alias, declaration, declaration), OBJECT(alias, target, declaration),
       TEXT(alias, symbol), RANGE(alias, range));
LAYOUT(unit_macro, RANGE(unit_macro, range), TEXT(unit_macro, name));

static const struct unit_layout text_layout = {
    sizeof(char *), (const struct unit_link[]){{LINK_TEXT, 0, 0, NULL}, {LINK_END, 0, 0, NULL}}};
static const struct unit_layout range_layout = {
    sizeof(struct range),
    (const struct unit_link[]){{LINK_RANGE, 0, 0, NULL}, {LINK_END, 0, 0, NULL}}};

LAYOUT(unit_image, LEFT_OUT(unit_image, unit.path),
       MANY(LINK_ITEMS, unit_image, unit.definitions, unit.definition_count, definition),
       MANY(LINK_ITEMS, unit_image, unit.aliases, unit.alias_count, alias),
       OBJECT(unit_image, unit.named, ast),
       MANY(LINK_ITEMS, unit_image, macros, macro_count, unit_macro),
       MANY(LINK_ITEMS, unit_image, seen, seen_count, text),
       MANY(LINK_ITEMS, unit_image, spelled, spelled_count, range));

/* A new member that is a pointer or a range goes into the tables above; then the size, here. */
#if defined(__x86_64__) || defined(__aarch64__)
_Static_assert(sizeof(struct ast) == 112, "put the new pointer into the table");
_Static_assert(sizeof(struct type) == 64, "put the new pointer into the table");
_Static_assert(sizeof(struct field) == 24, "put the new pointer into the table");
_Static_assert(sizeof(struct declaration) == 88, "put the new pointer into the table");
_Static_assert(sizeof(struct definition) == 88, "put the new pointer into the table");
_Static_assert(sizeof(struct alias) == 40, "put the new pointer into the table");
_Static_assert(sizeof(struct unit) == 48, "put the new pointer into the table");
#endif
_Static_assert(sizeof(size_t) == sizeof(void *), "numbers stand where pointers are");

/* Arrays hold as many; negative: there is none. */
static int count_of(const struct unit_link *link, const char *object) {
    return *(const int *)(const void *)(object + link->count_offset);
}

struct unit_object {
    char *at;
    const struct unit_layout *of;
};

/* ---- Writing ---- */

struct unit_writer {
    struct str *out;
    int *places;               /* by file of the program: its place in the record, -1: not there */
    struct hash_table numbers; /* by pointer; of the first object 1 */
    VEC(struct unit_object) objects;
    bool failed;
};

static size_t number_of(struct unit_writer *w, char *object, const struct unit_layout *of) {
    if (object == NULL)
        return 0;
    size_t *number = hash_table_find(&w->numbers, &object, sizeof object);
    if (number == NULL) {
        number = hash_table_add(&w->numbers, &object, sizeof object, sizeof *number);
        vec_push(&w->objects, (struct unit_object){object, of});
        *number = w->objects.count;
    }
    return *number;
}

/* A range of zeroes is none: nobody has set it. */
static void write_file(struct unit_writer *w, size_t at, const struct range *range) {
    bool is_none = range->file < 0 || range->end == 0;
    int place = is_none ? -1 : w->places[range->file];
    w->failed = w->failed || (place < 0 && !is_none);
    memcpy(w->out->text + at, &place, sizeof place);
}

/* The object's bytes are at `at` already. */
static void write_links(struct unit_writer *w, size_t at, const char *object,
                        const struct unit_layout *layout) {
    for (const struct unit_link *link = layout->links; link->kind != LINK_END; link++) {
        size_t place = at + link->offset, instead = 0;
        if (link->kind == LINK_RANGE) {
            write_file(w, place, (const struct range *)(const void *)(object + link->offset));
            continue;
        }
        char *target = *(char *const *)(const void *)(object + link->offset);
        size_t begin = w->out->length;
        if (link->kind == LINK_TEXT && target != NULL) {
            instead = strlen(target) + 1;
            str_addn(w->out, target, instead);
        } else if (link->kind == LINK_OBJECT) {
            instead = number_of(w, target, link->of);
        } else if (link->kind == LINK_OBJECTS) {
            for (int i = 0; i < count_of(link, object); i++) {
                size_t number = number_of(w, ((char **)(void *)target)[i], link->of);
                str_addn(w->out, (const char *)&number, sizeof number);
            }
        } else if (link->kind == LINK_ITEMS && count_of(link, object) > 0) {
            str_addn(w->out, target, (size_t)count_of(link, object) * link->of->size);
            for (size_t i = 0; i < (size_t)count_of(link, object); i++)
                write_links(w, begin + i * link->of->size, target + i * link->of->size, link->of);
        }
        memcpy(w->out->text + place, &instead, sizeof instead);
    }
}

bool unit_write(struct str *out, const struct program *program, const struct unit *unit,
                const struct unit_record *record) {
    struct unit_writer w = {.out = out};
    struct unit_image image = {.unit = *unit,
                               .macro_count = (int)record->macros.count,
                               .seen_count = (int)record->seen.count,
                               .spelled_count = (int)record->spelled.count,
                               .macros = record->macros.items,
                               .seen = record->seen.items,
                               .spelled = record->spelled.items};
    w.places = xmalloc((program->files.count + 1) * sizeof(int));
    for (size_t i = 0; i < program->files.count; i++)
        w.places[i] = -1;
    for (size_t i = 0; i < record->files.count; i++)
        w.places[record->files.items[i]] = (int)i;
    number_of(&w, (char *)&image, &unit_image_layout);
    for (size_t i = 0; i < w.objects.count; i++) {
        const struct unit_object object = w.objects.items[i];
        size_t at = out->length;
        str_addn(out, object.at, object.of->size);
        write_links(&w, at, object.at, object.of);
    }
    hash_table_dispose(&w.numbers);
    vec_dispose(&w.objects);
    free(w.places);
    return !w.failed;
}

/* ---- Reading ---- */

struct unit_reader {
    struct arena *arena;
    const char *at, *end;
    const int *files; /* of the program, by place in the record */
    size_t file_count;
    VEC(struct unit_object) objects;
    bool failed;
};

/* NULL: there are not so many. */
static const char *take(struct unit_reader *r, size_t bytes) {
    const char *taken = r->at;
    r->failed = r->failed || (size_t)(r->end - r->at) < bytes;
    if (r->failed)
        return NULL;
    r->at += bytes;
    return taken;
}

static char *take_copy(struct unit_reader *r, size_t bytes) {
    const char *taken = take(r, bytes);
    return taken != NULL ? memcpy(arena_alloc(r->arena, bytes + 1), taken, bytes) : NULL;
}

static char *object_of(struct unit_reader *r, size_t number, const struct unit_layout *of) {
    if (number == 0)
        return NULL;
    if (number == r->objects.count + 1)
        vec_push(&r->objects, (struct unit_object){arena_alloc(r->arena, of->size), of});
    r->failed = r->failed || number > r->objects.count || r->objects.items[number - 1].of != of;
    return r->failed ? NULL : r->objects.items[number - 1].at;
}

static void read_file(struct unit_reader *r, struct range *range) {
    r->failed = r->failed || range->file >= (int)r->file_count;
    range->file = r->failed || range->file < 0 ? -1 : r->files[range->file];
}

static void read_links(struct unit_reader *r, char *object, const struct unit_layout *layout) {
    for (const struct unit_link *link = layout->links; link->kind != LINK_END; link++) {
        char *member = object + link->offset, **target = (char **)(void *)member;
        size_t number, left = (size_t)(r->end - r->at);
        if (link->kind == LINK_RANGE) {
            read_file(r, (struct range *)(void *)member);
            continue;
        }
        memcpy(&number, member, sizeof number);
        *target = NULL;
        int count =
            link->kind == LINK_OBJECTS || link->kind == LINK_ITEMS ? count_of(link, object) : -1;
        r->failed = r->failed || (count > 0 && (size_t)count > left);
        if (r->failed)
            return;
        if (link->kind == LINK_TEXT && number > 0) {
            *target = take_copy(r, number);
        } else if (link->kind == LINK_OBJECT) {
            *target = object_of(r, number, link->of);
        } else if (link->kind == LINK_OBJECTS && count >= 0) {
            *target = take_copy(r, (size_t)count * sizeof(char *));
            for (int i = 0; i < count && !r->failed; i++) {
                memcpy(&number, *target + (size_t)i * sizeof number, sizeof number);
                ((char **)(void *)*target)[i] = object_of(r, number, link->of);
            }
        } else if (link->kind == LINK_ITEMS && count >= 0) {
            *target = take_copy(r, (size_t)count * link->of->size);
            for (int i = 0; i < count && !r->failed; i++)
                read_links(r, *target + (size_t)i * link->of->size, link->of);
        }
    }
}

/* A key is the name, or made of the file's number in this run. */
static void place_declarations(struct unit_reader *r) {
    for (size_t i = 0; i < r->objects.count; i++) {
        struct declaration *d = (struct declaration *)(void *)r->objects.items[i].at;
        if (r->objects.items[i].of != &declaration_layout)
            continue;
        d->key = d->external_linkage ? (d->symbol != NULL ? d->symbol : d->name)
                                     : arena_printf(r->arena, "%d:%u:%s", d->name_range.file,
                                                    d->name_range.begin, d->name);
    }
}

struct unit *unit_read(struct program *program, const char *path, const path_list *files,
                       const struct cache_reader *bytes) {
    struct unit_reader r = {.arena = &program->arena, .at = bytes->at, .end = bytes->end};
    int *numbers = ARENA_ARRAY(r.arena, int, files->count + 1);
    for (size_t i = 0; i < files->count; i++) {
        numbers[i] = program_file(program, files->items[i]);
        r.failed = r.failed || numbers[i] < 0;
    }
    r.files = numbers;
    r.file_count = files->count;
    struct unit_image *image = (void *)object_of(&r, 1, &unit_image_layout);
    for (size_t i = 0; i < r.objects.count && !r.failed; i++) {
        const struct unit_object object = r.objects.items[i];
        const char *taken = take(&r, object.of->size);
        if (taken != NULL) {
            memcpy(object.at, taken, object.of->size);
            read_links(&r, object.at, object.of);
        }
    }
    bool whole = !r.failed && r.at == r.end;
    if (whole) {
        place_declarations(&r);
        unit_record_replay(
            program,
            &(struct unit_record){
                .macros = {.items = image->macros, .count = (size_t)image->macro_count},
                .seen = {.items = image->seen, .count = (size_t)image->seen_count},
                .spelled = {.items = image->spelled, .count = (size_t)image->spelled_count}});
        image->unit.path = arena_strdup(r.arena, path);
    }
    vec_dispose(&r.objects);
    return whole ? &image->unit : NULL;
}
