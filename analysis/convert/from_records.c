/* SPDX-License-Identifier: Apache-2.0
 *
 * Text records that define themselves: `SEND { long time; int peer; }` says which fields records of
 * this name have, `SEND 1000 1` is one. Each becomes an event of a site of that name. Fields are
 * known by their names (the table below); of the others the first whole number becomes the tag, and
 * the rest is left out, which is told. Times are in nanoseconds. Records come in the order of time.
 */
#include "analysis/convert/conversion.h"
#include "analysis/convert/import_target.h"
#include "base/file.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FIELDS 64
#define NAME_BYTES 64

enum record_field {
    FIELD_BEGIN,
    FIELD_END,
    FIELD_DURATION,
    FIELD_RANK,
    FIELD_PEER,
    FIELD_TAG,
    FIELD_BYTES,
    FIELD_LEFT_OUT,
    FIELD_COUNT
};

static const struct {
    const char *name;
    enum record_field field;
} field_names[] = {
    {"time", FIELD_BEGIN},        {"begin", FIELD_BEGIN},  {"t0", FIELD_BEGIN},
    {"start", FIELD_BEGIN},       {"end", FIELD_END},      {"t1", FIELD_END},
    {"duration", FIELD_DURATION}, {"rank", FIELD_RANK},    {"node", FIELD_RANK},
    {"pe", FIELD_RANK},           {"proc", FIELD_RANK},    {"process", FIELD_RANK},
    {"peer", FIELD_PEER},         {"dest", FIELD_PEER},    {"dst", FIELD_PEER},
    {"to", FIELD_PEER},           {"src", FIELD_PEER},     {"source", FIELD_PEER},
    {"from", FIELD_PEER},         {"tag", FIELD_TAG},      {"bytes", FIELD_BYTES},
    {"size", FIELD_BYTES},        {"length", FIELD_BYTES},
};

struct record_kind {
    char name[NAME_BYTES];
    enum record_field fields[MOST_FIELDS];
    int field_count;
    uint32_t site;
};

struct reading_records {
    struct import_target *target;
    const char *path, *at, *line_begin;
    int line;
    VEC(struct record_kind) kinds;
    int64_t last_ns;
    bool is_writing; /* the second time */
    bool leaves_out;
    struct error *error;
};

static int fail(const struct reading_records *of, const char *what) {
    return error_set(of->error, "%s:%d:%d: error: %s", of->path, of->line,
                     (int)(of->at - of->line_begin) + 1, what);
}

/* ---- Words ---- */

static void skip(struct reading_records *of, bool lines) {
    for (; isspace((unsigned char)*of->at) && (lines || *of->at != '\n'); of->at++)
        if (*of->at == '\n') {
            of->line++;
            of->line_begin = of->at + 1;
        }
}

static bool take_char(struct reading_records *of, char c) {
    if (*of->at != c)
        return false;
    of->at++;
    return true;
}

static int read_name(char out[NAME_BYTES], struct reading_records *of) {
    size_t length = 0;
    for (; isalnum((unsigned char)*of->at) || *of->at == '_'; of->at++) {
        if (length + 1 == NAME_BYTES)
            return fail(of, "names have at most 63 letters");
        out[length++] = *of->at;
    }
    out[length] = '\0';
    return length > 0 ? 0 : fail(of, "here a name belongs");
}

/* ---- Definitions ---- */

static enum record_field field_of(const struct record_kind *kind, const char *name,
                                  const char *type) {
    for (size_t i = 0; i < sizeof field_names / sizeof *field_names; i++)
        if (strcasecmp(name, field_names[i].name) == 0)
            return field_names[i].field;
    for (int i = 0; i < kind->field_count; i++)
        if (kind->fields[i] == FIELD_TAG)
            return FIELD_LEFT_OUT;
    bool is_whole = strcmp(type, "int") == 0 || strcmp(type, "long") == 0;
    return is_whole ? FIELD_TAG : FIELD_LEFT_OUT;
}

static bool is_type(const char *word) {
    static const char *const types[] = {"int", "long", "float", "double", "char", "string"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(word, types[i]) == 0)
            return true;
    return false;
}

static int read_field(struct record_kind *kind, struct reading_records *of) {
    char type[NAME_BYTES], name[NAME_BYTES];
    if (read_name(type, of) != 0)
        return -1;
    if (!is_type(type))
        return fail(of, "fields are int, long, float, double, char or string");
    skip(of, true);
    if (read_name(name, of) != 0)
        return -1;
    skip(of, true);
    if (!take_char(of, ';'))
        return fail(of, "a field ends with ;");
    if (kind->field_count == MOST_FIELDS)
        return fail(of, "records have at most 64 fields");
    kind->fields[kind->field_count] = field_of(kind, name, type);
    of->leaves_out |= kind->fields[kind->field_count++] == FIELD_LEFT_OUT;
    return 0;
}

static struct record_kind *find_kind(struct reading_records *of, const char *name) {
    for (size_t i = 0; i < of->kinds.count; i++)
        if (strcmp(of->kinds.items[i].name, name) == 0)
            return &of->kinds.items[i];
    return NULL;
}

