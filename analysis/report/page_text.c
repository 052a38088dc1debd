/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/page_text.h"

#include "analysis/report/quantity.h"

#include <string.h>

#define LINE_WIDTH 100 /* of paragraphs; a terminal of 80 wraps them at blanks of its own */

/* ---- Text ---- */

static void add_safe(struct str *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        str_addc(out, (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i]);
}

static void add_wrapped(struct str *out, const char *text, const char *first) {
    size_t indent = text_columns(first), column = indent;
    str_add(out, first);
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column > indent && column + 1 + length > LINE_WIDTH) {
            str_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            str_addc(out, ' ');
            column++;
        }
        add_safe(out, text, length);
        column += length;
        text += length + strspn(text + length, " ");
    }
    str_addc(out, '\n');
}

/* ---- Tables ---- */

static bool is_left(const struct document_table *table, size_t column) {
    return table->columns[column].unit == UNIT_TEXT || table->columns[column].unit == UNIT_CODE;
}

/* A cell, or, with row == (size_t)-1, the heading. */
static const char *cell_text(struct arena *arena, const struct document_table *table, size_t row,
                             size_t column, struct quantity_scale scale) {
    const struct document_column *of = &table->columns[column];
    if (row == (size_t)-1)
        return scale.name[0] == '\0' ? of->title
                                     : arena_printf(arena, "%s, %s", of->title, scale.name);
    const struct document_cell *cell = &table->cells.items[row * table->column_count + column];
    if (is_left(table, column))
        return cell->text != NULL ? cell->text : "–";
    struct str text = {0};
    quantity_add(&text, of->unit, scale, cell->number);
    return str_into(arena, &text);
}

static void add_cell(struct str *out, const struct document_table *table, size_t column,
                     const char *text, size_t width) {
    int gap = (int)(width - text_columns(text));
    bool is_last = column + 1 == table->column_count;
    str_add(out, "  ");
    if (!is_left(table, column))
        str_printf(out, "%*s", gap, "");
    add_safe(out, text, strlen(text));
    if (is_left(table, column) && !is_last)
        str_printf(out, "%*s", gap, "");
}

static void add_rows(struct str *out, struct arena *arena, const struct document_table *table,
                     size_t rows) {
    size_t columns = table->column_count;
    const char **texts = ARENA_ARRAY(arena, const char *, (rows + 1) * columns);
    size_t *widths = ARENA_ARRAY(arena, size_t, columns);
    for (size_t i = 0; i < columns; i++) {
        struct quantity_scale scale = quantity_scale_of_column(table, i);
        for (size_t row = 0; row <= rows; row++) {
            const char *text = cell_text(arena, table, row - 1, i, scale);
            texts[row * columns + i] = text;
            widths[i] = text_columns(text) > widths[i] ? text_columns(text) : widths[i];
        }
    }
    for (size_t row = 0; row <= rows; row++) {
        for (size_t i = 0; i < columns; i++)
            add_cell(out, table, i, texts[row * columns + i], widths[i]);
        while (out->text[out->length - 1] == ' ')
            out->length--;
        str_addc(out, '\n');
    }
}

static void add_table(struct str *out, const struct document_table *table, size_t top) {
    struct arena arena = {0};
    size_t rows = document_table_rows(table), shown = rows < top ? rows : top;
    str_addc(out, '\n');
    add_wrapped(out, table->caption, "  ");
    add_rows(out, &arena, table, shown);
    if (shown < rows)
        str_printf(out, "  and %zu more %s\n", rows - shown, table->what);
    arena_dispose(&arena);
}

/* ---- Chapters ---- */

static void add_block(struct str *out, const struct document_block *block, size_t top) {
    switch (block->kind) {
    case BLOCK_HEADLINE:
        add_wrapped(out, block->text, "  ");
        add_wrapped(out, block->more, "  ");
        break;
    case BLOCK_TEXT:
        add_wrapped(out, block->text, "  ");
        break;
    case BLOCK_NOTICE:
        add_wrapped(out, block->text, "! ");
        break;
    case BLOCK_TABLE:
        add_table(out, block->table, top);
        break;
    case BLOCK_FIGURE:
        break;
    }
}

static void add_run_name(struct str *out, const struct document *document, int run) {
    if (run < 0 || document->runs.count < 2)
        return;
    str_addc(out, '\n');
    add_wrapped(out, document->runs.items[run], "— ");
}

static void add_chapter(struct str *out, const struct document *document,
                        const struct document_chapter *chapter, size_t top) {
    int run = -1;
    str_addc(out, '\n');
    add_wrapped(out, chapter->title, "== ");
    add_wrapped(out, chapter->about, "  ");
    for (size_t i = 0; i < chapter->blocks.count; i++) {
        const struct document_block *block = &chapter->blocks.items[i];
        if (block->run != run)
            add_run_name(out, document, block->run);
        run = block->run;
        add_block(out, block, top);
    }
}

/* Figures alone say nothing here. */
static bool has_words(const struct document_chapter *chapter) {
    for (size_t i = 0; i < chapter->blocks.count; i++)
        if (chapter->blocks.items[i].kind != BLOCK_FIGURE)
            return true;
    return false;
}

void page_text_add(struct str *out, const struct document *document, size_t top) {
    add_wrapped(out, document->title, "");
    add_wrapped(out, document->subtitle, "");
    for (size_t i = 0; i < document->chapters.count; i++)
        if (has_words(&document->chapters.items[i]))
            add_chapter(out, document, &document->chapters.items[i], top);
}
