/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of texts is made of either kind of file, and points of the table; see scaling_read.h.
 */
#include "model/scaling/scaling_read.h"

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "base/words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 1000
#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* spreadsheets begin CSV with it */
#define ROUNDED (1 + 1e-6)             /* parts were rounded, or summed up in another order */

enum scaling_read_column {
    RANKS,
    TIME,
    COMPUTATION,
    COMMUNICATION,
    KIND,
    ARGUMENTS,
    OPTIONS,
    PROGRAM,
    COLUMN_KINDS
};

static const char *const names[COLUMN_KINDS][4] = {
    {"ranks", NULL},
    {"time_s", "predicted_s", "makespan_s", NULL},
    {"computation_s", "compute_s", NULL},
    {"communication_s", "mpi_s", NULL},
    {"kind", NULL},
    {"arguments", "args", NULL},
    {"options", NULL},
    {"program", NULL},
};

/* One row: the text of each column that counts, NULL where there is none. */
struct scaling_read_row {
    const char *cells[COLUMN_KINDS];
    const char *where; /* of the column that --where names */
    int line;
};

struct scaling_read_reading {
    struct scaling_source *out;
    const struct scaling_file *file;
    struct error *error;
};

/* ---- Points of rows ---- */

static int fail(const struct scaling_read_reading *reading, int line, const char *what,
                const char *text) {
    return error_set(reading->error, "%s:%d:1: error: %s%s%s%s", reading->file->path, line, what,
                     text != NULL ? ", not '" : "", text != NULL ? text : "",
                     text != NULL ? "'" : "");
}

/* NaN where there is no text. */
static int number_of(double *out, const struct scaling_read_reading *reading,
                     const struct scaling_read_row *row, enum scaling_read_column column) {
    const char *text = row->cells[column];
    char *end = NULL;
    *out = NAN;
    if (text == NULL || text[0] == '\0')
        return 0;
    *out = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*out))
        return fail(reading, row->line, "a finite number is expected", text);
    return 0;
}

/* The first text, and the first that is another one. */
static void remember(const char **first, const char **other, struct arena *arena,
                     const char *text) {
    if (text == NULL)
        return;
    if (*first == NULL)
        *first = arena_strdup(arena, text);
    else if (*other == NULL && strcmp(*first, text) != 0)
        *other = arena_strdup(arena, text);
}

static void remember_origin(struct scaling_source *out, const struct scaling_read_row *row) {
    const char *arguments = row->cells[ARGUMENTS], *options = row->cells[OPTIONS];
    if (arguments != NULL && options != NULL && options[0] != '\0')
        arguments = arena_printf(&out->arena, "%s %s", options, arguments);
    remember(&out->program, &out->other_program, &out->arena, row->cells[PROGRAM]);
    remember(&out->arguments, &out->other_arguments, &out->arena, arguments);
}

/* NaN stays NaN. */
static double between(double low, double value, double high) {
    return value < low ? low : value > high ? high : value;
}

static int take_point(const struct scaling_read_reading *reading,
                      const struct scaling_read_row *row) {
    struct scaling_point point;
    double communication_s;
    if (number_of(&point.ranks, reading, row, RANKS) != 0 ||
        number_of(&point.time_s, reading, row, TIME) != 0 ||
        number_of(&point.computation_s, reading, row, COMPUTATION) != 0 ||
        number_of(&communication_s, reading, row, COMMUNICATION) != 0)
        return -1;
    if (!(point.ranks >= 1 && point.ranks <= 1e9) || point.ranks != floor(point.ranks))
        return fail(reading, row->line, "the number of ranks is a whole one from 1 to 1e9",
                    row->cells[RANKS] != NULL ? row->cells[RANKS] : "");
    if (!(point.time_s > 0))
        return fail(reading, row->line, "a time greater than 0 is expected", row->cells[TIME]);
    if (isnan(point.computation_s))
        point.computation_s = point.time_s - communication_s;
    if (communication_s < 0 || communication_s > point.time_s * ROUNDED)
        return fail(reading, row->line, "communication is from 0 to the whole time",
                    row->cells[COMMUNICATION]);
    if (point.computation_s < (1 - ROUNDED) * point.time_s ||
        point.computation_s > point.time_s * ROUNDED)
        return fail(reading, row->line, "computation is from 0 to the whole time",
                    row->cells[COMPUTATION]);
    point.computation_s = between(0, point.computation_s, point.time_s);
    vec_push(&reading->out->points, point);
    remember_origin(reading->out, row);
    return 0;
}

