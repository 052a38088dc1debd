/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a hints file, one hint a line, each beginning with a keyword. Out: rows for functions without
 * source, and the places of statements that are to stay or to be cut (hints_apply.c).
 *
 * Keywords are looked up in a table. What repeats itself is found by sorting, so that files of any
 * length are read in reasonable time.
 */
#include "skeletonizer/hints/hints.h"

#include "base/file.h"

#include <string.h>

struct hint_reader {
    struct hints *out;
    struct externs *externs;
    struct error *error;
    const char *line_start, *at;
    int line;
};

static int fail(struct hint_reader *reader, const char *place, const char *what) {
    return error_set(reader->error, "%s:%d:%d: error: %s", reader->out->path, reader->line,
                     (int)(place - reader->line_start) + 1, what);
}

static void skip_blanks(struct hint_reader *reader) {
    reader->at += strspn(reader->at, " \t\r");
}

static bool at_end(const struct hint_reader *reader) {
    return strchr("\n#", *reader->at) != NULL;
}

static int read_extern(struct hint_reader *reader) {
    return externs_load_row(reader->externs, reader->line_start, reader->at, reader->out->path,
                            reader->line, reader->error);
}

/* FILE:LINE. The last colon separates: a file's name may hold others. */
static int read_place(struct hint_reader *reader, struct hint_place *out) {
    const char *word = reader->at;
    size_t length = strcspn(word, " \t\r\n");
    size_t digits = 0;
    while (digits < length && word[length - digits - 1] >= '0' && word[length - digits - 1] <= '9')
        digits++;
    if (digits == 0 || digits > 8 || digits + 2 > length || word[length - digits - 1] != ':')
        return fail(reader, word, "expected FILE:LINE, the place of a statement");
    struct hint_place place = {.line = reader->line, .at = atoi(word + length - digits)};
    place.column = (int)(word - reader->line_start) + 1;
    place.file = arena_strndup(&reader->out->arena, word, length - digits - 1);
    reader->at += length;
    skip_blanks(reader);
    *out = place;
    return 0;
}

static int read_only_place(struct hint_reader *reader, hint_places *out) {
    struct hint_place place;
    if (read_place(reader, &place) != 0)
        return -1;
    vec_push(out, place);
    return at_end(reader) ? 0 : fail(reader, reader->at, "nothing may follow FILE:LINE");
}

static int read_keep(struct hint_reader *reader) {
    return read_only_place(reader, &reader->out->keeps);
}

static int read_cut(struct hint_reader *reader) {
    return read_only_place(reader, &reader->out->cuts);
}

/* The text up to one of the characters, outside of parentheses, without blanks around it. */
static const char *take_text(struct hint_reader *reader, const char *until) {
    skip_blanks(reader);
    const char *begin = reader->at;
    int depth = 0;
    for (; strchr("\n#", *reader->at) == NULL && (depth > 0 || strchr(until, *reader->at) == NULL);
         reader->at++)
        depth += *reader->at == '(' ? 1 : *reader->at == ')' ? -1 : 0;
    size_t length = (size_t)(reader->at - begin);
    while (length > 0 && strchr(" \t\r", begin[length - 1]) != NULL)
        length--;
    return arena_strndup(&reader->out->arena, begin, length);
}

