/* SPDX-License-Identifier: Apache-2.0
 *
 * What operations do with whole arrays, and with what was before the event in hand.
 */
#include "analysis/events/machine.h"

#include <stdlib.h>
#include <string.h>

void machine_keep(struct events_variable *variable, size_t now) {
    if (variable->before_of == now)
        return;
    variable->before = variable->value;
    variable->before_of = now;
}

const union event_value *machine_before(const struct events_variable *variable, size_t now) {
    return variable->before_of == now ? &variable->before : &variable->value;
}

void machine_outside(struct events_access *access, const union event_value *index) {
    if (access->outside++ == 0)
        access->first = *index;
}

bool machine_get_by(union event_value *out, struct aggregate_states *states, union event_value key,
                    double p) {
    static const struct aggregate none;
    const struct aggregate *aggregate = aggregate_of_key(states, key, false);
    return aggregate_get(out, states, aggregate != NULL ? aggregate : &none, p);
}

void machine_copy_row(const struct machine_copy *copy, long long to, long long from) {
    union event_value *out = copy->to->values + to, zero = events_zero(copy->to->type);
    if (from >= 0)
        memmove(out, copy->from->values + from, (size_t)copy->count * sizeof *out);
    for (long i = 0; from < 0 && i < copy->count; i++)
        out[i] = zero;
}

void machine_push_window(struct events_array *array, union event_value value, long long count) {
    if (count <= 0)
        return;
    if (array->rows >= count) {
        memmove(array->values, array->values + (array->rows - count + 1),
                (size_t)(count - 1) * sizeof *array->values);
        array->rows = (long)count;
    } else if (events_array_grow(array, array->rows + 1) != 0) {
        return;
    }
    array->values[array->rows - 1] = value;
}

static int compare_values(const void *a, const void *b) {
    long long x = ((const union event_value *)a)->i, y = ((const union event_value *)b)->i;
    return x < y ? -1 : x > y;
}

static void remove_repeated(struct operation_items *list) {
    size_t kept = 0;
    qsort(list->items.items, list->items.count, sizeof *list->items.items, compare_values);
    for (size_t i = 0; i < list->items.count; i++)
        if (kept == 0 || list->items.items[kept - 1].i != list->items.items[i].i)
            list->items.items[kept++] = list->items.items[i];
    list->items.count = kept;
}

void machine_list_keys(struct operation_items *list) {
    list->items.count = 0;
    for (size_t i = 0; i < list->array_count; i++) {
        const struct events_keys *keys = &list->arrays[i]->keys;
        for (size_t k = 0; k < keys->by_number.count; k++)
            if (keys->is_used.items[k])
                vec_push(&list->items, keys->by_number.items[k]);
    }
    if (list->array_count > 1 && list->items.count > 1)
        remove_repeated(list);
}

void machine_list_assigned(struct operation_items *list, size_t now) {
    size_t sources = 0;
    list->items.count = 0;
    for (size_t i = 0; i < list->array_count; i++) {
        const struct events_array *array = list->arrays[i];
        if (array->assigned_in != now)
            continue;
        sources++;
        for (size_t k = 0; k < array->assigned.count; k++) {
            union event_value item = {.i = array->assigned.items[k]};
            vec_push(&list->items, list->keyed ? array->keys.by_number.items[item.i] : item);
        }
    }
    if (sources > 1 && list->items.count > 1)
        remove_repeated(list);
}

static bool is_more(enum event_type type, union event_value a, union event_value b) {
    if (type == EVENT_STRING)
        return strcmp(a.s, b.s) > 0;
    return type == EVENT_FLOAT ? a.f > b.f : a.i > b.i;
}

/* The element with the largest value that does not come before (value, element) in the order by
 * falling values; `last` -1: the first of all. */
static long next_largest(const struct events_array *from, long last) {
    long best = -1;
    for (long i = 0; i < from->rows; i++) {
        if (from->shape.keyed && !from->keys.is_used.items[i])
            continue;
        bool behind = last < 0 || is_more(from->type, from->values[last], from->values[i]) ||
                      (!is_more(from->type, from->values[i], from->values[last]) && i > last);
        if (behind && (best < 0 || is_more(from->type, from->values[i], from->values[best])))
            best = i;
    }
    return best;
}

void machine_top(const struct machine_top *top, long long count) {
    events_array_clear(top->out);
    count = count < top->from->rows ? count : top->from->rows;
    for (long last = -1; count-- > 0 && (last = next_largest(top->from, last)) >= 0;) {
        union event_value key = top->from->shape.keyed ? top->from->keys.by_number.items[last]
                                                       : (union event_value){.i = last};
        long row = events_array_add_key(top->out, key);
        if (row >= 0)
            top->out->values[row] = top->from->values[last];
    }
}
