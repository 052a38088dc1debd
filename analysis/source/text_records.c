/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations are read up to the first record, whose name is then the token in hand; from there on
 * a token ends with each line. A block is BLOCK_EVENTS records.
 */
#include "analysis/source/text_records.h"

#include "analysis/source/source_token.h"
#include "base/vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_EVENTS 1024 /* their values stay in a cache of the second level */
#define MOST_FIELDS 256   /* of a kind; a block of the widest kind takes 2 MiB */

typedef VEC(struct event_field) field_list;

struct text_records {
    struct event_source source; /* first: it is what the caller has */
    struct arena arena;
    struct source_tokens tokens;
    VEC(struct source_kind) kinds;
    VEC(struct event_constant) constants;
    struct hash_table kind_numbers; /* name -> size_t */
    struct source_event events[BLOCK_EVENTS];
    union event_value *values;
    size_t most_fields;
};

struct record_type_word {
    const char *word;
    enum event_type type;
};

static const struct record_type_word type_words[] = {
    {"int", EVENT_INT},      {"long", EVENT_INT},      {"float", EVENT_FLOAT},
    {"double", EVENT_FLOAT}, {"string", EVENT_STRING},
};

static int read_type(enum event_type *out, struct text_records *records, struct error *error) {
    const char *word = str_text(&records->tokens.token.text);
    for (size_t i = 0; i < sizeof type_words / sizeof *type_words; i++)
        if (records->tokens.token.type == TOKEN_WORD && strcmp(word, type_words[i].word) == 0) {
            *out = type_words[i].type;
            return 0;
        }
    return source_token_fail(&records->tokens, error,
                             "a type is expected, not '%s'; write int, long, float, double or "
                             "string",
                             word);
}

/* The next token that is no end of a line. */
static int next_in_declaration(struct text_records *records, struct error *error) {
    do {
        if (source_tokens_next(&records->tokens, error) != 0)
            return -1;
    } while (records->tokens.token.type == TOKEN_NEWLINE);
    return 0;
}

static bool is_name(const char *text) {
    size_t letters =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return *text != '\0' && text[letters] == '\0' && strchr("0123456789", *text) == NULL;
}

static int read_name(const char **out, struct text_records *records, const char *of,
                     struct error *error) {
    const char *word = str_text(&records->tokens.token.text);
    if (records->tokens.token.type != TOKEN_WORD || !is_name(word))
        return source_token_fail(&records->tokens, error,
                                 "the name of a %s is expected, not '%s'; names have letters, "
                                 "digits and _",
                                 of, word);
    *out = arena_strdup(&records->arena, word);
    return next_in_declaration(records, error);
}

static int expect_mark(struct text_records *records, char mark, const char *behind,
                       struct error *error) {
    if (source_token_is(&records->tokens, mark))
        return 0;
    return source_token_fail(&records->tokens, error, "'%c' is missing behind %s", mark, behind);
}

static int read_field(field_list *fields, struct text_records *records, struct error *error) {
    struct event_field field = {0};
    if (fields->count == MOST_FIELDS)
        return source_token_fail(&records->tokens, error, "more than %d fields; leave some out",
                                 MOST_FIELDS);
    if (read_type(&field.type, records, error) != 0 || next_in_declaration(records, error) != 0 ||
        read_name(&field.name, records, "field", error) != 0)
        return -1;
    for (size_t i = 0; i < fields->count; i++)
        if (strcmp(fields->items[i].name, field.name) == 0)
            return source_token_fail(&records->tokens, error,
                                     "there is a field '%s' already; rename one", field.name);
    if (records->tokens.token.type == TOKEN_STRING) {
        field.unit = arena_strdup(&records->arena, str_text(&records->tokens.token.text));
        if (next_in_declaration(records, error) != 0)
            return -1;
    }
    if (expect_mark(records, ';', field.name, error) != 0)
        return -1;
    vec_push(fields, field);
    return next_in_declaration(records, error);
}

