/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs side by side: the first one is the base, each other run is compared with it. Scenarios of
 * `mpiskel whatif` are told as its report has them.
 */
#include "analysis/report/chapters.h"
#include "base/hash_table.h"

#include <math.h>
#include <stdlib.h>

/* ---- The runs as a whole ---- */

static const struct document_column run_columns[] = {
    {"run", .unit = UNIT_TEXT},
    {"ranks", .unit = UNIT_COUNT},
    {"time", UNIT_SECONDS, .has_bar = true},
    {"of the first", UNIT_FACTOR, .help = "the time, over that of the first run"},
    {"computation", UNIT_SECONDS, .help = "mean over the ranks"},
    {"waiting", UNIT_SECONDS, .help = "mean over the ranks"},
    {"communication", UNIT_SECONDS, .help = "mean over the ranks"},
    {0}};

/* `of`: what has the parts. */
static void add_run(struct document *document, struct document_table *table, const char *name,
                    double ranks, double time_s, double base_s, const json_t *of) {
    document_cells(document, table, CELL(name), CELL(ranks), CELL(time_s), CELL(time_s / base_s),
                   CELL(input_number(of, "computation_s")), CELL(input_number(of, "waiting_s")),
                   CELL(input_number(of, "communication_s")));
}

static double run_time_s(const struct report_run *run) {
    return run->prediction != NULL ? input_number(run->prediction, "predicted_s")
                                   : 1e-9 * (double)run_view_duration_ns(&run->view);
}

static double run_ranks(const struct report_run *run) {
    return run->prediction != NULL ? input_number(run->prediction, "ranks") : run->view.ranks;
}

static void add_runs(struct document *document, const struct report_input *input) {
    struct document_table *table =
        document_table_begin(document, "runs", "The runs of this report", "runs", run_columns);
    for (size_t i = 0; i < input->runs.count; i++) {
        const struct report_run *run = &input->runs.items[i];
        add_run(document, table, run->name, run_ranks(run), run_time_s(run),
                run_time_s(&input->runs.items[0]), json_object_get(run->prediction, "attribution"));
    }
}

static void add_scenarios(struct document *document, const json_t *whatif) {
    const json_t *rows = json_object_get(whatif, "scenarios");
    double base_s = input_number(json_array_get(rows, 0), "predicted_s");
    size_t index;
    json_t *row;
    if (json_array_size(rows) == 0)
        return;
    struct document_table *table = document_table_begin(
        document, "scenarios", "Scenarios of mpiskel whatif", "scenarios", run_columns);
    json_array_foreach(rows, index, row) {
        const char *error = json_get_text(row, "error");
        if (error != NULL)
            document_notice(document, "%s failed: %s", input_text(row, "name"), error);
        add_run(document, table, input_text(row, "name"), input_number(row, "ranks"),
                input_number(row, "predicted_s"), base_s, row);
    }
}

/* ---- What makes the difference ---- */

static const struct document_column difference_columns[] = {
    {"activity", .unit = UNIT_CODE},
    {"in the first run", UNIT_SECONDS, .help = "per rank"},
    {"in this run", UNIT_SECONDS, .help = "per rank"},
    {"difference", UNIT_SECONDS, .help = "per rank; negative: this run takes less"},
    {0}};

struct activity_pair {
    const char *name;
    double first_s, second_s;
};

static void add_activities(struct hash_table *pairs, struct arena *arena, const json_t *rows,
                           const char *what, bool is_second) {
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row) {
        const char *name =
            arena_printf(arena, "%s %s", input_place(arena, row), input_text(row, what));
        struct activity_pair *pair = hash_table_add_text(pairs, name, sizeof *pair);
        pair->name = name;
        *(is_second ? &pair->second_s : &pair->first_s) += input_number(row, "seconds_per_rank");
    }
}

static void add_prediction(struct hash_table *pairs, struct arena *arena, const json_t *prediction,
                           bool is_second) {
    add_activities(pairs, arena, json_object_get(prediction, "regions"), "function", is_second);
    add_activities(pairs, arena, json_object_get(prediction, "sites"), "name", is_second);
}

static int more_different(const void *a, const void *b) {
    const struct activity_pair *x = *(const struct activity_pair *const *)a;
    const struct activity_pair *y = *(const struct activity_pair *const *)b;
    double of_x = fabs(x->second_s - x->first_s), of_y = fabs(y->second_s - y->first_s);
    return of_x > of_y ? -1 : of_x < of_y;
}

static void add_difference(struct document *document, const json_t *first, const json_t *second) {
    struct hash_table pairs = {0};
    VEC(const struct activity_pair *) rows = {0};
    add_prediction(&pairs, &document->arena, first, false);
    add_prediction(&pairs, &document->arena, second, true);
    for (const void *at = hash_table_first(&pairs); at != NULL; at = hash_table_next(at)) {
        const struct activity_pair *pair = at;
        if (isfinite(pair->first_s) && isfinite(pair->second_s) && pair->first_s != pair->second_s)
            vec_push(&rows, pair);
    }
    if (rows.count > 0)
        qsort(rows.items, rows.count, sizeof *rows.items, more_different);
    struct document_table *table =
        document_table_begin(document, "differences", "What differs from the first run",
                             "activities", difference_columns);
    for (size_t i = 0; i < rows.count; i++) {
        const struct activity_pair *pair = rows.items[i];
        document_cells(document, table, CELL(pair->name), CELL(pair->first_s), CELL(pair->second_s),
                       CELL(pair->second_s - pair->first_s));
    }
    vec_dispose(&rows);
    hash_table_dispose(&pairs);
}

static void add_all(struct document *document, const struct report_input *input) {
    add_scenarios(document, input->whatif);
    if (input->runs.count < 2)
        return;
    add_runs(document, input);
    for (size_t i = 1; i < input->runs.count; i++) {
        const json_t *first = input->runs.items[0].prediction;
        const json_t *second = input->runs.items[i].prediction;
        document->run = (int)i;
        if (first != NULL && second != NULL)
            add_difference(document, first, second);
    }
}

const struct chapter chapter_comparison = {
    "comparison", "Comparison",
    "What differs between runs; the timeline shows them below each other.", .add = add_all};
