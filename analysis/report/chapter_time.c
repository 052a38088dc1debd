/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the time goes: computation, waiting and communication; then regions, MPI functions and call
 * sites by time.
 */
#include "analysis/report/chapters.h"

/* ---- Parts of the makespan ---- */

static const struct document_column part_columns[] = {
    {"part", UNIT_TEXT, NULL, false},
    {"time", UNIT_SECONDS, "mean over the ranks", true},
    {"share", UNIT_SHARE, "of the predicted time", false},
    {0}};

/* Names of parts, and the members that have them. */
static const struct {
    const char *name, *member;
} parts[] = {
    {"computation", "computation_s"},
    {"waiting for ranks with more to do", "imbalance_s"},
    {"waiting for what others have not computed yet", "dependencies_s"},
    {"communication: what the network adds", "communication_s"},
};

static void add_parts(struct document *document, const json_t *prediction) {
    const json_t *attribution = json_object_get(prediction, "attribution");
    double whole = input_number(prediction, "predicted_s");
    if (!json_is_object(attribution))
        return;
    struct document_table *table = document_table_begin(
        document, "parts", "Parts of the predicted time", "parts", part_columns);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double seconds = input_number(attribution, parts[i].member);
        table_add_text(document, table, parts[i].name);
        table_add_number(table, seconds);
        table_add_number(table, seconds / whole);
    }
}

/* ---- Regions ---- */

static const struct document_column region_columns[] = {
    {"region", UNIT_CODE, "where it begins", false},
    {"function", UNIT_CODE, NULL, false},
    {"what it is", UNIT_TEXT, NULL, false},
    {"executions", UNIT_COUNT, "on all ranks", false},
    {"time per rank", UNIT_SECONDS, "mean over the ranks", true},
    {"share", UNIT_SHARE, "of the time of all ranks", false},
    {"deviation", UNIT_SHARE, "one standard deviation of measured about predicted times", false},
    {"extrapolated", UNIT_FACTOR, "by which features leave the range of the samples", false},
    {0}};

static void add_regions(struct document *document, const json_t *prediction) {
    const json_t *rows = json_object_get(prediction, "regions");
    struct document_table *table;
    size_t index;
    json_t *row;
    if (json_array_size(rows) == 0)
        return;
    table = document_table_begin(document, "regions", "Computation, region by region", "regions",
                                 region_columns);
    json_array_foreach(rows, index, row) {
        table_add_text(document, table, input_place(&document->arena, row));
        table_add_text(document, table, input_text(row, "function"));
        table_add_text(document, table, input_text(row, "summary"));
        table_add_number(table, input_number(row, "executions"));
        table_add_number(table, input_number(row, "seconds_per_rank"));
        table_add_number(table, input_number(row, "share"));
        table_add_number(table, input_number(row, "deviation"));
        table_add_number(table, input_number(row, "extrapolation"));
    }
}

/* ---- Calls and call sites ---- */

#define CALL_COLUMNS                                                                               \
    {"calls", UNIT_COUNT, "on all ranks", false},                                                  \
        {"time per rank", UNIT_SECONDS, "mean over the ranks", true},                              \
        {"share", UNIT_SHARE, "of the time of all ranks", false},                                  \
        {"waiting per rank", UNIT_SECONDS, "what it takes on an ideal network too", false}, {      \
        "bytes", UNIT_BYTES, "of the first buffer, on all ranks", false                            \
    }

static const struct document_column call_columns[] = {
    {"MPI function", UNIT_CODE, NULL, false}, CALL_COLUMNS, {0}};
static const struct document_column site_columns[] = {{"call site", UNIT_CODE, NULL, false},
                                                      {"MPI function", UNIT_CODE, NULL, false},
                                                      CALL_COLUMNS,
                                                      {0}};

static void add_call(struct document *document, struct document_table *table, const json_t *row) {
    table_add_text(document, table, input_text(row, "name"));
    table_add_number(table, input_number(row, "count"));
    table_add_number(table, input_number(row, "seconds_per_rank"));
    table_add_number(table, input_number(row, "share"));
    table_add_number(table, input_number(row, "waiting_s_per_rank"));
    table_add_number(table, input_number(row, "bytes"));
}

static void add_calls(struct document *document, const json_t *prediction) {
    size_t index;
    json_t *row;
    struct document_table *table;
    if (json_array_size(json_object_get(prediction, "calls")) == 0)
        return;
    table = document_table_begin(document, "calls", "MPI, function by function", "functions",
                                 call_columns);
    json_array_foreach(json_object_get(prediction, "calls"), index, row)
        add_call(document, table, row);
    table = document_table_begin(document, "sites", "MPI, call site by call site", "call sites",
                                 site_columns);
    json_array_foreach(json_object_get(prediction, "sites"), index, row) {
        table_add_text(document, table, input_place(&document->arena, row));
        add_call(document, table, row);
    }
}

/* ---- Files ---- */

static const struct document_column file_columns[] = {
    {"access", UNIT_TEXT, NULL, false},
    {"calls", UNIT_COUNT, "on all ranks", false},
    {"bytes", UNIT_BYTES, "that the calls ask for, on all ranks", false},
    {"time per rank", UNIT_SECONDS, "mean over the ranks", true},
    {0}};

static void add_files(struct document *document, const json_t *prediction) {
    const json_t *rows = json_object_get(prediction, "files");
    size_t index;
    json_t *row;
    if (json_array_size(rows) == 0)
        return;
    struct document_table *table =
        document_table_begin(document, "files", "MPI-IO", "kinds of access", file_columns);
    json_array_foreach(rows, index, row) {
        table_add_text(document, table, input_text(row, "name"));
        table_add_number(table, input_number(row, "count"));
        table_add_number(table, input_number(row, "bytes"));
        table_add_number(table, input_number(row, "seconds_per_rank"));
    }
}

void chapter_time(struct document *document, const struct report_input *input) {
    document_chapter_begin(document, "time", "Where the time goes",
                           "Means over the ranks; the largest first. Click a heading to sort.");
    for (size_t i = 0; i < input->runs.count; i++) {
        const json_t *prediction = input->runs.items[i].prediction;
        document->run = (int)i;
        add_parts(document, prediction);
        add_regions(document, prediction);
        add_calls(document, prediction);
        add_files(document, prediction);
    }
    document->run = -1;
}