static void add_kind(struct text_records *records, const char *name, const field_list *fields) {
    struct source_kind kind = {.name = name, .field_count = fields->count};
    struct event_field *copy = ARENA_ARRAY(&records->arena, struct event_field, fields->count + 1);
    if (fields->count > 0)
        memcpy(copy, fields->items, fields->count * sizeof *copy);
    kind.fields = copy;
    size_t *number = hash_table_add_text(&records->kind_numbers, name, sizeof *number);
    *number = records->kinds.count;
    vec_push(&records->kinds, kind);
    if (records->most_fields < kind.field_count)
        records->most_fields = kind.field_count;
}

/* Behind NAME {. */
static int read_kind(struct text_records *records, const char *name, struct error *error) {
    field_list fields = {0};
    int result = 0;
    if (hash_table_find_text(&records->kind_numbers, name) != NULL)
        return source_token_fail(&records->tokens, error, "'%s' is declared already; rename one",
                                 name);
    while (result == 0 && !source_token_is(&records->tokens, '}'))
        result = read_field(&fields, records, error);
    if (result == 0)
        add_kind(records, name, &fields);
    vec_dispose(&fields);
    return result != 0 ? result : next_in_declaration(records, error);
}

static int fail_value(struct text_records *records, const char *name, enum event_type type,
                      struct error *error) {
    return source_token_fail(&records->tokens, error, "'%s' is no %s, which '%s' is",
                             str_text(&records->tokens.token.text), event_type_name(type), name);
}

/* The token's, which is a word or a string. */
static int read_value(union event_value *out, struct text_records *records, const char *name,
                      enum event_type type, struct error *error) {
    const struct str *text = &records->tokens.token.text;
    char *end = NULL;
    if (type == EVENT_STRING) {
        out->s = texts_intern(&records->source.texts, str_text(text), text->length);
        return 0;
    }
    errno = 0;
    if (type == EVENT_INT)
        out->i = strtoll(str_text(text), &end, 10);
    else
        out->f = strtod(str_text(text), &end);
    bool out_of_range = errno == ERANGE && (type == EVENT_INT || out->f != out->f);
    bool good = end != str_text(text) && *end == '\0' && !out_of_range &&
                records->tokens.token.type == TOKEN_WORD;
    return good ? 0 : fail_value(records, name, type, error);
}

/* Behind `const`. */
static int read_constant(struct text_records *records, struct error *error) {
    struct event_constant constant = {0};
    if (read_type(&constant.type, records, error) != 0 ||
        next_in_declaration(records, error) != 0 ||
        read_name(&constant.name, records, "constant", error) != 0 ||
        expect_mark(records, '=', constant.name, error) != 0 ||
        next_in_declaration(records, error) != 0 ||
        read_value(&constant.value, records, constant.name, constant.type, error) != 0 ||
        next_in_declaration(records, error) != 0)
        return -1;
    if (records->tokens.token.type == TOKEN_STRING) {
        constant.unit = arena_strdup(&records->arena, str_text(&records->tokens.token.text));
        if (next_in_declaration(records, error) != 0)
            return -1;
    }
    if (expect_mark(records, ';', "the value", error) != 0)
        return -1;
    vec_push(&records->constants, constant);
    return next_in_declaration(records, error);
}

/* *out_more is false at the first record, whose name is the token. */
static int read_declaration(bool *out_more, struct text_records *records, struct error *error) {
    struct source_token *token = &records->tokens.token;
    const char *name = str_text(&token->text);
    bool is_constant = token->type == TOKEN_WORD && strcmp(name, "const") == 0;
    *out_more = false;
    if (token->type == TOKEN_END ||
        (token->type == TOKEN_WORD && hash_table_find_text(&records->kind_numbers, name) != NULL))
        return 0;
    *out_more = true;
    if (is_constant)
        return next_in_declaration(records, error) != 0 ? -1 : read_constant(records, error);
    if (read_name(&name, records, "kind of event", error) != 0)
        return -1;
    if (!source_token_is(&records->tokens, '{'))
        return source_token_fail(&records->tokens, error,
                                 "'%s' is not declared; write %s { ... } with its fields before "
                                 "the first record",
                                 name, name);
    return next_in_declaration(records, error) != 0 ? -1 : read_kind(records, name, error);
}

