/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/report/page_html.h"

#include "analysis/report/quantity.h"
#include "base/file.h"
#include "base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const styles[] = {"uPlot.min.css", "report.css", "figures.css", NULL};
static const char *const scripts[] = {"uPlot.iife.min.js", "basics.js",        "tables.js",
                                      "timeline_data.js",  "timeline_draw.js", "stretch.js",
                                      "timeline.js",       "matrix.js",        "charts.js",
                                      "search.js",         "runs.js",          NULL};

/* ---- Parts of the installation ---- */

static int add_file(struct str *out, const char *name, struct error *error) {
    struct arena arena = {0};
    const char *path = path_of_library(&arena, arena_printf(&arena, "report/%s", name));
    char *text = NULL;
    size_t length = 0;
    int result = 0;
    if (!file_exists(path))
        result = error_set(error, "%s is missing; install mpiskel again", path);
    else
        result = file_read(&text, &length, path, error);
    if (result == 0)
        str_addn(out, text, length);
    free(text);
    arena_dispose(&arena);
    return result;
}

static int add_files(struct str *out, const char *const *names, struct error *error) {
    for (; *names != NULL; names++) {
        if (add_file(out, *names, error) != 0)
            return -1;
        str_addc(out, '\n');
    }
    return 0;
}

/* ---- Tables ---- */

static bool is_text(const struct document_column *column) {
    return column->unit == UNIT_TEXT || column->unit == UNIT_CODE;
}

static void add_heading(struct str *out, const struct document_column *column,
                        struct quantity_scale scale) {
    str_printf(out, "<th scope=\"col\" class=\"%s\"", is_text(column) ? "text" : "number");
    if (column->help != NULL) {
        str_add(out, " title=\"");
        xml_escape(out, column->help);
        str_addc(out, '"');
    }
    str_addc(out, '>');
    xml_escape(out, column->title);
    if (scale.name[0] != '\0')
        str_printf(out, "<span class=\"unit\">,\xc2\xa0%s</span>", scale.name);
    str_add(out, "</th>");
}

static void add_text_cell(struct str *out, const struct document_column *column,
                          const struct document_cell *cell) {
    const char *tag = column->unit == UNIT_CODE ? "code" : "span";
    if (cell->text == NULL) {
        str_add(out, "<td class=\"text\">–</td>");
        return;
    }
    str_printf(out, "<td class=\"text\"><%s>", tag);
    xml_escape(out, cell->text);
    str_printf(out, "</%s></td>", tag);
}

static void add_number_cell(struct str *out, const struct document_column *column,
                            const struct document_cell *cell, struct quantity_scale scale,
                            double largest) {
    str_add(out, "<td class=\"number");
    str_add(out, column->has_bar ? " bar\"" : "\"");
    if (!isnan(cell->number))
        str_printf(out, " data-v=\"%.17g\"", cell->number);
    if (column->has_bar && largest > 0 && cell->number > 0)
        str_printf(out, " style=\"--w:%.2f%%\"", 100 * fmin(cell->number / largest, 1));
    str_addc(out, '>');
    quantity_add(out, column->unit, scale, cell->number);
    str_add(out, "</td>");
}

static double largest_of(const struct document_table *table, size_t column) {
    double largest = 0;
    for (size_t i = column; i < table->cells.count; i += table->column_count)
        if (isfinite(table->cells.items[i].number))
            largest = fmax(largest, table->cells.items[i].number);
    return largest;
}

static void add_row(struct str *out, const struct document_table *table, size_t row,
                    const struct quantity_scale *scales, const double *largest) {
    str_add(out, "<tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        const struct document_cell *cell = &table->cells.items[row * table->column_count + i];
        if (is_text(&table->columns[i]))
            add_text_cell(out, &table->columns[i], cell);
        else
            add_number_cell(out, &table->columns[i], cell, scales[i], largest[i]);
    }
    str_add(out, "</tr>\n");
}

static void add_table(struct str *out, const struct document_chapter *chapter,
                      const struct document_block *block) {
    const struct document_table *table = block->table;
    struct quantity_scale *scales = xmalloc(table->column_count * sizeof *scales);
    double *largest = xmalloc(table->column_count * sizeof *largest);
    str_printf(out, "<div class=\"table\" tabindex=\"0\"><table id=\"%s-%s", chapter->id,
               table->id);
    if (block->run >= 0)
        str_printf(out, "-%d", block->run);
    str_printf(out, "\" data-what=\"%s\"><caption>", table->what);
    xml_escape(out, table->caption);
    str_add(out, "</caption><thead><tr>");
    for (size_t i = 0; i < table->column_count; i++) {
        scales[i] = quantity_scale_of_column(table, i);
        largest[i] = largest_of(table, i);
        add_heading(out, &table->columns[i], scales[i]);
    }
    str_add(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < document_table_rows(table); i++)
        add_row(out, table, i, scales, largest);
    str_add(out, "</tbody></table></div>\n");
    free(scales);
    free(largest);
}

/* ---- Figures ---- */

/* No `<` is left that could end the element or begin a comment. */
static void add_json(struct str *out, const json_t *data) {
    char *text = json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
    for (const char *at = text; at != NULL && *at != '\0';) {
        size_t plain = strcspn(at, "<>&");
        str_addn(out, at, plain);
        at += plain;
        if (*at != '\0')
            str_printf(out, "\\u%04x", (unsigned char)*at++);
    }
    free(text);
}