static bool accept_word(struct hint_reader *reader, const char *word) {
    skip_blanks(reader);
    size_t length = strlen(word);
    if (strncmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* `uniform(LOW, HIGH) by KEYS`, behind the first parenthesis. */
static int read_uniform(struct hint_reader *reader, struct hint_value *value) {
    value->low = take_text(reader, ",)");
    if (!accept_word(reader, ","))
        return fail(reader, reader->at, "expected ',' and the largest number");
    value->high = take_text(reader, ",)");
    if (!accept_word(reader, ")") || !accept_word(reader, "by "))
        return fail(reader, reader->at,
                    "expected ') by' and the numbers that make two draws the same if they are");
    value->keys = take_text(reader, "");
    return 0;
}

static int read_value(struct hint_reader *reader) {
    struct hint_value value = {0};
    if (read_place(reader, &value.place) != 0)
        return -1;
    value.target = take_text(reader, "=");
    if (value.target[0] == '\0' || !accept_word(reader, "="))
        return fail(reader, reader->at, "expected what is assigned there, and '='");
    skip_blanks(reader);
    const char *begin = reader->at;
    if (accept_word(reader, "uniform(")) {
        if (read_uniform(reader, &value) != 0)
            return -1;
    } else {
        value.low = value.high = take_text(reader, "");
        value.keys = "0";
    }
    value.text = arena_strndup(&reader->out->arena, begin, (size_t)(reader->at - begin));
    vec_push(&reader->out->values, value);
    return 0;
}

static const struct {
    const char *word;
    int (*read)(struct hint_reader *reader);
} keywords[] = {
    {"extern", read_extern}, {"keep", read_keep}, {"cut", read_cut}, {"value", read_value}};

static int read_line(struct hint_reader *reader) {
    const char *word = reader->at;
    size_t length = strcspn(word, " \t\r\n#");
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (strlen(keywords[i].word) != length || strncmp(word, keywords[i].word, length) != 0)
            continue;
        reader->at += length;
        skip_blanks(reader);
        return keywords[i].read(reader);
    }
    return fail(reader, word,
                "no such hint; there are `extern ROW`, `keep FILE:LINE`, `cut FILE:LINE` and "
                "`value FILE:LINE TARGET = ...`");
}

static int compare_places(const void *left, const void *right) {
    const struct hint_place *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    order = order != 0 ? order : (a->at > b->at) - (a->at < b->at);
    return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static int check_places(struct hint_reader *reader, const hint_places *places) {
    hint_places sorted = {0};
    int result = 0;
    for (size_t i = 0; i < places->count; i++)
        vec_push(&sorted, places->items[i]);
    if (sorted.count > 0)
        qsort(sorted.items, sorted.count, sizeof sorted.items[0], compare_places);
    for (size_t i = 1; i < sorted.count && result == 0; i++) {
        const struct hint_place *before = &sorted.items[i - 1], *place = before + 1;
        if (place->at == before->at && strcmp(place->file, before->file) == 0)
            result =
                error_set(reader->error, "%s:%d:%d: error: line %d says so already; remove one",
                          reader->out->path, place->line, place->column, before->line);
    }
    vec_dispose(&sorted);
    return result;
}

static int check_repeated(struct hint_reader *reader) {
    struct hints *hints = reader->out;
    const struct extern_function *row = externs_repeated(reader->externs);
    if (row != NULL)
        return error_set(reader->error,
                         "%s:%d:%d: error: '%s' has another row in this file; keep "
                         "one of them",
                         hints->path, row->line, row->column, row->name);
    int result = check_places(reader, &hints->keeps);
    return result != 0 ? result : check_places(reader, &hints->cuts);
}

static int read_text(struct hint_reader *reader, const char *text) {
    for (reader->at = text; *reader->at != '\0'; reader->line++) {
        reader->line_start = reader->at;
        skip_blanks(reader);
        if (!at_end(reader) && read_line(reader) != 0)
            return -1;
        reader->at += strcspn(reader->at, "\n");
        reader->at += *reader->at == '\n';
    }
    return check_repeated(reader);
}

int hints_read(struct hints *out, struct externs *externs, const char *path, struct error *error) {
    struct hint_reader reader = {.out = out, .externs = externs, .error = error, .line = 1};
    char *text = NULL;
    size_t length = 0;
    out->path = arena_strdup(&out->arena, path);
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    int result = strlen(text) == length
                     ? read_text(&reader, text)
                     : error_set(error, "%s: holds a zero byte; hints are text", path);
    free(text);
    return result;
}

void hints_dispose(struct hints *hints) {
    vec_dispose(&hints->keeps);
    vec_dispose(&hints->cuts);
    vec_dispose(&hints->values);
    arena_dispose(&hints->arena);
}
