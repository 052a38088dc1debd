/* SPDX-License-Identifier: Apache-2.0
 *
 * Storage of arrays.
 */
#include "analysis/events/values/array.h"

#include <string.h>

union event_value events_zero(enum event_type type) {
    static const char empty[] = "";
    if (type == EVENT_FLOAT)
        return (union event_value){.f = 0};
    return type == EVENT_INT ? (union event_value){.i = 0} : (union event_value){.s = empty};
}

static void fill(struct events_array *array, long from_row, long to_row) {
    union event_value zero = events_zero(array->type);
    long from = from_row * array->row_length, to = to_row * array->row_length;
    for (long i = from; i < to; i++)
        array->values[i] = zero;
    if (array->listed && to > from)
        memset(array->stamps + from, 0, (size_t)(to - from) * sizeof *array->stamps);
}

static void reserve(struct events_array *array, long rows) {
    if (rows <= array->row_capacity)
        return;
    array->row_capacity = rows;
    size_t count = (size_t)(rows * array->row_length) + 1;
    array->values = xrealloc(array->values, count * sizeof *array->values);
    if (!array->listed)
        return;
    array->stamps = xrealloc(array->stamps, count * sizeof *array->stamps);
    array->before = xrealloc(array->before, count * sizeof *array->before);
}

int events_array_init(struct events_array *array, enum event_type type,
                      const struct syntax_shape *shape, bool listed) {
    *array =
        (struct events_array){.type = type, .shape = *shape, .row_length = 1, .listed = listed};
    for (size_t i = 1; i < shape->dimension_count; i++) {
        array->row_length *= shape->dimensions[i];
        if (array->row_length > MOST_ELEMENTS)
            return -1;
    }
    long rows = shape->keyed || shape->dimensions[0] < 0 ? 0 : shape->dimensions[0];
    return events_array_grow(array, rows);
}

void events_array_dispose(struct events_array *array) {
    events_keys_dispose(&array->keys);
    vec_dispose(&array->taken);
    vec_dispose(&array->assigned);
    free(array->values);
    free(array->stamps);
    free(array->before);
}

int events_array_grow(struct events_array *array, long rows) {
    if (rows <= array->rows)
        return 0;
    if (rows > MOST_ELEMENTS / (array->row_length > 0 ? array->row_length : 1))
        return -1;
    if (rows > array->row_capacity)
        reserve(array, array->rows == 0 ? rows : rows + rows / 2);
    fill(array, array->rows, rows);
    array->rows = rows;
    return 0;
}

long events_array_add_key(struct events_array *array, union event_value key) {
    size_t before = array->keys.used;
    long row = events_keys_add(&array->keys, key);
    if (row < 0 || array->keys.used == before)
        return row;
    if (row < array->rows) {
        fill(array, row, row + 1);
        return row;
    }
    if (events_array_grow(array, row + 1) == 0)
        return row;
    events_keys_remove(&array->keys, row); /* or it would be found without its row */
    events_keys_release(&array->keys, row);
    return -1;
}

void events_array_take(struct events_array *array, long row) {
    events_keys_remove(&array->keys, row);
    vec_push(&array->taken, row);
}

void events_array_free_taken(struct events_array *array) {
    for (size_t i = 0; i < array->taken.count; i++)
        events_keys_release(&array->keys, array->taken.items[i]);
    array->taken.count = 0;
}

void events_array_clear(struct events_array *array) {
    events_keys_clear(&array->keys);
    array->taken.count = 0;
    array->rows = 0;
}

void events_array_truncate(struct events_array *array, long rows) {
    if (rows < array->rows)
        array->rows = rows;
}

void events_array_note(struct events_array *array, long element, size_t event) {
    if (array->assigned_in != event) {
        array->assigned_in = event;
        array->assigned.count = 0;
    }
    if (array->stamps[element] == event)
        return;
    array->stamps[element] = event;
    array->before[element] = array->values[element];
    vec_push(&array->assigned, element);
}
