/* SPDX-License-Identifier: Apache-2.0
 *
 * Chapters of a report whose numbers are known, and how numbers are shown.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/quantity.h"
#include "analysis/report/report.h"
#include "built_run.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

/* ---- What a chapter adds ---- */

/* The chapter alone; of all runs, or of the first one. */
static void compose(struct document *out, const struct chapter *chapter,
                    const struct report_input *input) {
    document_init(out);
    document_chapter_begin(out, chapter->id, chapter->title, chapter->about);
    if (chapter->add != NULL)
        chapter->add(out, input);
    else
        chapter->add_run(out, &input->runs.items[0]);
}

static const struct document_block *block_of(const struct document *document,
                                             enum document_block_kind kind, const char *id) {
    const struct document_chapter *chapter = &document->chapters.items[0];
    for (size_t i = 0; i < chapter->blocks.count; i++) {
        const struct document_block *block = &chapter->blocks.items[i];
        if (block->kind == kind && (kind != BLOCK_TABLE || strcmp(block->table->id, id) == 0))
            return block;
    }
    fail_msg("there is no %s", id);
    return NULL;
}

static const struct document_table *table_of(const struct document *document, const char *id) {
    return block_of(document, BLOCK_TABLE, id)->table;
}

static const struct document_cell *cell(const struct document_table *table, size_t row,
                                        size_t column) {
    assert_true(row < document_table_rows(table) && column < table->column_count);
    return &table->cells.items[row * table->column_count + column];
}

static void expect_number(const struct document_table *table, size_t row, size_t column,
                          double wanted) {
    assert_within(cell(table, row, column)->number, wanted, 1e-12);
}

/* ---- Runs side by side ---- */

static json_t *prediction(const char *text) {
    json_t *read = json_loads(text, 0, NULL);
    assert_non_null(read);
    return read;
}

#define ACTIVITIES(f_s, send_s)                                                                    \
    "\"regions\":[{\"file\":\"a.c\",\"line\":3,\"function\":\"f\",\"seconds_per_rank\":" f_s       \
    "},{\"file\":\"a.c\",\"line\":9,\"function\":\"same\",\"seconds_per_rank\":1}],"               \
    "\"sites\":[{\"file\":\"a.c\",\"line\":5,\"name\":\"MPI_Send\",\"seconds_per_rank\":" send_s   \
    "}]"

/* Two predictions, and a run of which only the trace is there. */
static void make_three_runs(struct report_input *out) {
    struct report_run first = {.name = "first"}, second = {.name = "second"},
                      third = {.name = "third"};
    first.prediction =
        prediction("{\"predicted_s\":2,\"ranks\":4,\"attribution\":{\"computation_s\":1.5,"
                   "\"waiting_s\":0.25,\"communication_s\":0.125}," ACTIVITIES("1.5", "0.5") "}");
    second.prediction = prediction("{\"predicted_s\":3,\"ranks\":8," ACTIVITIES("2.5", "0.25") "}");
    built_run_init(&third.view, 2);
    built_region(&third.view, 0, SITE_WORK, 0, 500000000);
    built_run_finish(&third.view);
    third.has_view = true;
    vec_push(&out->runs, first);
    vec_push(&out->runs, second);
    vec_push(&out->runs, third);
}

static void dispose_runs(struct report_input *input) {
    for (size_t i = 0; i < input->runs.count; i++) {
        json_decref(input->runs.items[i].prediction);
        if (input->runs.items[i].has_view)
            run_view_dispose(&input->runs.items[i].view);
    }
    vec_dispose(&input->runs);
}

TEST(runs_are_compared_with_the_first_one) {
    static const double rows[][7] = {
        {0, 4, 2, 1, 1.5, 0.25, 0.125}, {0, 8, 3, 1.5}, {0, 2, 0.5, 0.25}};
    struct report_input input = {0};
    struct document document;
    make_three_runs(&input);
    compose(&document, &chapter_comparison, &input);
    const struct document_table *runs = table_of(&document, "runs");
    assert_int_equal(document_table_rows(runs), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(cell(runs, i, 0)->text, input.runs.items[i].name);
        for (size_t k = 1; k < (i == 0 ? 7u : 4u); k++)
            expect_number(runs, i, k, rows[i][k]);
    }
    document_dispose(&document);
    dispose_runs(&input);
}

TEST(activities_that_differ_come_with_the_largest_difference_first) {
    struct report_input input = {0};
    struct document document;
    make_three_runs(&input);
    compose(&document, &chapter_comparison, &input);
    const struct document_table *table = table_of(&document, "differences");
    assert_int_equal(document_table_rows(table), 2);
    assert_string_equal(cell(table, 0, 0)->text, "a.c:3 f");
    assert_string_equal(cell(table, 1, 0)->text, "a.c:5 MPI_Send");
    static const double rows[][3] = {{1.5, 2.5, 1}, {0.5, 0.25, -0.25}};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++)
            expect_number(table, i, k + 1, rows[i][k]);
    document_dispose(&document);
    dispose_runs(&input);
}

/* ---- Tables that show the largest only ---- */

/* Each rank works for 15 ns when the rank before it has, then sends to the next one. */
static void make_chain(struct report_input *out, int ranks) {
    struct report_run run = {.name = "chain", .has_view = true};
    built_run_init(&run.view, ranks);
    for (int i = 0; i < ranks; i++) {
        int64_t begin_ns = i * 20;
        if (i > 0)
            built_receive(&run.view, i, SITE_RECV, 0, begin_ns, (uint64_t)i, i - 1);
        built_region(&run.view, i, SITE_WORK, begin_ns, begin_ns + 15);
        if (i < ranks - 1)
            built_send(&run.view, i, SITE_SEND, begin_ns + 15, begin_ns + 16, (uint64_t)i + 1,
                       i + 1, 100 + i);
    }
    built_run_finish(&run.view);
    vec_push(&out->runs, run);
}

