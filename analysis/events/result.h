/* SPDX-License-Identifier: Apache-2.0
 *
 * The outputs of a program that has run, and how each is to be shown.
 */
#pragma once

#include "analysis/events/expressions.h"

enum result_view {
    RESULT_BAR,
    RESULT_LINE,
    RESULT_TABLE,
    RESULT_MATRIX,
    RESULT_VALUES /* NAME = VALUES */
};

/* Rows of `row_length` values. A single value is one row of one, of no dimensions. */
struct events_result {
    const char *name;
    const char *title; /* NULL: the name says it */
    const char *unit;  /* NULL: none */
    enum result_view view;
    enum event_type type;
    size_t dimension_count;
    bool keyed;
    enum event_type key_type;
    long rows, row_length;
    const union event_value **row_values; /* by row */
    union event_value *keys;              /* by row, if keyed */
    const struct events_array *labels;    /* of texts, by row; NULL: indices or keys */
    bool is_nothing;                      /* a single value that was never assigned */
    long top;                             /* rows to show, 0: as many as fit */
    bool has_axis;
    double from, to;                      /* where the first row begins and the last ends */
    const char *axis_unit;                /* NULL: none */
    const char *row_title, *column_title; /* NULL: none */
};

typedef VEC(struct events_result) result_list;

/* All outputs, in the order of their declarations; where none is declared, the variables that no
 * rule for another one reads. -1: a view is wrong; the script has a message. */
int results_collect(result_list *out, struct events_program *program);

/* As a number; 0 of a text. */
double result_number(const struct events_result *result, long row, long column);
/* The largest number of a block, whose first one counts also where the block is empty. */
double result_largest(const struct events_result *result, long row, long row_end, long column,
                      long column_end);
/* The range of all finite values, and 0. */
void result_range(double *out_least, double *out_most, const struct events_result *result);
/* How far a value is from `from` to `to`, 0 to 1: infinities are at the ends. */
double result_part(double value, double from, double to);
/* The index or key of a row. */
void result_label(struct str *out, const struct events_result *result, long row);
/* The value as it is, without scale: what CSV has. */
void result_value(struct str *out, const struct events_result *result, long row, long column);