static void add_figure(struct str *out, const struct document_figure *figure) {
    str_printf(out, "<figure data-figure=\"%s\"><div class=\"drawing\"></div><figcaption>",
               figure->kind);
    xml_escape(out, figure->caption);
    str_add(out, "</figcaption><script type=\"application/json\">");
    add_json(out, figure->data);
    str_add(out, "</script></figure>\n");
}

/* ---- Chapters ---- */

static void add_paragraph(struct str *out, const char *open, const char *text, const char *close) {
    str_add(out, open);
    xml_escape(out, text);
    str_add(out, close);
}

static void add_block(struct str *out, const struct document_chapter *chapter,
                      const struct document_block *block) {
    switch (block->kind) {
    case BLOCK_HEADLINE:
        add_paragraph(out, "<p class=\"headline\">", block->text, "</p>\n");
        add_paragraph(out, "<p class=\"more\">", block->more, "</p>\n");
        break;
    case BLOCK_TEXT:
        add_paragraph(out, "<p>", block->text, "</p>\n");
        break;
    case BLOCK_NOTICE:
        add_paragraph(out, "<p class=\"notice\" role=\"note\">", block->text, "</p>\n");
        break;
    case BLOCK_TABLE:
        add_table(out, chapter, block);
        break;
    case BLOCK_FIGURE:
        add_figure(out, block->figure);
        break;
    }
}

/* Neighbouring blocks of one run are one group, which the page shows or hides. */
static void add_blocks(struct str *out, const struct document *document,
                       const struct document_chapter *chapter) {
    int run = -1;
    for (size_t i = 0; i < chapter->blocks.count; i++) {
        const struct document_block *block = &chapter->blocks.items[i];
        if (block->run != run && run >= 0)
            str_add(out, "</div>\n");
        if (block->run != run && block->run >= 0) {
            str_printf(out, "<div class=\"run\" data-run=\"%d\">", block->run);
            if (document->runs.count > 1)
                add_paragraph(out, "<h3 class=\"run-name\">", document->runs.items[block->run],
                              "</h3>\n");
        }
        run = block->run;
        add_block(out, chapter, block);
    }
    if (run >= 0)
        str_add(out, "</div>\n");
}

static void add_chapter(struct str *out, const struct document *document,
                        const struct document_chapter *chapter) {
    str_printf(out, "<section id=\"%s\">", chapter->id);
    add_paragraph(out, "<h2>", chapter->title, "</h2>\n");
    add_paragraph(out, "<p class=\"about\">", chapter->about, "</p>\n");
    add_blocks(out, document, chapter);
    str_add(out, "</section>\n");
}

static void add_contents(struct str *out, const struct document *document) {
    str_add(out, "<nav class=\"contents\" aria-label=\"Chapters\"><ol>");
    for (size_t i = 0; i < document->chapters.count; i++) {
        const struct document_chapter *chapter = &document->chapters.items[i];
        if (chapter->blocks.count == 0)
            continue;
        str_printf(out, "<li><a href=\"#%s\">", chapter->id);
        add_paragraph(out, "", chapter->title, "</a></li>\n");
    }
    str_add(out, "</ol></nav>\n");
}

static void add_run_choice(struct str *out, const struct document *document) {
    if (document->runs.count < 2)
        return;
    str_add(out, "<div class=\"choice\"><label for=\"run\">Run</label><select id=\"run\">");
    for (size_t i = 0; i < document->runs.count; i++) {
        str_printf(out, "<option value=\"%zu\">", i);
        add_paragraph(out, "", document->runs.items[i], "</option>");
    }
    str_add(out, "</select><kbd>[</kbd><kbd>]</kbd></div>\n");
}

static void add_body(struct str *out, const struct document *document) {
    add_paragraph(out, "<header><div><h1>", document->title, "</h1>\n");
    add_paragraph(out, "<p class=\"subtitle\">", document->subtitle, "</p></div>\n");
    add_run_choice(out, document);
    str_add(out, "</header>\n<div class=\"columns\">");
    add_contents(out, document);
    str_add(out, "<main>\n");
    for (size_t i = 0; i < document->chapters.count; i++)
        if (document->chapters.items[i].blocks.count > 0)
            add_chapter(out, document, &document->chapters.items[i]);
    str_add(out, "</main></div>\n");
}

int page_html_add(struct str *out, const struct document *document, struct error *error) {
    str_add(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                 "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
                 "<link rel=\"icon\" href=\"data:,\">\n");
    add_paragraph(out, "<title>", document->title, "</title>\n<style>\n");
    if (add_files(out, styles, error) != 0)
        return -1;
    str_add(out, "</style><script>document.documentElement.className = \"js\";</script></head>\n"
                 "<body>\n");
    add_body(out, document);
    str_add(out, "<script>\n/* uPlot:\n");
    if (add_file(out, "uPlot.LICENSE", error) != 0)
        return -1;
    str_add(out, "*/\n");
    if (add_files(out, scripts, error) != 0)
        return -1;
    str_add(out, "</script></body></html>\n");
    return 0;
}
