/* SPDX-License-Identifier: Apache-2.0
 *
 * What the prediction stands on: what of the program was kept, which values are given instead of
 * computed, what was assumed, and what a check of the cuts found.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/quantity.h"

#include <stdlib.h>
#include <string.h>

/* ---- What was kept ---- */

static const struct document_column kept_columns[] = {
    {"kept computation", .unit = UNIT_CODE},
    {"function", .unit = UNIT_CODE},
    {"what it is", UNIT_CODE, .help = "its first line"},
    {"statements", UNIT_COUNT, .help = "that stay in it"},
    {"weight", UNIT_SHARE, .help = "of the static estimate of the whole program's work",
     .has_bar = true},
    {0}};

static int heavier_first(const void *a, const void *b) {
    double x = input_number(*(json_t *const *)a, "estimate");
    double y = input_number(*(json_t *const *)b, "estimate");
    if (x != y)
        return x > y ? -1 : 1;
    int files =
        strcmp(input_text(*(json_t *const *)a, "file"), input_text(*(json_t *const *)b, "file"));
    double lines =
        input_number(*(json_t *const *)a, "line") - input_number(*(json_t *const *)b, "line");
    return files != 0 ? files : (lines > 0) - (lines < 0);
}

static json_t **sorted_by_weight(struct arena *arena, const json_t *rows) {
    size_t count = json_array_size(rows);
    json_t **sorted = ARENA_ARRAY(arena, json_t *, count + 1);
    for (size_t i = 0; i < count; i++)
        sorted[i] = json_array_get(rows, i);
    qsort(sorted, count, sizeof *sorted, heavier_first);
    return sorted;
}

static void add_kept(struct document *document, const json_t *reasons) {
    const json_t *rows = json_object_get(reasons, "kept");
    double all = input_number(json_object_get(reasons, "estimate"), "all");
    double kept = input_number(json_object_get(reasons, "estimate"), "kept");
    if (json_array_size(rows) == 0)
        return;
    if (all > 0)
        document_text(document,
                      "By a static estimate %s of the program's work stays in the skeleton.",
                      quantity_text(&document->arena, UNIT_SHARE, kept / all));
    struct document_table *table = document_table_begin(
        document, "kept", "Computation that stays in the skeleton", "places", kept_columns);
    json_t **sorted = sorted_by_weight(&document->arena, rows);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = sorted[i];
        document_cells(document, table, CELL(input_place(&document->arena, row)),
                       CELL(input_text(row, "function")), CELL(input_text(row, "text")),
                       CELL(input_number(row, "statements")),
                       CELL(input_number(row, "estimate") / all));
    }
}

/* ---- What was cut ---- */

static const struct document_column cut_columns[] = {
    {"given value", UNIT_CODE, .member = COLUMN_PLACE},
    {"function", UNIT_CODE, .member = "function"},
    {"statement", UNIT_CODE, .member = "text"},
    {"kind", UNIT_TEXT, .member = "kind"},
    {"executions", UNIT_COUNT, "executions", "in the scout run, or by the static estimate", true},
    {0}};

static void add_cuts(struct document *document, const json_t *described) {
    const json_t *cuts = json_object_get(described, "cuts");
    const json_t *rows = json_object_get(cuts, "values");
    double all = input_number(cuts, "executions"), kept = input_number(cuts, "executions_kept");
    if (all > 0)
        document_text(document, "%s of the executed statements stay.",
                      quantity_text(&document->arena, UNIT_SHARE, kept / all));
    if (json_array_size(rows) == 0)
        document_text(document, "Nothing was cut: the skeleton computes all that it communicates "
                                "by.");
    document_table_of(document, "cuts", "Values that are given instead of computed", "values",
                      cut_columns, rows);
}

/* ---- What was assumed ---- */

static const struct document_column assumed_columns[] = {
    {"assumption", UNIT_CODE, .member = "name"},
    {"place", UNIT_CODE, .member = COLUMN_PLACE},
    {"statement", UNIT_CODE, .member = "text"},
    {"what that means", UNIT_TEXT, .member = "effect"},
    {0}};

static void add_assumptions(struct document *document, const struct report_input *input) {
    const char *names = input_text(input->described, "assumptions");
    document_text(document, "Assumptions in force: %s.", names[0] != '\0' ? names : "none");
    document_table_of(document, "assumed", "Where an assumption made something go", "places",
                      assumed_columns, json_object_get(input->reasons, "assumed"));
}

/* ---- Library functions that nobody knows ---- */

static void tell_unknown(struct document *document, const json_t *reasons) {
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(reasons, "unknown"), index, row)
        document_notice(document,
                        "Nobody told what the library function %s reads and writes; it is kept. "
                        "A row in the hints file tells.",
                        input_text(row, "name"));
}

static void add_all(struct document *document, const struct report_input *input) {
    add_assumptions(document, input);
    add_cuts(document, input->described);
    add_kept(document, input->reasons);
    tell_unknown(document, input->reasons);
}

const struct chapter chapter_skeleton = {"skeleton", "Skeleton",
                                         "What of the program was simulated, and what was assumed.",
                                         .add = add_all, .is_of_bundle = true};