static int take_row(const struct scaling_read_reading *reading,
                    const struct scaling_read_row *row) {
    const struct scaling_file *file = reading->file;
    if (file->where_column != NULL &&
        (row->where == NULL || strcmp(row->where, file->where_value) != 0))
        return 0;
    if (row->cells[KIND] != NULL && strcmp(row->cells[KIND], "point") != 0)
        return 0;
    if (row->cells[TIME] == NULL || row->cells[TIME][0] == '\0') {
        reading->out->without_time++;
        return 0;
    }
    return take_point(reading, row);
}

static int column_of(const char *name) {
    for (int kind = 0; kind < COLUMN_KINDS; kind++)
        for (const char *const *known = names[kind]; *known != NULL; known++)
            if (strcmp(name, *known) == 0)
                return kind;
    return -1;
}

/* ---- CSV ---- */

struct csv {
    char *at; /* what is read next; cells are cut out in place */
    const char *cells[COLUMNS_MAX];
    int count;
};

/* A quoted cell, its doubled quotes made single; false: it has no end. */
static bool take_quoted(struct csv *csv) {
    char *to = csv->at, *from = csv->at + 1;
    csv->cells[csv->count++] = to;
    for (; *from != '"' || from[1] == '"'; from++) {
        if (*from == '\0')
            return false;
        from += *from == '"';
        *to++ = *from;
    }
    csv->at = from + 1;
    *to = '\0';
    return true;
}

static void take_plain(struct csv *csv) {
    csv->cells[csv->count++] = csv->at;
    csv->at += strcspn(csv->at, ",\r\n");
}

/* The cells of the next line that is not empty; 0: there is none, -1: it is broken. */
static int take_line(struct csv *csv) {
    csv->at += strspn(csv->at, "\r\n");
    csv->count = 0;
    while (*csv->at != '\0' && csv->count < COLUMNS_MAX) {
        if (*csv->at != '"')
            take_plain(csv);
        else if (!take_quoted(csv))
            return -1;
        char end = *csv->at;
        if (end != '\0' && end != ',' && end != '\r' && end != '\n')
            return -1;
        if (end != '\0')
            *csv->at++ = '\0';
        if (end != ',')
            return 1;
        if (*csv->at == '\0' || *csv->at == '\r' || *csv->at == '\n') {
            csv->cells[csv->count++] = "";
            return 1;
        }
    }
    return csv->count > 0 ? -1 : 0;
}

struct scaling_read_header {
    int kinds[COLUMNS_MAX];
    int count, where; /* the column that --where names, or -1 */
};

static int read_header(struct scaling_read_header *out, struct csv *csv,
                       const struct scaling_read_reading *reading) {
    bool found[COLUMN_KINDS] = {false};
    *out = (struct scaling_read_header){.where = -1};
    if (take_line(csv) <= 0)
        return fail(reading, 1, "the first line has to name the columns, such as ranks,time_s",
                    NULL);
    out->count = csv->count;
    for (int i = 0; i < csv->count; i++) {
        int kind = column_of(csv->cells[i]);
        out->kinds[i] = kind >= 0 && !found[kind] ? kind : -1;
        if (kind >= 0)
            found[kind] = true;
        if (reading->file->where_column != NULL &&
            strcmp(csv->cells[i], reading->file->where_column) == 0)
            out->where = i;
    }
    if (!found[RANKS] || !found[TIME])
        return fail(reading, 1,
                    found[RANKS] ? "there is no column time_s (or predicted_s)"
                                 : "there is no column ranks",
                    NULL);
    if (reading->file->where_column != NULL && out->where < 0)
        return fail(reading, 1, "--where names a column that is not there",
                    reading->file->where_column);
    return 0;
}

static int count_lines(const char *begin, const char *end) {
    int lines = 1;
    for (; begin < end; begin++)
        lines += *begin == '\n';
    return lines;
}