TEST(twenty_ranks_of_a_critical_path_are_named) {
    struct report_input input = {0};
    struct document document;
    make_chain(&input, 30);
    compose(&document, &chapter_path, &input);
    assert_int_equal(document_table_rows(table_of(&document, "ranks")), 20);
    assert_contains(block_of(&document, BLOCK_TEXT, "text")->text,
                    "The path goes along 30 of 30 ranks, in ");
    document_dispose(&document);
    dispose_runs(&input);
}

TEST(fifty_pairs_that_exchange_most_are_named) {
    struct report_input input = {0};
    struct document document;
    make_chain(&input, 61);
    compose(&document, &chapter_messages, &input);
    const struct document_table *pairs = table_of(&document, "pairs");
    assert_int_equal(document_table_rows(pairs), 50);
    assert_string_equal(pairs->caption, "Pairs of ranks that exchange most");
    for (size_t i = 0; i < 50; i++) {
        static const double wanted[] = {59, 60, 1, 159};
        for (size_t k = 0; k < 4; k++)
            expect_number(pairs, i, k, k == 2 ? 1 : wanted[k] - (double)i);
    }
    document_dispose(&document);
    dispose_runs(&input);
}

/* ---- Models ---- */

/* The points of the chart of a model that 2e-9 * n1 fits, with so many samples. */
static size_t chart_points(size_t count) {
    static const struct feature n1 = {.name = "n1", .meaning = "bytes"};
    static const double exponents[] = {1}, least[] = {1}, most[] = {1000};
    static const int logs[] = {0};
    static const struct term term = {2e-9, exponents, logs};
    struct region region = {
        .function = "f", .file = "a.c", .line = 3, .features = &n1, .feature_count = 1};
    struct latency_model model = {.fitted = true,
                                  .feature_count = 1,
                                  .term_count = 1,
                                  .plain_count = 1,
                                  .terms = &term,
                                  .min = least,
                                  .max = most,
                                  .share = 1,
                                  .note = ""};
    double *features = malloc(count * sizeof *features);
    struct sample *samples = calloc(count, sizeof *samples);
    struct report_input input = {.bundle = "a.skel",
                                 .regions = {.items = &region, .count = 1},
                                 .models = {.machine = "here", .items = &model, .count = 1},
                                 .samples = {.items = samples, .count = count},
                                 .has_models = true};
    struct document document;
    for (size_t i = 0; i < count; i++) {
        features[i] = (double)i + 1;
        samples[i] = (struct sample){.features = &features[i],
                                     .feature_count = 1,
                                     .count = 1,
                                     .timed = 1,
                                     .seconds = 3e-9 * features[i]};
    }
    compose(&document, &chapter_models, &input);
    const json_t *points =
        json_object_get(block_of(&document, BLOCK_FIGURE, "chart")->figure->data, "points");
    size_t result = json_array_size(points);
    const json_t *second = json_array_get(points, 1);
    double n = json_number_value(json_array_get(second, 0));
    assert_within(json_number_value(json_array_get(second, 1)), 3e-9 * n, 1e-12);
    assert_within(json_number_value(json_array_get(second, 2)), 2e-9 * n, 1e-12);
    document_dispose(&document);
    free(features);
    free(samples);
    return result;
}

TEST(a_chart_has_no_more_than_four_hundred_samples) {
    assert_int_equal(chart_points(399), 399);
    assert_int_equal(chart_points(700), 350);
    assert_int_equal(chart_points(900), 300);
}

/* ---- Numbers ---- */

/* Bytes have three. */
TEST(seconds_have_four_digits_and_the_unit_that_suits_them) {
    static const struct {
        enum document_unit unit;
        double number;
        const char *text;
    } rows[] = {
        {UNIT_SECONDS, 1.23456, "1.235 s"},
        {UNIT_SECONDS, 12.3456, "12.35 s"},
        {UNIT_SECONDS, 12345.6, "12,346 s"},
        {UNIT_SECONDS, 123.456e-6, "123.5 µs"},
        {UNIT_SECONDS, 7e-9, "7.000 ns"},
        {UNIT_SECONDS, 0, "0.000 s"},
        {UNIT_SECONDS, NAN, "–"},
        {UNIT_BYTES, 7861234, "7.86 MB"},
        {UNIT_BYTES, 12, "12 B"},
        {UNIT_BYTES, 123456e9, "123 TB"},
        {UNIT_SHARE, 0.30449, "30.4 %"},
        {UNIT_FACTOR, 1.5, "1.50×"},
        {UNIT_COUNT, 3840000, "3,840,000"},
        {UNIT_COUNT, -1234, "-1,234"},
        {UNIT_PLAIN, 1.23456789, "1.23457"},
        {UNIT_COUNT, INFINITY, "∞"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(quantity_text(&arena, rows[i].unit, rows[i].number), rows[i].text);
    arena_dispose(&arena);
}

/* ---- The page ---- */

/* The test's own directory is none of an installation. */
TEST_WITH(a_page_whose_parts_are_missing_is_not_written, directory_setup, directory_teardown) {
    struct report_input input = {.regions = {.program = "p"}};
    struct error error = {0};
    make_chain(&input, 2);
    write_text(test_path("r.html"), "mine");
    assert_int_equal(report_write_page(test_path("r.html"), &input, &error), -1);
    assert_contains(error.text, "is missing; install mpiskel again");
    char *text = read_text(test_path("r.html"));
    assert_string_equal(text, "mine");
    free(text);
    dispose_runs(&input);
}
