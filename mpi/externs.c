/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads rows of extern functions (form: head of externs.def) and finds them by name.
 *
 * Line by line, a hand-written scanner over words and the punctuation ( ) { } , = and "...". The
 * rows lie in one vector that is sorted by name when the first question comes after a load; of
 * equal names the one loaded last wins.
 */
#include "mpi/externs.h"

#include "base/str.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 256
#define PARAMETERS_MAX 64

struct externs_reader {
    struct externs *out;
    struct error *error;
    const char *file;
    const char *line_start, *at;
    int line;
};

struct names {
    const char *items[NAMES_MAX];
    int count;
};

static int fail(struct externs_reader *reader, const char *place, const char *what) {
    return error_set(reader->error, "%s:%d:%d: error: %s", reader->file, reader->line,
                     (int)(place - reader->line_start) + 1, what);
}

static bool at_end(const struct externs_reader *reader) {
    return *reader->at == '\0' || *reader->at == '\n' || *reader->at == '#';
}

static void skip_blanks(struct externs_reader *reader) {
    while (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r')
        reader->at++;
}

static bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The length of the name at the current place, 0: there is none. */
static size_t name_length(const struct externs_reader *reader) {
    size_t length = 0;
    while (is_name_character(reader->at[length]))
        length++;
    return length;
}

static bool accept(struct externs_reader *reader, const char *punctuation) {
    size_t length = strlen(punctuation);
    if (strncmp(reader->at, punctuation, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* A whole word, so that "rw" is not taken for "r". */
static bool accept_word(struct externs_reader *reader, const char *word) {
    size_t length = name_length(reader);
    if (length != strlen(word) || strncmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    skip_blanks(reader);
    return true;
}

static char *take_name(struct externs_reader *reader) {
    size_t length = name_length(reader);
    char *name = arena_strndup(&reader->out->arena, reader->at, length);
    reader->at += length;
    return name;
}

/* ---- Names ---- */

static int add_name(struct names *names, struct externs_reader *reader, const char *name) {
    if (names->count == NAMES_MAX)
        return fail(reader, reader->at, "too many names in one row; split it");
    names->items[names->count++] = name;
    return 0;
}

/* stem{a,b}tail: both ends have been read up to the brace. */
static int read_alternatives(struct names *names, struct externs_reader *reader, const char *stem) {
    const char *open = reader->at;
    reader->at++;
    const char *close = open + strcspn(open, "}\n");
    if (*close != '}')
        return fail(reader, open, "this { is not closed on its line");
    size_t tail = 0;
    while (is_name_character(close[1 + tail]))
        tail++;
    for (;;) {
        size_t length = name_length(reader);
        const char *name = arena_printf(&reader->out->arena, "%s%.*s%.*s", stem, (int)length,
                                        reader->at, (int)tail, close + 1);
        if (add_name(names, reader, name) != 0)
            return -1;
        reader->at += length;
        if (reader->at == close)
            break;
        if (!accept(reader, ","))
            return fail(reader, reader->at, "expected ',' or '}' between alternatives");
    }
    reader->at = close + 1 + tail;
    return 0;
}

static int read_names(struct names *names, struct externs_reader *reader) {
    while (!at_end(reader) && *reader->at != '(') {
        if (name_length(reader) == 0 && *reader->at != '{')
            return fail(reader, reader->at, "expected a function's name or '('");
        char *name = take_name(reader);
        int result = *reader->at == '{' ? read_alternatives(names, reader, name)
                                        : add_name(names, reader, name);
        if (result != 0)
            return -1;
        skip_blanks(reader);
    }
    if (names->count == 0)
        return fail(reader, reader->at, "expected a function's name before '('");
    return accept(reader, "(") ? 0 : fail(reader, reader->at, "expected '(' after the names");
}

/* ---- Effects ---- */

/* A number from 1 to PARAMETERS_MAX; *out counts from 0. */
static int read_argument_number(int *out, struct externs_reader *reader, const char *place) {
    int number = 0;
    while (isdigit((unsigned char)*reader->at) && number <= PARAMETERS_MAX)
        number = number * 10 + (*reader->at++ - '0');
    if (number < 1 || number > PARAMETERS_MAX)
        return fail(reader, place, "expected the number of an argument, counted from 1");
    *out = number - 1;
    return 0;
}

static const struct {
    const char *word;
    enum extern_effect effect;
    bool has_other;
} effects[] = {
    {"rw", EXTERN_READ_WRITE, false}, {"rp", EXTERN_MOVED, true},
    {"ra", EXTERN_GROWN, false},      {"rl", EXTERN_READ_LIST, false},
    {"rr", EXTERN_READ_DEEP, false},  {"v", EXTERN_VALUE, false},
    {"r", EXTERN_READ, false},        {"w", EXTERN_WRITE, false},
    {"a", EXTERN_ALLOCATION, false},  {"f", EXTERN_FREED, false},
    {"c", EXTERN_COPY, true},         {"p", EXTERN_POINTER, true},
    {"k", EXTERN_KEPT, false},        {"l", EXTERN_LIST, false},
    {"d", EXTERN_FROM_DEVICE, false},
};

static int read_effect(struct extern_parameter *out, struct externs_reader *reader) {
    const char *place = reader->at;
    size_t length = name_length(reader);
    for (size_t i = 0; i < sizeof effects / sizeof effects[0]; i++) {
        size_t word = strlen(effects[i].word);
        if (strncmp(place, effects[i].word, word) != 0)
            continue;
        if (!effects[i].has_other && length != word)
            continue;
        out->effect = effects[i].effect;
        reader->at += word;
        if (effects[i].has_other && read_argument_number(&out->other, reader, place) != 0)
            return -1;
        if (reader->at == place + length)
            return 0;
    }
    return fail(reader, place,
                "expected an effect: v, r, w, rw, a, ra, d, f, k, l, rl, cN, pN or rpN");
}

static int read_parameter(struct extern_parameter *out, struct externs_reader *reader) {
    *out = (struct extern_parameter){.effect = EXTERN_VALUE, .other = -1, .name = NULL};
    size_t length = name_length(reader);
    if (length > 0 && reader->at[length] == '=') {
        out->name = take_name(reader);
        reader->at++;
    }
    return read_effect(out, reader);
}

static int read_parameters(struct extern_function *row, struct externs_reader *reader) {
    struct extern_parameter list[PARAMETERS_MAX];
    int count = 0;
    row->rest = EXTERN_NONE;
    for (skip_blanks(reader); !accept(reader, ")"); skip_blanks(reader)) {
        if (at_end(reader))
            return fail(reader, reader->at, "the list of effects is not closed by ')'");
        if (row->rest != EXTERN_NONE)
            return fail(reader, reader->at, "nothing may follow the arguments marked with '...'");
        if (count == PARAMETERS_MAX)
            return fail(reader, reader->at, "too many arguments");
        if (read_parameter(&list[count], reader) != 0)
            return -1;
        if (accept(reader, "..."))
            row->rest = list[count].effect;
        else
            count++;
    }
    struct extern_parameter *copy =
        ARENA_ARRAY(&reader->out->arena, struct extern_parameter, count + 1);
    memcpy(copy, list, (size_t)count * sizeof list[0]);
    row->parameters = copy;
    row->parameter_count = count;
    return 0;
}

/* ---- Result, kind, cost ---- */

static const struct {
    const char *word;
    enum extern_result result;
    bool has_argument;
} results[] = {
    {"void", EXTERN_RETURNS_NOTHING, false},  {"value", EXTERN_RETURNS_VALUE, false},
    {"number", EXTERN_RETURNS_VALUE, false},  {"fresh", EXTERN_RETURNS_FRESH, false},
    {"static", EXTERN_RETURNS_STATIC, false}, {"kept", EXTERN_RETURNS_KEPT, false},
    {"copy", EXTERN_RETURNS_COPY, true},      {"arg", EXTERN_RETURNS_ALIAS, true},
    {"in", EXTERN_RETURNS_INNER, true},
};

static int read_result(struct extern_function *row, struct externs_reader *reader) {
    const char *place = reader->at;
    row->result_argument = -1;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        if (!(results[i].has_argument ? accept : accept_word)(reader, results[i].word))
            continue;
        row->result = results[i].result;
        row->is_number = strcmp(results[i].word, "number") == 0;
        return results[i].has_argument ? read_argument_number(&row->result_argument, reader, place)
                                       : 0;
    }
    return fail(reader, place,
                "expected a result: void, value, number, fresh, static, kept, copyN, argN or inN");
}

static int read_state(struct extern_function *row, struct externs_reader *reader) {
    if (name_length(reader) == 0)
        return fail(reader, reader->at, "expected the name of the hidden state");
    row->state = take_name(reader);
    return 0;
}

static int read_kind(struct extern_function *row, struct externs_reader *reader) {
    const char *place = reader->at;
    row->kind = EXTERN_PURE;
    row->stream = row->callback = -1;
    if (accept_word(reader, "output")) {
        row->kind = EXTERN_OUTPUT;
        return isdigit((unsigned char)*reader->at)
                   ? read_argument_number(&row->stream, reader, place)
                   : 0;
    }
    if (accept_word(reader, "input")) {
        row->kind = EXTERN_INPUT;
        return read_argument_number(&row->stream, reader, place);
    }
    if (accept_word(reader, "state")) {
        row->kind = EXTERN_STATE;
        if (read_state(row, reader) != 0)
            return -1;
        skip_blanks(reader);
        return accept_word(reader, "callback") ? read_argument_number(&row->callback, reader, place)
                                               : 0;
    }
    if (accept_word(reader, "callback")) {
        row->kind = EXTERN_CALLBACK;
        return read_argument_number(&row->callback, reader, place);
    }
    if (accept_word(reader, "exit"))
        row->kind = EXTERN_EXIT;
    else if (accept_word(reader, "memory"))
        row->kind = EXTERN_MEMORY;
    else if (accept_word(reader, "timer"))
        row->kind = EXTERN_TIMER;
    else if (accept_word(reader, "always"))
        row->kind = EXTERN_ALWAYS;
    else
        accept_word(reader, "pure");
    return 0;
}

static int read_cost(struct extern_function *row, struct externs_reader *reader) {
    skip_blanks(reader); /* as behind each word that is there */
    row->changes_names = accept_word(reader, "names");
    row->follows_path = accept_word(reader, "path") || row->changes_names;
    row->sets_errno = accept_word(reader, "errno");
    if (!accept_word(reader, "cost"))
        return 0;
    size_t length = strcspn(reader->at, "#\r\n");
    while (length > 0 && isblank((unsigned char)reader->at[length - 1]))
        length--;
    if (length == 0)
        return fail(reader, reader->at, "expected an expression after 'cost'");
    row->cost = arena_strndup(&reader->out->arena, reader->at, length);
    reader->at += length;
    return 0;
}

static int check_arguments(const struct extern_function *row, struct externs_reader *reader) {
    int highest = row->result_argument;
    bool values = row->kind == EXTERN_PURE && row->rest == EXTERN_NONE;
    highest = row->stream > highest ? row->stream : highest;
    highest = row->callback > highest ? row->callback : highest;
    for (int i = 0; i < row->parameter_count; i++) {
        highest = row->parameters[i].other > highest ? row->parameters[i].other : highest;
        values = values && row->parameters[i].effect == EXTERN_VALUE;
    }
    if (highest >= row->parameter_count)
        return fail(reader, reader->line_start,
                    "the row names an argument that is not in its list of effects");
    if (row->is_number && !values)
        return fail(reader, reader->line_start,
                    "a number follows from values alone: mark all arguments v, or say value");
    return 0;
}

static int read_row(struct externs_reader *reader) {
    struct names names = {.count = 0};
    struct extern_function row = {.file = reader->file, .line = reader->line};
    row.column = (int)(reader->at - reader->line_start) + 1;
    if (read_names(&names, reader) != 0 || read_parameters(&row, reader) != 0)
        return -1;
    skip_blanks(reader);
    if (read_result(&row, reader) != 0)
        return -1;
    skip_blanks(reader);
    if (read_kind(&row, reader) != 0 || read_cost(&row, reader) != 0)
        return -1;
    skip_blanks(reader);
    if (!at_end(reader))
        return fail(
            reader, reader->at,
            "expected pure, output, input, state, callback, exit, timer, always, errno or cost");
    if (check_arguments(&row, reader) != 0)
        return -1;
    for (int i = 0; i < names.count; i++) {
        row.name = names.items[i];
        row.order = reader->out->functions.count;
        vec_push(&reader->out->functions, row);
    }
    return 0;
}

int externs_load(struct externs *out, const char *text, const char *name, struct error *error) {
    struct externs_reader reader = {.out = out, .error = error, .line = 1};
    reader.file = arena_strdup(&out->arena, name);
    out->sorted = false;
    for (reader.at = text; *reader.at != '\0'; reader.line++) {
        reader.line_start = reader.at;
        skip_blanks(&reader);
        if (!at_end(&reader) && read_row(&reader) != 0)
            return -1;
        reader.at += strcspn(reader.at, "\n");
        if (*reader.at == '\n')
            reader.at++;
    }
    return 0;
}

int externs_load_row(struct externs *out, const char *line_start, const char *at, const char *name,
                     int line, struct error *error) {
    struct externs_reader reader = {.out = out, .error = error, .line = line, .file = name};
    reader.line_start = line_start;
    reader.at = at;
    out->sorted = false;
    return read_row(&reader);
}

int externs_load_builtin(struct externs *out, struct error *error) {
    return externs_load(out, externs_builtin_text(), "externs.def", error);
}

void externs_dispose(struct externs *externs) {
    arena_dispose(&externs->arena);
    vec_dispose(&externs->functions);
    externs->sorted = false;
}

/* ---- Questions ---- */

/* By name; of equal names the one that was loaded first comes first. */
static int compare_rows(const void *left, const void *right) {
    const struct extern_function *a = left, *b = right;
    int names = strcmp(a->name, b->name);
    return names != 0 ? names : (a->order > b->order) - (a->order < b->order);
}

static void sort_rows(struct externs *externs) {
    if (externs->functions.count > 0)
        qsort(externs->functions.items, externs->functions.count,
              sizeof externs->functions.items[0], compare_rows);
    externs->sorted = true;
}

const struct extern_function *externs_repeated(struct externs *externs) {
    sort_rows(externs);
    for (size_t i = 0; i + 1 < externs->functions.count; i++) {
        const struct extern_function *row = &externs->functions.items[i];
        if (strcmp(row[0].name, row[1].name) == 0 && row[0].file == row[1].file)
            return &row[1];
    }
    return NULL;
}

static const struct extern_function *find_exact(const struct externs *externs, const char *name) {
    size_t low = 0, high = externs->functions.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(externs->functions.items[middle].name, name) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || strcmp(externs->functions.items[low - 1].name, name) != 0)
        return NULL;
    return &externs->functions.items[low - 1];
}

/* `__sync_NAME_4` and the like are `__sync_NAME`. */
static const struct extern_function *find_sized(const struct externs *externs, const char *name) {
    char stem[64];
    const char *size = strrchr(name, '_');
    size_t length = (size_t)(size - name);
    if (length >= sizeof stem || !isdigit((unsigned char)size[1]))
        return NULL;
    memcpy(stem, name, length);
    stem[length] = '\0';
    return find_exact(externs, stem);
}

const struct extern_function *externs_find(struct externs *externs, const char *name) {
    if (!externs->sorted)
        sort_rows(externs);
    const struct extern_function *found = find_exact(externs, name);
    if (found == NULL && text_has_prefix(name, "__builtin_"))
        found = find_exact(externs, name + strlen("__builtin_"));
    if (found == NULL && text_has_prefix(name, "__tg_"))
        found = find_exact(externs, name + strlen("__tg_"));
    if (found == NULL && text_has_prefix(name, "__sync_"))
        found = find_sized(externs, name);
    return found;
}

static bool has_one_of(const char *name, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strstr(name, words[i]) != NULL)
            return true;
    return false;
}

const struct extern_function *externs_find_vector(struct externs *externs, const char *name,
                                                  bool has_pointers) {
    static const char *const prefixes[] = {"_mm_", "_mm256_", "_mm512_", "__builtin_ia32_"};
    static const char *const loads[] = {"load", "lddqu", "gather", "broadcast"};
    static const char *const masked[] = {"maskstore", "mask_", "scatter", "compressstore"};
    static const char *const stores[] = {"store", "stream", "scatter"};
    bool is_vector = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        is_vector = is_vector || text_has_prefix(name, prefixes[i]);
    if (!is_vector)
        return NULL;
    if (!has_pointers)
        return externs_find(externs, "__vector_value");
    if (has_one_of(name, loads, sizeof loads / sizeof *loads))
        return externs_find(externs, "__vector_load");
    if (!has_one_of(name, stores, sizeof stores / sizeof *stores))
        return NULL;
    bool is_masked = has_one_of(name, masked, sizeof masked / sizeof *masked);
    return externs_find(externs, is_masked ? "__vector_masked_store" : "__vector_store");
}

struct extern_parameter extern_argument(const struct extern_function *function, int index) {
    if (index < function->parameter_count)
        return function->parameters[index];
    return (struct extern_parameter){.effect = function->rest, .other = -1, .name = NULL};
}

bool extern_effect_reads(enum extern_effect effect) {
    return effect == EXTERN_READ || effect == EXTERN_READ_WRITE || effect == EXTERN_MOVED ||
           effect == EXTERN_GROWN || effect == EXTERN_KEPT || effect == EXTERN_LIST ||
           effect == EXTERN_READ_LIST || effect == EXTERN_READ_DEEP;
}

bool extern_effect_writes(enum extern_effect effect) {
    return effect != EXTERN_NONE && effect != EXTERN_VALUE && effect != EXTERN_READ &&
           effect != EXTERN_READ_DEEP && effect != EXTERN_FREED;
}
