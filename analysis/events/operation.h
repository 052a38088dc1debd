/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations that a plan is compiled to. Operands are pointers to where values are (constants,
 * variables, fields of the event in hand, results before), so that nothing is loaded first.
 */
#pragma once

#include "analysis/source/event_source.h"
#include "base/vec.h"

enum operation_code {
#define OPERATION(name, ...) OPERATION_##name,
#define OVERLOAD1(text, a, result, name, ...) OPERATION_##name,
#define OVERLOAD2(text, a, b, result, name, ...) OPERATION_##name,
#define OVERLOAD4(text, a, b, c, d, result, name, ...) OPERATION_##name,
#include "analysis/events/operations.def"
#undef OPERATION
#undef OVERLOAD1
#undef OVERLOAD2
#undef OVERLOAD4
};

struct operation {
    unsigned code; /* enum operation_code */
    unsigned jump; /* index of an operation of the list */
    union event_value *out;
    const union event_value *a, *b;
    void *object;
};

typedef VEC(struct operation) operation_list;

/* What a loop goes over: keys, or numbers of elements. */
struct operation_items {
    struct events_array **arrays; /* where they are collected */
    size_t array_count;
    bool keyed; /* they are keys of the arrays */
    VEC(union event_value) items;
    size_t at;
};

/* A function or operator for operands of certain types. */
struct overload {
    const char *text;
    size_t count;
    enum event_type operands[4], result;
    enum operation_code code;
};

/* The one that these operands fit, an int also where a float is asked for; NULL: there is none. */
const struct overload *overload_find(const char *text, size_t count,
                                     const enum event_type *operands);
/* Is there any of that name? *out_count: how many operands one of them takes. */
bool overload_exists(size_t *out_count, const char *text);
/* The names of functions, each once, for suggestions; NULL behind the last. */
const char *overload_name(size_t number);
