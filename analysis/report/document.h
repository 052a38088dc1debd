/* SPDX-License-Identifier: Apache-2.0
 *
 * A report that people look at, before it is written: chapters of paragraphs, notices, tables and
 * figures. page_html.h and page_text.h write it; what is in it does not know how it will look.
 *
 * All texts may be hostile: names of files, functions and arguments are the application's. The
 * writers escape them. Memory is the document's arena; numbers are in the unit that their column
 * names (seconds, bytes, parts of 1), and NaN is a number that nobody knows.
 */
#pragma once

#include "base/arena.h"
#include "base/json.h"
#include "base/vec.h"

#include <math.h>
#include <stdbool.h>

enum document_unit {
    UNIT_TEXT, /* for people */
    UNIT_CODE, /* a place, a name, an expression */
    UNIT_COUNT,
    UNIT_SECONDS,
    UNIT_BYTES,
    UNIT_SHARE, /* 0.05 is 5 % */
    UNIT_FACTOR,
    UNIT_PLAIN, /* a number without unit */
};

struct document_column {
    const char *title; /* without unit */
    enum document_unit unit;
    const char *member; /* of rows that are objects of JSON: where they have it */
    const char *help;   /* what it means; NULL: the title says it */
    bool has_bar;       /* a bar shows its size against the largest of the column */
};

#define COLUMN_PLACE "file:line" /* instead of a member: both */

struct document_cell {
    const char *text; /* of UNIT_TEXT and UNIT_CODE; NULL: missing */
    double number;
};

static inline struct document_cell document_cell_of_text(const char *text) {
    return (struct document_cell){.text = text, .number = NAN};
}

static inline struct document_cell document_cell_of_number(double number) {
    return (struct document_cell){.number = number};
}

#define CELL(value)                                                                                \
    _Generic((value),                                                                              \
        const char *: document_cell_of_text,                                                       \
        char *: document_cell_of_text,                                                             \
        default: document_cell_of_number)(value)

struct document_table {
    const char *id; /* unique in its chapter and run; of letters and '-' */
    const char *caption;
    const struct document_column *columns;
    size_t column_count;
    VEC(struct document_cell) cells; /* row by row */
    const char *what;                /* what a row is, in plural: "regions" */
};

/* Drawn by the page's script from its data; nothing without it, so that a table says the same. */
struct document_figure {
    const char *kind; /* which script draws it */
    const char *caption;
    json_t *data;
};

enum document_block_kind { BLOCK_HEADLINE, BLOCK_TEXT, BLOCK_NOTICE, BLOCK_TABLE, BLOCK_FIGURE };

struct document_block {
    enum document_block_kind kind;
    int run;          /* of which run it tells; -1: of all */
    const char *text; /* of headlines, paragraphs and notices */
    const char *more; /* of a headline: what stands below it */
    struct document_table *table;
    struct document_figure *figure;
};

struct document_chapter {
    const char *id, *title, *about; /* about: one sentence that says how to read it */
    VEC(struct document_block) blocks;
};

struct document {
    struct arena arena;
    const char *title, *subtitle;
    VEC(const char *) runs; /* names, by number */
    VEC(struct document_chapter) chapters;
    int run; /* of the blocks that are added next; -1: all */
};

void document_init(struct document *out);
void document_dispose(struct document *document);

/* Blocks go into the chapter that was begun last. A chapter without blocks is not written. */
void document_chapter_begin(struct document *document, const char *id, const char *title,
                            const char *about);
void document_headline(struct document *document, const char *text, const char *more);
void document_text(struct document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void document_notice(struct document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `columns` ends with {0} and lives as long as the document. Then the rows. */
struct document_table *document_table_begin(struct document *document, const char *id,
                                            const char *caption, const char *what,
                                            const struct document_column *columns);
/* Some cells more: document_cells(document, table, CELL(1), CELL("text")). */
#define document_cells(document, table, ...)                                                       \
    document_cells_add((document), (table), (const struct document_cell[]){__VA_ARGS__},           \
                       sizeof((const struct document_cell[]){__VA_ARGS__}) /                       \
                           sizeof(struct document_cell))
void document_cells_add(struct document *document, struct document_table *table,
                        const struct document_cell *cells, size_t count);

/* A table of a list of objects, by the members that its columns name; nothing where there are none.
 */
void document_table_of(struct document *document, const char *id, const char *caption,
                       const char *what, const struct document_column *columns, const json_t *rows);

size_t document_table_rows(const struct document_table *table);

/* Takes the reference to `data`. */
void document_figure(struct document *document, const char *kind, const char *caption,
                     json_t *data);