static int read_fields(union event_value *values, struct text_records *records,
                       const struct source_kind *kind, struct error *error) {
    struct source_token *token = &records->tokens.token;
    for (size_t i = 0; i < kind->field_count; i++) {
        if (source_tokens_next(&records->tokens, error) != 0)
            return -1;
        if (token->type != TOKEN_WORD && token->type != TOKEN_STRING)
            return source_token_fail(&records->tokens, error,
                                     "field '%s' of %s is missing; a record of it has %zu",
                                     kind->fields[i].name, kind->name, kind->field_count);
        if (read_value(&values[i], records, kind->fields[i].name, kind->fields[i].type, error) != 0)
            return -1;
    }
    if (source_tokens_next(&records->tokens, error) != 0)
        return -1;
    if (token->type != TOKEN_NEWLINE && token->type != TOKEN_END)
        return source_token_fail(&records->tokens, error,
                                 "'%s' is too much: a record of %s has "
                                 "%zu fields",
                                 str_text(&token->text), kind->name, kind->field_count);
    return token->type == TOKEN_NEWLINE ? source_tokens_next(&records->tokens, error) : 0;
}

/* The token is its name. */
static int read_record(struct source_event *out, struct text_records *records,
                       union event_value *values, struct error *error) {
    const char *name = str_text(&records->tokens.token.text);
    const size_t *number = records->tokens.token.type == TOKEN_WORD
                               ? hash_table_find_text(&records->kind_numbers, name)
                               : NULL;
    if (number == NULL)
        return source_token_fail(&records->tokens, error,
                                 "'%s' is no kind of event; declare it before the first record",
                                 name);
    out->kind = *number;
    out->values = values;
    return read_fields(values, records, &records->kinds.items[*number], error);
}

static int next_block(const struct source_event **out, size_t *out_count,
                      struct event_source *source, struct error *error) {
    struct text_records *records = (struct text_records *)source;
    *out = records->events;
    *out_count = 0;
    while (*out_count < BLOCK_EVENTS && records->tokens.token.type != TOKEN_END) {
        union event_value *values = records->values + *out_count * records->most_fields;
        if (read_record(&records->events[*out_count], records, values, error) != 0)
            return -1;
        *out_count += source->wanted[records->events[*out_count].kind];
    }
    return 0;
}

static void close_records(struct event_source *source) {
    struct text_records *records = (struct text_records *)source;
    source_tokens_dispose(&records->tokens);
    vec_dispose(&records->kinds);
    vec_dispose(&records->constants);
    hash_table_dispose(&records->kind_numbers);
    texts_dispose(&source->texts);
    arena_dispose(&records->arena);
    free(records->values);
    free(source->wanted);
    free(records);
}

static void complete(struct text_records *records) {
    struct event_source *source = &records->source;
    source->kinds = records->kinds.items;
    source->kind_count = records->kinds.count;
    source->constants = records->constants.items;
    source->constant_count = records->constants.count;
    source->wanted = xmalloc(source->kind_count + 1);
    memset(source->wanted, true, source->kind_count + 1);
    records->values = xmalloc(BLOCK_EVENTS * (records->most_fields + 1) * sizeof *records->values);
}

int text_records_read(struct event_source **out, FILE *stream, const char *path,
                      struct error *error) {
    struct text_records *records = xmalloc(sizeof *records);
    memset(records, 0, sizeof *records);
    records->source.next = next_block;
    records->source.close = close_records;
    source_tokens_init(&records->tokens, stream, arena_strdup(&records->arena, path));
    bool more = true;
    int result = next_in_declaration(records, error);
    while (result == 0 && more)
        result = read_declaration(&more, records, error);
    complete(records);
    if (result != 0) {
        close_records(&records->source);
        return -1;
    }
    *out = &records->source;
    return 0;
}

int text_records_open(struct event_source **out, const char *path, struct error *error) {
    FILE *stream = fopen(path, "r");
    if (stream == NULL)
        return error_set(error, "cannot open %s: %s", path, strerror(errno));
    return text_records_read(out, stream, path, error);
}
