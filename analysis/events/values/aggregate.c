/* SPDX-License-Identifier: Apache-2.0
 *
 * A sum of ints is exact as long as it fits 64 bits, and wraps round beyond.
 */
#include "analysis/events/values/aggregate.h"

#include <math.h>

static void add_sum(struct aggregate *aggregate, enum event_type type, union event_value value) {
    if (type == EVENT_FLOAT)
        aggregate->value.f += value.f;
    else
        aggregate->value.i =
            (long long)((unsigned long long)aggregate->value.i + (unsigned long long)value.i);
}

static void add_moments(struct aggregate *aggregate, double value) {
    double difference = value - aggregate->mean;
    aggregate->mean += difference / (double)aggregate->count;
    aggregate->squares += difference * (value - aggregate->mean);
}

static bool is_less(enum event_type type, union event_value a, union event_value b) {
    return type == EVENT_FLOAT ? a.f < b.f : a.i < b.i;
}

static void add_extreme(struct aggregate *aggregate, enum event_type type, bool most,
                        union event_value value, union event_value where) {
    bool better =
        most ? is_less(type, aggregate->value, value) : is_less(type, value, aggregate->value);
    if (aggregate->count > 1 && !better)
        return;
    aggregate->value = value;
    aggregate->where = where;
}

static void add_sketch(struct aggregate *aggregate, double value) {
    if (aggregate->sketch == NULL) {
        aggregate->sketch = xmalloc(sizeof *aggregate->sketch);
        *aggregate->sketch = (struct sketch){0};
    }
    sketch_add(aggregate->sketch, value);
}

void aggregate_add(struct aggregate_states *states, struct aggregate *aggregate,
                   union event_value value, union event_value where) {
    enum event_type type = states->type;
    double number = type == EVENT_FLOAT ? value.f : (double)value.i;
    aggregate->count++;
    switch (states->function) {
    case AGGREGATE_COUNT:
        break;
    case AGGREGATE_SUM:
    case AGGREGATE_AVG:
        add_sum(aggregate, type, value);
        break;
    case AGGREGATE_VAR:
    case AGGREGATE_STD:
        add_moments(aggregate, number);
        break;
    case AGGREGATE_MIN:
    case AGGREGATE_ARGMIN:
        add_extreme(aggregate, type, false, value, where);
        break;
    case AGGREGATE_MAX:
    case AGGREGATE_ARGMAX:
        add_extreme(aggregate, type, true, value, where);
        break;
    case AGGREGATE_QUANTILE:
        add_sketch(aggregate, number);
        break;
    }
}

enum event_type aggregate_result(enum aggregate_function function, enum event_type type) {
    switch (function) {
    case AGGREGATE_COUNT:
    case AGGREGATE_ARGMIN:
    case AGGREGATE_ARGMAX:
        return EVENT_INT;
    case AGGREGATE_SUM:
    case AGGREGATE_MIN:
    case AGGREGATE_MAX:
        return type;
    default:
        return EVENT_FLOAT;
    }
}

static double get_float(const struct aggregate_states *states, const struct aggregate *aggregate,
                        double p) {
    double count = (double)aggregate->count;
    switch (states->function) {
    case AGGREGATE_AVG:
        return (states->type == EVENT_FLOAT ? aggregate->value.f : (double)aggregate->value.i) /
               count;
    case AGGREGATE_VAR:
        return aggregate->squares / count;
    case AGGREGATE_STD:
        return sqrt(aggregate->squares / count);
    default:
        return sketch_quantile(aggregate->sketch, p);
    }
}

bool aggregate_get(union event_value *out, const struct aggregate_states *states,
                   const struct aggregate *aggregate, double p) {
    switch (states->function) {
    case AGGREGATE_COUNT:
        out->i = aggregate->count;
        return true;
    case AGGREGATE_SUM:
        *out = aggregate->value;
        return true;
    case AGGREGATE_MIN:
    case AGGREGATE_MAX:
        *out = aggregate->value;
        return aggregate->count > 0;
    case AGGREGATE_ARGMIN:
    case AGGREGATE_ARGMAX:
        *out = aggregate->where;
        return aggregate->count > 0;
    default:
        if (aggregate->count > 0)
            out->f = get_float(states, aggregate, p);
        return aggregate->count > 0;
    }
}

struct aggregate *aggregate_of_key(struct aggregate_states *states, union event_value key,
                                   bool add) {
    long number = add ? events_keys_add(&states->keys, key) : events_keys_find(&states->keys, key);
    if (number < 0)
        return NULL;
    while (states->by_key.count <= (size_t)number)
        vec_push(&states->by_key, (struct aggregate){0});
    return &states->by_key.items[number];
}

void aggregate_reset(struct aggregate *aggregate) {
    if (aggregate->sketch != NULL)
        sketch_dispose(aggregate->sketch);
    free(aggregate->sketch);
    *aggregate = (struct aggregate){0};
}

void aggregate_states_dispose(struct aggregate_states *states) {
    aggregate_reset(&states->all);
    for (size_t i = 0; i < states->by_key.count; i++)
        aggregate_reset(&states->by_key.items[i]);
    vec_dispose(&states->by_key);
    events_keys_dispose(&states->keys);
}
