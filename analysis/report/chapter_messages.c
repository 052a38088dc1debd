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

static const struct document_column pair_columns[] = {{"from rank", UNIT_COUNT, NULL, false},
                                                      {"to rank", UNIT_COUNT, NULL, false},
                                                      {"messages", UNIT_COUNT, NULL, false},
                                                      {"bytes", UNIT_BYTES, NULL, true},
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
        table_add_number(table, pair->from);
        table_add_number(table, pair->to);
        table_add_number(table, (double)pair->messages);
        table_add_number(table, (double)pair->bytes);
    }
}

void chapter_messages(struct document *document, const struct report_input *input) {
    document_chapter_begin(document, "messages", "Messages",
                           "Who sends how much to whom, without what collectives send inside.");
    for (size_t i = 0; i < input->runs.count; i++) {
        struct pair_matrix matrix;
        document->run = (int)i;
        if (!input->runs.items[i].has_view)
            continue;
        pair_matrix_make(&matrix, &input->runs.items[i].view, MATRIX_SIDE);
        if (matrix.pairs.count > 0) {
            document_text(document, "%s messages with %s together, between %zu pairs of ranks.",
                          quantity_text(&document->arena, UNIT_COUNT, (double)matrix.messages),
                          quantity_text(&document->arena, UNIT_BYTES, (double)matrix.total_bytes),
                          matrix.pairs.count);
            add_matrix(document, &matrix, input->runs.items[i].view.ranks);
            add_pairs(document, &matrix);
        }
        pair_matrix_dispose(&matrix);
    }
    document->run = -1;
}
