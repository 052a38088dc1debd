/* SPDX-License-Identifier: Apache-2.0
 *
 * Who sends how much to whom.
 */
#include "analysis/report/chapters.h"
#include "analysis/report/packed.h"
#include "analysis/report/quantity.h"
#include "analysis/views/pair_matrix.h"

#define MATRIX_SIDE 512 /* cells: about what a figure has pixels */
#define PAIRS 50        /* rows of the table */

static const struct document_column pair_columns[] = {{"from rank", .unit = UNIT_COUNT},
                                                      {"to rank", .unit = UNIT_COUNT},
                                                      {"messages", .unit = UNIT_COUNT},
                                                      {"bytes", UNIT_BYTES, .has_bar = true},
                                                      {0}};

static void add_matrix(struct document *document, const struct pair_matrix *matrix, int ranks) {
    document_figure(document, "matrix",
                    "Bytes from rank (down) to rank (across); darker is more, in steps of powers",
                    json_pack("{s:i, s:i, s:i, s:o}", "ranks", ranks, "block", (int)matrix->block,
                              "size", (int)matrix->size, "bytes",
                              packed_floats(matrix->bytes, (size_t)matrix->size * matrix->size)));
}

static void add_pairs(struct document *document, const struct pair_matrix *matrix) {
    struct document_table *table = document_table_begin(
        document, "pairs",
        matrix->pairs.count > PAIRS ? "Pairs of ranks that exchange most" : "Pairs of ranks",
        "pairs", pair_columns);
    for (size_t i = 0; i < matrix->pairs.count && i < PAIRS; i++) {
        const struct pair_sum *pair = &matrix->pairs.items[i];
        document_cells(document, table, CELL(pair->from), CELL(pair->to), CELL(pair->messages),
                       CELL(pair->bytes));
    }
}

static void add_run(struct document *document, const struct report_run *run) {
    struct pair_matrix matrix;
    if (!run->has_view)
        return;
    pair_matrix_make(&matrix, &run->view, MATRIX_SIDE);
    if (matrix.pairs.count > 0) {
        document_text(document, "%s messages with %s together, between %zu pairs of ranks.",
                      quantity_text(&document->arena, UNIT_COUNT, (double)matrix.messages),
                      quantity_text(&document->arena, UNIT_BYTES, (double)matrix.total_bytes),
                      matrix.pairs.count);
        add_matrix(document, &matrix, run->view.ranks);
        add_pairs(document, &matrix);
    }
    pair_matrix_dispose(&matrix);
}

const struct chapter chapter_messages = {
    "messages", "Messages", "Who sends how much to whom, without what collectives send inside.",
    .add_run = add_run};
