/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/document.h"

#include "analysis/report/report_input.h"
#include "base/str.h"

#include <stdarg.h>
#include <string.h>

void document_init(struct document *out) {
    *out = (struct document){.title = "", .subtitle = "", .run = -1};
    arena_init(&out->arena);
}

static void dispose_block(struct document_block *block) {
    if (block->table != NULL)
        vec_dispose(&block->table->cells);
    if (block->figure != NULL)
        json_decref(block->figure->data);
}

void document_dispose(struct document *document) {
    for (size_t i = 0; i < document->chapters.count; i++) {
        struct document_chapter *chapter = &document->chapters.items[i];
        for (size_t j = 0; j < chapter->blocks.count; j++)
            dispose_block(&chapter->blocks.items[j]);
        vec_dispose(&chapter->blocks);
    }
    vec_dispose(&document->chapters);
    vec_dispose(&document->runs);
    arena_dispose(&document->arena);
}

void document_chapter_begin(struct document *document, const char *id, const char *title,
                            const char *about) {
    vec_push(&document->chapters,
             (struct document_chapter){.id = id, .title = title, .about = about});
}

static void add_block(struct document *document, struct document_block block) {
    struct document_chapter *chapter = &document->chapters.items[document->chapters.count - 1];
    block.run = document->run;
    vec_push(&chapter->blocks, block);
}

static const char *format_text(struct arena *arena, const char *format, va_list arguments) {
    struct str text = {0};
    str_vprintf(&text, format, arguments);
    return str_into(arena, &text);
}

void document_headline(struct document *document, const char *text, const char *more) {
    add_block(document, (struct document_block){.kind = BLOCK_HEADLINE,
                                                .text = arena_strdup(&document->arena, text),
                                                .more = arena_strdup(&document->arena, more)});
}

void document_text(struct document *document, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = format_text(&document->arena, format, arguments);
    va_end(arguments);
    add_block(document, (struct document_block){.kind = BLOCK_TEXT, .text = text});
}

void document_notice(struct document *document, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = format_text(&document->arena, format, arguments);
    va_end(arguments);
    add_block(document, (struct document_block){.kind = BLOCK_NOTICE, .text = text});
}

struct document_table *document_table_begin(struct document *document, const char *id,
                                            const char *caption, const char *what,
                                            const struct document_column *columns) {
    struct document_table *table = ARENA_NEW(&document->arena, struct document_table);
    *table =
        (struct document_table){.id = id, .caption = caption, .what = what, .columns = columns};
    while (columns[table->column_count].title != NULL)
        table->column_count++;
    add_block(document, (struct document_block){.kind = BLOCK_TABLE, .table = table});
    return table;
}

void document_cells_add(struct document *document, struct document_table *table,
                        const struct document_cell *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct document_cell cell = cells[i];
        cell.text = cell.text != NULL ? arena_strdup(&document->arena, cell.text) : NULL;
        vec_push(&table->cells, cell);
    }
}

static void add_row(struct document *document, struct document_table *table, const json_t *row) {
    for (size_t i = 0; i < table->column_count; i++) {
        const struct document_column *column = &table->columns[i];
        if (strcmp(column->member, COLUMN_PLACE) == 0)
            document_cells(document, table, CELL(input_place(&document->arena, row)));
        else if (column->unit == UNIT_TEXT || column->unit == UNIT_CODE)
            document_cells(document, table, CELL(input_text(row, column->member)));
        else
            document_cells(document, table, CELL(input_number(row, column->member)));
    }
}

void document_table_of(struct document *document, const char *id, const char *caption,
                       const char *what, const struct document_column *columns,
                       const json_t *rows) {
    size_t i;
    json_t *row;
    if (json_array_size(rows) == 0)
        return;
    struct document_table *table = document_table_begin(document, id, caption, what, columns);
    json_array_foreach(rows, i, row) add_row(document, table, row);
}

size_t document_table_rows(const struct document_table *table) {
    return table->column_count > 0 ? table->cells.count / table->column_count : 0;
}

void document_figure(struct document *document, const char *kind, const char *caption,
                     json_t *data) {
    struct document_figure *figure = ARENA_NEW(&document->arena, struct document_figure);
    *figure = (struct document_figure){.kind = kind, .caption = caption, .data = data};
    add_block(document, (struct document_block){.kind = BLOCK_FIGURE, .figure = figure});
}
