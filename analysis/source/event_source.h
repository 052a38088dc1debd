/* SPDX-License-Identifier: Apache-2.0
 *
 * Where events come from: kinds of events with typed fields, constants that are known before the
 * first event, and the events themselves, block by block, each in the order in which it is to be
 * looked at. What reads events knows none of the formats behind it.
 *
 * Legal order: open (by the format, such as text_records_open), look at kinds and constants, set
 * `wanted`, `next` until a block is empty, event_source_close.
 */
#pragma once

#include "analysis/source/texts.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum event_type { EVENT_INT, EVENT_FLOAT, EVENT_STRING };

union event_value {
    long long i;
    double f;
    const char *s; /* one of the source's texts, never NULL */
};

struct event_field {
    const char *name;
    enum event_type type;
    const char *unit; /* "ns", "B"; NULL: it has none */
};

struct source_kind {
    const char *name;
    const struct event_field *fields;
    size_t field_count;
};

struct event_constant {
    const char *name;
    enum event_type type;
    union event_value value;
    const char *unit; /* NULL: it has none */
};

struct source_event {
    size_t kind;                     /* in `kinds` */
    const union event_value *values; /* one for each field of the kind */
};

struct event_source {
    const struct source_kind *kinds;
    size_t kind_count;
    const struct event_constant *constants;
    size_t constant_count;
    struct texts texts; /* of all strings in fields and constants; the reader may add its own */
    bool *wanted;       /* by kind: are such events of interest? All are until that is changed */

    /* The next block, borrowed until the next call; *out_count is 0 at the end. -1: the error has
     * the place in the file. */
    int (*next)(const struct source_event **out, size_t *out_count, struct event_source *source,
                struct error *error);
    void (*close)(struct event_source *source);
};

void event_source_close(struct event_source *source);

/* "int", "float" or "string". */
const char *event_type_name(enum event_type type);
