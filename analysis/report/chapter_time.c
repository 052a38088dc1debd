/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the time goes: computation, waiting and communication; then regions, MPI functions and call
 * sites by time.
 */
#include "analysis/report/chapters.h"

/* ---- Parts of the makespan ---- */

static const struct document_column part_columns[] = {
    {"part", .unit = UNIT_TEXT},
    {"time", UNIT_SECONDS, .help = "mean over the ranks", .has_bar = true},
    {"share", UNIT_SHARE, .help = "of the predicted time"},
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
        document_cells(document, table, CELL(parts[i].name), CELL(seconds), CELL(seconds / whole));
    }
}

/* ---- Regions ---- */

static const struct document_column region_columns[] = {
    {"region", UNIT_CODE, COLUMN_PLACE, .help = "where it begins"},
    {"function", UNIT_CODE, .member = "function"},
    {"what it is", UNIT_TEXT, .member = "summary"},
    {"executions", UNIT_COUNT, "executions", .help = "on all ranks"},
    {"time per rank", UNIT_SECONDS, "seconds_per_rank", "mean over the ranks", true},
    {"share", UNIT_SHARE, "share", .help = "of the time of all ranks"},
    {"deviation", UNIT_SHARE, "deviation",
     .help = "one standard deviation of measured about predicted times"},
    {"extrapolated", UNIT_FACTOR, "extrapolation",
     .help = "by which features leave the range of the samples"},
    {0}};

/* ---- Calls and call sites ---- */

/* After the name of the function. */
#define CALL_COLUMNS                                                                               \
    {"calls", UNIT_COUNT, "count", .help = "on all ranks"},                                        \
        {"time per rank", UNIT_SECONDS, "seconds_per_rank", "mean over the ranks", true},          \
        {"share", UNIT_SHARE, "share", .help = "of the time of all ranks"},                        \
        {"waiting per rank", UNIT_SECONDS, "waiting_s_per_rank",                                   \
         .help = "what it takes on an ideal network too"},                                         \
        {"bytes", UNIT_BYTES, "bytes", .help = "of the first buffer, on all ranks"}, {0}

static const struct document_column call_columns[] = {{"MPI function", UNIT_CODE, .member = "name"},
                                                      CALL_COLUMNS};
static const struct document_column site_columns[] = {
    {"call site", UNIT_CODE, .member = COLUMN_PLACE},
    {"MPI function", UNIT_CODE, .member = "name"},
    CALL_COLUMNS};

/* ---- Files ---- */

static const struct document_column file_columns[] = {
    {"access", UNIT_TEXT, .member = "name"},
    {"calls", UNIT_COUNT, "count", .help = "on all ranks"},
    {"bytes", UNIT_BYTES, "bytes", .help = "that the calls ask for, on all ranks"},
    {"time per rank", UNIT_SECONDS, "seconds_per_rank", "mean over the ranks", true},
    {0}};

static void add_run(struct document *document, const struct report_run *run) {
    const json_t *of = run->prediction;
    add_parts(document, of);
    document_table_of(document, "regions", "Computation, region by region", "regions",
                      region_columns, json_object_get(of, "regions"));
    document_table_of(document, "calls", "MPI, function by function", "functions", call_columns,
                      json_object_get(of, "calls"));
    document_table_of(document, "sites", "MPI, call site by call site", "call sites", site_columns,
                      json_object_get(of, "sites"));
    document_table_of(document, "files", "MPI-IO", "kinds of access", file_columns,
                      json_object_get(of, "files"));
}

const struct chapter chapter_time = {
    "time", "Where the time goes",
    "Means over the ranks; the largest first. Click a heading to sort.", .add_run = add_run};
