/* SPDX-License-Identifier: Apache-2.0
 *
 * Sum, count, mean, variance, least, most and quantiles of values that come one by one. Variance is
 * that of all values (divided by their number), by B. P. Welford's update (Note on a method for
 * calculating corrected sums of squares and products, Technometrics 4(3), 1962).
 */
#pragma once

#include "analysis/events/values/sketch.h"
#include "analysis/source/keys.h"

enum aggregate_function {
    AGGREGATE_SUM,
    AGGREGATE_COUNT,
    AGGREGATE_AVG,
    AGGREGATE_VAR,
    AGGREGATE_STD,
    AGGREGATE_MIN,
    AGGREGATE_MAX,
    AGGREGATE_QUANTILE,
    AGGREGATE_ARGMIN,
    AGGREGATE_ARGMAX,
};

/* Of zeroes: no values so far. */
struct aggregate {
    long long count;
    union event_value value; /* sum, least or most, in the type of the values */
    double mean, squares;
    union event_value where; /* the index or key of the least or most */
    struct sketch *sketch;   /* of quantiles */
};

/* What a call of such a function has summed up, in all or for each key. */
struct aggregate_states {
    enum aggregate_function function;
    enum event_type type; /* of the values: int or float */
    bool keyed;
    struct aggregate all;
    struct events_keys keys;
    VEC(struct aggregate) by_key;
};

void aggregate_add(struct aggregate_states *states, struct aggregate *aggregate,
                   union event_value value, union event_value where);

/* The result, int or float by aggregate_result; false: it is nothing, for there were no values. */
bool aggregate_get(union event_value *out, const struct aggregate_states *states,
                   const struct aggregate *aggregate, double p);
enum event_type aggregate_result(enum aggregate_function function, enum event_type type);

/* That of a key; NULL: there is none, or (add) there are too many keys. */
struct aggregate *aggregate_of_key(struct aggregate_states *states, union event_value key,
                                   bool add);

void aggregate_reset(struct aggregate *aggregate);
void aggregate_states_dispose(struct aggregate_states *states);