static int read_definition(struct reading_records *of, const char *name) {
    struct record_kind kind = {0};
    strcpy(kind.name, name);
    for (skip(of, true); !take_char(of, '}'); skip(of, true))
        if (read_field(&kind, of) != 0)
            return -1;
    if (!of->is_writing && find_kind(of, name) != NULL)
        return fail(of, "records of this name are defined above");
    if (!of->is_writing)
        vec_push(&of->kinds, kind);
    return 0;
}

/* ---- Records ---- */

/* Texts as well: they are of fields that are left out. */
static int read_value(double *out, struct reading_records *of, bool is_number) {
    char *end;
    skip(of, false);
    if (*of->at == '\0' || *of->at == '\n')
        return fail(of, "the record has fewer values than its definition has fields");
    *out = is_number ? strtod(of->at, &end) : 0;
    if (is_number && (end == of->at || !isfinite(*out) || fabs(*out) > 9e18))
        return fail(of, "here a number belongs");
    while (*of->at != '\0' && !isspace((unsigned char)*of->at))
        of->at++;
    return 0;
}

static int32_t whole(double value, int32_t otherwise) {
    return value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : otherwise;
}

static int write_record(struct reading_records *of, const struct record_kind *kind,
                        const double values[FIELD_COUNT], const bool has[FIELD_COUNT]) {
    int32_t rank = has[FIELD_RANK] ? whole(values[FIELD_RANK], 0) : 0;
    int64_t begin_ns = has[FIELD_BEGIN] ? (int64_t)values[FIELD_BEGIN] : of->last_ns;
    int64_t end_ns = has[FIELD_END] ? (int64_t)values[FIELD_END]
                     : has[FIELD_DURATION] && values[FIELD_DURATION] < 4e18
                         ? begin_ns + (int64_t)values[FIELD_DURATION]
                         : begin_ns;
    struct trace_event event = import_event(rank, kind->site, begin_ns, end_ns);
    if (begin_ns < of->last_ns || end_ns < begin_ns)
        return fail(of, "records come in the order of time, and end behind their begin");
    of->last_ns = begin_ns;
    event.peer = has[FIELD_PEER] ? whole(values[FIELD_PEER], TRACE_NONE) : TRACE_NONE;
    event.tag = has[FIELD_TAG] ? whole(values[FIELD_TAG], TRACE_NONE) : TRACE_NONE;
    event.bytes = has[FIELD_BYTES] ? (int64_t)values[FIELD_BYTES] : 0;
    if (event.peer < 0 || event.peer >= of->target->ranks)
        event.peer = TRACE_NONE;
    return import_target_add(of->target, &event, of->error);
}

static int read_record(struct reading_records *of, const char *name) {
    const struct record_kind *kind = find_kind(of, name);
    double values[FIELD_COUNT] = {0};
    bool has[FIELD_COUNT] = {false};
    if (kind == NULL)
        return fail(of, "no definition of this name comes before: NAME { long time; int peer; }");
    for (int i = 0; i < kind->field_count; i++) {
        if (read_value(&values[kind->fields[i]], of, kind->fields[i] != FIELD_LEFT_OUT) != 0)
            return -1;
        has[kind->fields[i]] = true;
    }
    double rank = has[FIELD_RANK] ? values[FIELD_RANK] : 0;
    if (rank < 0 || rank >= TRACE_MOST_RANKS)
        return fail(of, "this is no rank");
    if (of->is_writing)
        return write_record(of, kind, values, has);
    if ((int32_t)rank >= of->target->ranks)
        of->target->ranks = (int32_t)rank + 1;
    return 0;
}

static int read_all(struct reading_records *of, const char *text) {
    char name[NAME_BYTES];
    of->at = of->line_begin = text;
    of->line = 1;
    for (skip(of, true); *of->at != '\0'; skip(of, true)) {
        if (*of->at == '#') {
            of->at += strcspn(of->at, "\n");
            continue;
        }
        if (read_name(name, of) != 0)
            return -1;
        skip(of, false);
        if ((take_char(of, '{') ? read_definition(of, name) : read_record(of, name)) != 0)
            return -1;
    }
    return 0;
}

static void make_sites(struct reading_records *of) {
    for (size_t i = 0; i < of->kinds.count; i++)
        of->kinds.items[i].site =
            import_target_site(of->target, TRACE_CALL, of->kinds.items[i].name, of->path, 0);
}

int from_records(struct import_target *target, const char *path, struct error *error) {
    struct reading_records of = {
        .target = target, .path = path, .last_ns = INT64_MIN, .error = error};
    char *text = NULL;
    if (file_read(&text, NULL, path, error) != 0)
        return -1;
    int result = read_all(&of, text);
    if (result == 0 && target->ranks == 0)
        result = error_set(error, "%s:1:1: error: there are no records in this file", path);
    if (result == 0)
        result = import_target_open(target, target->ranks, "records", error);
    if (result == 0) {
        make_sites(&of);
        of.is_writing = true;
        result = read_all(&of, text);
    }
    if (result == 0 && of.leaves_out)
        note("%s: fields that a trace has no place for are left out", path);
    vec_dispose(&of.kinds);
    free(text);
    return result;
}
