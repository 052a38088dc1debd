/* SPDX-License-Identifier: Apache-2.0
 *
 * Run time over the number of ranks: the curve of `mpiskel scale` with its band and points, the
 * runs of this report, and what was measured (`mpiskel validate`).
 */
#include "analysis/report/chapters.h"

#include <math.h>
#include <stdlib.h>

enum time_source { SOURCE_RUN, SOURCE_POINT, SOURCE_CURVE, SOURCE_MEASURED };

static const char *const source_names[] = {"run of this report", "point of the curve", "curve",
                                           "measured"};

struct scaled_time {
    enum time_source source;
    double ranks, time_s, low_s, high_s;
};

typedef VEC(struct scaled_time) scaled_times;

/* ---- Where times come from ---- */

static void add_runs(scaled_times *out, const struct report_input *input) {
    for (size_t i = 0; i < input->runs.count; i++) {
        const json_t *prediction = input->runs.items[i].prediction;
        const json_t *interval = json_object_get(prediction, "interval");
        if (prediction != NULL)
            vec_push(out, (struct scaled_time){SOURCE_RUN, input_number(prediction, "ranks"),
                                               input_number(prediction, "predicted_s"),
                                               input_number(interval, "low_s"),
                                               input_number(interval, "high_s")});
    }
}

static void add_list(scaled_times *out, const json_t *rows, enum time_source source) {
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) vec_push(
        out, (struct scaled_time){source, input_number(row, "ranks"), input_number(row, "time_s"),
                                  input_number(row, "low_s"), input_number(row, "high_s")});
}

/* Real runs if there are any, else simulations of the original. */
static void add_measured(scaled_times *out, const json_t *validation) {
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(validation, "configurations"), index, row) {
        const json_t *measured = json_object_get(row, "real");
        if (!json_is_object(measured))
            measured = json_object_get(row, "original");
        if (json_is_object(measured))
            vec_push(out, (struct scaled_time){SOURCE_MEASURED, input_number(row, "ranks"),
                                               input_number(measured, "median_s"),
                                               input_number(measured, "min_s"),
                                               input_number(measured, "max_s")});
    }
}

static int by_ranks(const void *a, const void *b) {
    const struct scaled_time *x = a, *y = b;
    if (x->ranks != y->ranks)
        return x->ranks < y->ranks ? -1 : 1;
    return (int)x->source - (int)y->source;
}

/* ---- What is told ---- */

static const struct document_column scaling_columns[] = {
    {"ranks", .unit = UNIT_COUNT},
    {"time", UNIT_SECONDS, .has_bar = true},
    {"from", UNIT_SECONDS, .help = "of the interval, the band, or the repeated runs"},
    {"to", .unit = UNIT_SECONDS},
    {"what it is", .unit = UNIT_TEXT},
    {0}};

static void add_table(struct document *document, const scaled_times *rows) {
    struct document_table *table = document_table_begin(
        document, "scaling", "Run time by number of ranks", "points", scaling_columns);
    for (size_t i = 0; i < rows->count; i++) {
        const struct scaled_time *row = &rows->items[i];
        document_cells(document, table, CELL(row->ranks), CELL(row->time_s), CELL(row->low_s),
                       CELL(row->high_s), CELL(source_names[row->source]));
    }
}

static json_t *number_or_null(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

static void add_chart(struct document *document, const scaled_times *rows) {
    json_t *list = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        const struct scaled_time *row = &rows->items[i];
        if (row->ranks > 0 && row->time_s > 0)
            json_array_append_new(
                list, json_pack("{s:s, s:f, s:f, s:o, s:o}", "source", source_names[row->source],
                                "ranks", row->ranks, "time_s", row->time_s, "low_s",
                                number_or_null(row->low_s), "high_s", number_or_null(row->high_s)));
    }
    document_figure(document, "scaling", "Run time over ranks, both in powers",
                    json_pack("{s:o}", "points", list));
}

static void tell_turn(struct document *document, const json_t *scaling) {
    double turn = input_number(scaling, "turn_ranks");
    double half = input_number(scaling, "half_efficiency_ranks");
    if (turn > 0)
        document_text(document, "The time stops falling at %.0f ranks.", turn);
    if (half > 0)
        document_text(document, "From %.0f ranks on less than half of the machine is used.", half);
}

/* One run is no curve. */
static void add_all(struct document *document, const struct report_input *input) {
    scaled_times rows = {0};
    add_runs(&rows, input);
    add_list(&rows, json_object_get(input->scaling, "points"), SOURCE_POINT);
    add_list(&rows, json_object_get(input->scaling, "predictions"), SOURCE_CURVE);
    add_measured(&rows, input->validation);
    if (rows.count > 0)
        qsort(rows.items, rows.count, sizeof *rows.items, by_ranks);
    if (rows.count > 1 && rows.items[0].ranks < rows.items[rows.count - 1].ranks) {
        tell_turn(document, input->scaling);
        add_chart(document, &rows);
        add_table(document, &rows);
    }
    vec_dispose(&rows);
}

const struct chapter chapter_scaling = {
    "scaling", "Scaling", "How the run time changes with the number of ranks.", .add = add_all};
