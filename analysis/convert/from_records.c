/* SPDX-License-Identifier: Apache-2.0
 *
 * Text records that define themselves (analysis/source/text_records.h). Each becomes an event of a
 * site of its kind. Fields are known by their names (the table below); of the others the first
 * whole number becomes the tag, and the rest is left out, which is told. Times are in nanoseconds.
 */
#include "analysis/convert/conversion.h"
#include "analysis/convert/import_target.h"
#include "analysis/source/text_records.h"
#include "base/vec.h"

#include <math.h>
#include <strings.h>

enum record_role {
    ROLE_BEGIN,
    ROLE_END,
    ROLE_DURATION,
    ROLE_RANK,
    ROLE_PEER,
    ROLE_TAG,
    ROLE_BYTES,
    ROLE_COUNT
};

static const struct {
    const char *name;
    enum record_role role;
} role_names[] = {
    {"time", ROLE_BEGIN},        {"begin", ROLE_BEGIN},  {"t0", ROLE_BEGIN},
    {"start", ROLE_BEGIN},       {"end", ROLE_END},      {"t1", ROLE_END},
    {"duration", ROLE_DURATION}, {"rank", ROLE_RANK},    {"node", ROLE_RANK},
    {"pe", ROLE_RANK},           {"proc", ROLE_RANK},    {"process", ROLE_RANK},
    {"peer", ROLE_PEER},         {"dest", ROLE_PEER},    {"dst", ROLE_PEER},
    {"to", ROLE_PEER},           {"src", ROLE_PEER},     {"source", ROLE_PEER},
    {"from", ROLE_PEER},         {"tag", ROLE_TAG},      {"bytes", ROLE_BYTES},
    {"size", ROLE_BYTES},        {"length", ROLE_BYTES},
};

/* Where a kind of record has what an event needs. */
struct record_layout {
    int field_of[ROLE_COUNT]; /* -1: it has none */
    uint32_t site;
};

struct reading_records {
    struct import_target *target;
    const char *path;
    struct event_source *source;
    VEC(struct record_layout) layouts; /* by kind */
    int64_t last_ns;
    unsigned long long number; /* of the record, from 1 */
    bool is_writing;           /* the second time */
    bool leaves_out;
    struct error *error;
};

/* ---- Kinds ---- */

static int role_of(const char *name) {
    for (size_t i = 0; i < sizeof role_names / sizeof *role_names; i++)
        if (strcasecmp(name, role_names[i].name) == 0)
            return (int)role_names[i].role;
    return -1;
}

static struct record_layout layout_of(struct reading_records *of, const struct source_kind *kind) {
    struct record_layout out = {.field_of = {-1, -1, -1, -1, -1, -1, -1}};
    int first_other = -1;
    for (size_t i = 0; i < kind->field_count; i++) {
        const struct event_field *field = &kind->fields[i];
        int role = field->type == EVENT_STRING ? -1 : role_of(field->name);
        if (role >= 0 && out.field_of[role] < 0)
            out.field_of[role] = (int)i;
        else if (role < 0 && field->type == EVENT_INT && first_other < 0)
            first_other = (int)i;
        else
            of->leaves_out = true;
    }
    if (out.field_of[ROLE_TAG] < 0)
        out.field_of[ROLE_TAG] = first_other;
    else if (first_other >= 0)
        of->leaves_out = true;
    return out;
}

static void make_layouts(struct reading_records *of) {
    of->layouts.count = 0;
    for (size_t i = 0; i < of->source->kind_count; i++) {
        vec_push(&of->layouts, layout_of(of, &of->source->kinds[i]));
        if (of->is_writing)
            of->layouts.items[i].site =
                import_target_site(of->target, TRACE_CALL, of->source->kinds[i].name, of->path, 0);
    }
}

/* ---- Records ---- */

static int fail(const struct reading_records *of, const char *what) {
    return error_set(of->error, "%s: error: record %llu: %s", of->path, of->number, what);
}

static bool has(const struct record_layout *layout, enum record_role role) {
    return layout->field_of[role] >= 0;
}

/* Of 64 bits; those end at 9.2e18. */
static bool is_whole_number(double value) {
    return fabs(value) < 9e18;
}

/* What is no whole number, or not there: `otherwise`. */
static int64_t value_of(const struct reading_records *of, const struct source_event *event,
                        enum record_role role, int64_t otherwise) {
    int field = of->layouts.items[event->kind].field_of[role];
    if (field < 0)
        return otherwise;
    union event_value value = event->values[field];
    if (of->source->kinds[event->kind].fields[field].type == EVENT_INT)
        return value.i;
    return is_whole_number(value.f) ? (int64_t)value.f : otherwise;
}

