/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the operations of a plan, or of an expression alone.
 */
#pragma once

#include "analysis/events/events_program.h"

struct events_machine {
    struct texts *texts;
    size_t now; /* the number of the event in hand, from 1 on */
};

void machine_run(struct events_machine *machine, const struct operation *code);

/* What operations of operations.def call; bool: false is nothing. */
const char *machine_join(struct events_machine *machine, const char *a, const char *b);
const char *machine_text_of_int(struct events_machine *machine, long long value);
const char *machine_text_of_float(struct events_machine *machine, double value);
bool machine_text_to_int(union event_value *out, const char *text);
bool machine_text_to_float(union event_value *out, const char *text);
bool machine_to_int(union event_value *out, double value);

/* The bin of a value among d from b to c, where c itself belongs to the last one. */
bool machine_bin_int(union event_value *out, long long x, long long low, long long high,
                     long long count);
bool machine_bin_float(union event_value *out, double x, double low, double high, long long count);

/* The part of an interval in each of some bins. */
struct machine_spread {
    bool is_int;
    const union event_value *from, *to, *low, *high, *count;
    union event_value first, end; /* bins that it touches, as ints */
};
bool machine_spread_begin(struct machine_spread *spread);
void machine_spread_at(union event_value *out, const struct machine_spread *spread, long long bin);

/* The largest elements of an array, with their indices or keys as keys. */
struct machine_top {
    const struct events_array *from;
    struct events_array *out;
};
void machine_top(const struct machine_top *top, long long count);

/* `count` elements of one array to another of the same type, from element to element; of what does
 * not exist (-1) zeroes. */
struct machine_copy {
    const struct events_array *from;
    struct events_array *to;
    long count;
};
void machine_copy_row(const struct machine_copy *copy, long long to, long long from);

void machine_push_window(struct events_array *array, union event_value value, long long count);
void machine_list_keys(struct operation_items *list);
void machine_list_assigned(struct operation_items *list, size_t now);
void machine_keep(struct events_variable *variable, size_t now);
const union event_value *machine_before(const struct events_variable *variable, size_t now);
void machine_outside(struct events_access *access, const union event_value *index);
bool machine_get_by(union event_value *out, struct aggregate_states *states, union event_value key,
                    double p);