static int read_csv(const struct scaling_read_reading *reading, char *text) {
    struct scaling_read_header header;
    struct csv csv = {.at = text};
    char *copy = xstrdup(text); /* with its ends of lines, for places */
    int result = read_header(&header, &csv, reading), got = 0;
    while (result == 0 && (got = take_line(&csv)) > 0) {
        struct scaling_read_row row = {.line = count_lines(copy, copy + (csv.cells[0] - text))};
        for (int i = 0; i < csv.count && i < header.count; i++)
            if (header.kinds[i] >= 0)
                row.cells[header.kinds[i]] = csv.cells[i];
        if (header.where >= 0 && header.where < csv.count)
            row.where = csv.cells[header.where];
        result = csv.count == header.count
                     ? take_row(reading, &row)
                     : fail(reading, row.line, "this line has more or fewer columns than the first",
                            NULL);
    }
    if (result == 0 && got < 0)
        result = fail(reading, count_lines(copy, copy + (csv.at - text)),
                      "a quoted cell has no end, or something behind it", NULL);
    free(copy);
    return result;
}

/* ---- JSON ---- */

static const char *text_of(struct arena *arena, const json_t *value) {
    if (json_is_string(value))
        return arena_strdup(arena, json_string_value(value));
    if (json_is_number(value))
        return arena_printf(arena, "%.17g", json_number_value(value));
    return json_is_null(value) || value == NULL ? NULL : "?";
}

/* Of arguments and options all words, as a shell takes them. */
static const char *words_of(struct arena *arena, const json_t *value) {
    struct str text = {0};
    size_t i = 0;
    json_t *word = NULL;
    if (!json_is_array(value))
        return text_of(arena, value);
    json_array_foreach(value, i, word) {
        const char *one = text_of(arena, word);
        words_add(&text, one != NULL ? one : "");
    }
    return str_into(arena, &text);
}

static void row_of_object(struct scaling_read_row *out, struct arena *arena, json_t *object,
                          const struct scaling_file *file) {
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(object, name, value) {
        int kind = column_of(name);
        if (kind >= 0 && out->cells[kind] == NULL)
            out->cells[kind] = kind == ARGUMENTS || kind == OPTIONS ? words_of(arena, value)
                                                                    : text_of(arena, value);
        if (file->where_column != NULL && strcmp(name, file->where_column) == 0)
            out->where = words_of(arena, value);
    }
}

/* A report of `mpiskel run`: the computation is the mean over the ranks. */
static void row_of_report(struct scaling_read_row *out, struct arena *arena, const json_t *report) {
    const json_t *ranks = json_object_get(report, "per_rank");
    out->cells[COMPUTATION] =
        text_of(arena, json_object_get(json_object_get(ranks, "compute_s"), "mean"));
}

static int read_json(const struct scaling_read_reading *reading) {
    json_t *root = NULL, *object = NULL;
    size_t i = 0;
    struct arena *arena = &reading->out->arena;
    if (json_read(&root, reading->file->path, reading->error) != 0)
        return -1;
    json_t *points = json_is_array(root) ? root : json_object_get(root, "points");
    int result = 0;
    if (points == NULL && json_object_get(root, "predicted_s") != NULL) {
        struct scaling_read_row row = {.line = 1};
        row_of_object(&row, arena, root, reading->file);
        row_of_report(&row, arena, root);
        result = take_row(reading, &row);
    } else if (!json_is_array(points)) {
        result = fail(reading, 1, "this is no report of mpiskel run, and no array of points", NULL);
    }
    json_array_foreach(points, i, object) {
        struct scaling_read_row row = {.line = 1};
        row_of_object(&row, arena, object, reading->file);
        if (row.cells[PROGRAM] == NULL)
            row.cells[PROGRAM] = text_of(arena, json_object_get(root, "program"));
        result = result == 0 ? take_row(reading, &row) : result;
    }
    json_decref(root);
    return result;
}

int scaling_read(struct scaling_source *out, const struct scaling_file *file, struct error *error) {
    struct scaling_read_reading reading = {out, file, error};
    char *text = NULL;
    size_t length = 0, before = out->points.count + out->without_time;
    if (file_read(&text, &length, file->path, error) != 0)
        return -1;
    char *start = text_has_prefix(text, BYTE_ORDER_MARK) ? text + strlen(BYTE_ORDER_MARK) : text;
    char first = start[strspn(start, " \t\r\n")];
    int result = 0;
    if (strlen(text) != length)
        result = fail(&reading, 1, "this is no text file", NULL);
    else if (first == '{' || first == '[')
        result = read_json(&reading);
    else
        result = read_csv(&reading, start);
    free(text);
    if (result == 0 && file->where_column == NULL &&
        out->points.count + out->without_time == before)
        result = fail(&reading, 1, "there is no point in it", NULL);
    return result;
}

void scaling_source_dispose(struct scaling_source *source) {
    vec_dispose(&source->points);
    arena_dispose(&source->arena);
}