static int32_t small_value_of(const struct reading_records *of, const struct source_event *event,
                              enum record_role role) {
    int64_t value = value_of(of, event, role, TRACE_NONE);
    return value >= 0 && value <= INT32_MAX ? (int32_t)value : TRACE_NONE;
}

/* A number that is no time would be taken for the one before. */
static bool has_times(const struct reading_records *of, const struct source_event *event) {
    static const enum record_role roles[] = {ROLE_BEGIN, ROLE_END, ROLE_DURATION};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        int field = of->layouts.items[event->kind].field_of[roles[i]];
        bool is_int = field < 0 || of->source->kinds[event->kind].fields[field].type == EVENT_INT;
        if (!is_int && !is_whole_number(event->values[field].f))
            return false;
    }
    return true;
}

static int times_of(int64_t *begin_ns, int64_t *end_ns, struct reading_records *of,
                    const struct source_event *event) {
    int64_t start_ns = of->last_ns == INT64_MIN ? 0 : of->last_ns;
    *begin_ns = value_of(of, event, ROLE_BEGIN, start_ns);
    int64_t duration_ns = value_of(of, event, ROLE_DURATION, 0);
    if (!has_times(of, event) || *begin_ns < 0)
        return fail(of, "a time is negative or no number of nanoseconds; count from the begin of "
                        "the run");
    bool fits = !__builtin_add_overflow(*begin_ns, duration_ns, end_ns);
    *end_ns = value_of(of, event, ROLE_END, fits ? *end_ns : INT64_MIN);
    if (*begin_ns < of->last_ns || *end_ns < *begin_ns)
        return fail(of, "records come in the order of time, and end behind their begin");
    of->last_ns = *begin_ns;
    return 0;
}

static int write_record(struct reading_records *of, const struct source_event *record) {
    const struct record_layout *layout = &of->layouts.items[record->kind];
    int64_t begin_ns, end_ns;
    if (times_of(&begin_ns, &end_ns, of, record) != 0)
        return -1;
    int32_t rank = (int32_t)value_of(of, record, ROLE_RANK, 0);
    struct trace_event event = trace_event_of(rank, layout->site, begin_ns, end_ns);
    event.peer = small_value_of(of, record, ROLE_PEER);
    if (event.peer >= of->target->ranks)
        event.peer = TRACE_NONE;
    event.tag = has(layout, ROLE_TAG) ? small_value_of(of, record, ROLE_TAG) : TRACE_NONE;
    event.bytes = value_of(of, record, ROLE_BYTES, 0);
    return import_target_add(of->target, &event, of->error);
}

static int read_record(struct reading_records *of, const struct source_event *record) {
    int64_t rank = value_of(of, record, ROLE_RANK, 0);
    of->number++;
    if (rank < 0 || rank >= TRACE_MOST_RANKS)
        return fail(of, "this is no rank");
    if (of->is_writing)
        return write_record(of, record);
    if ((int32_t)rank >= of->target->ranks)
        of->target->ranks = (int32_t)rank + 1;
    return 0;
}

static int read_blocks(struct reading_records *of) {
    const struct source_event *events;
    size_t count;
    do {
        if (of->source->next(&events, &count, of->source, of->error) != 0)
            return -1;
        for (size_t i = 0; i < count; i++)
            if (read_record(of, &events[i]) != 0)
                return -1;
    } while (count > 0);
    return 0;
}

static int read_all(struct reading_records *of, bool is_writing) {
    of->is_writing = is_writing;
    of->number = 0;
    of->last_ns = INT64_MIN;
    if (text_records_open(&of->source, of->path, of->error) != 0)
        return -1;
    make_layouts(of);
    int result = read_blocks(of);
    event_source_close(of->source);
    return result;
}

int from_records(struct import_target *target, const char *path, struct error *error) {
    struct reading_records of = {.target = target, .path = path, .error = error};
    int result = read_all(&of, false);
    if (result == 0 && target->ranks == 0)
        result = error_set(error, "%s:1:1: error: there are no records in this file", path);
    if (result == 0)
        result = import_target_open(target, target->ranks, "records", error);
    if (result == 0)
        result = read_all(&of, true);
    if (result == 0 && of.leaves_out)
        note("%s: fields that a trace has no place for are left out", path);
    vec_dispose(&of.layouts);
    return result;
}
