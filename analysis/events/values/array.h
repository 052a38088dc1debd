/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays of event variables: rows of a fixed number of values, one behind the other. The rows are a
 * fixed number, or grow with the indices that are written, or belong to keys.
 *
 * Where the program asks for it, an array lists which elements were assigned in the event in hand,
 * and keeps what they were before it.
 */
#pragma once

#include "analysis/events/syntax/syntax.h"
#include "analysis/source/keys.h"

/* Elements of an array, 512 MiB: more than a matrix of 8,192 ranks; what a slip takes (an index by
 * time) ends there. */
#define MOST_ELEMENTS (1L << 26)

struct events_array {
    enum event_type type;
    struct syntax_shape shape;
    long row_length; /* elements of a row */
    union event_value *values;
    long rows, row_capacity;
    struct events_keys keys;
    VEC(long)
    taken; /* rows whose keys were removed in this event, and whose values it still uses */

    bool listed;               /* as the file's head says */
    size_t *stamps;            /* by element: the event that assigned it last */
    union event_value *before; /* by element: what it was before that event */
    VEC(long) assigned;        /* elements, in the event `assigned_in` */
    size_t assigned_in;
};

/* Lives in the arena but for what events_array_dispose frees. -1: it has too many elements. */
int events_array_init(struct events_array *array, enum event_type type,
                      const struct syntax_shape *shape, bool listed);
void events_array_dispose(struct events_array *array);

union event_value events_zero(enum event_type type);

/* There are at least so many rows. -1: these are too many. */
int events_array_grow(struct events_array *array, long rows);
/* -1: there are too many keys. */
long events_array_add_key(struct events_array *array, union event_value key);
/* The key is gone; its values stay until events_array_free_taken. */
void events_array_take(struct events_array *array, long row);
void events_array_free_taken(struct events_array *array);
void events_array_clear(struct events_array *array);
void events_array_truncate(struct events_array *array, long rows);

/* For listed ones, before an element is assigned in event number `event`. */
void events_array_note(struct events_array *array, long element, size_t event);
