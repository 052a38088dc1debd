/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/field/report_text.h"

#include "base/status_line.h"
#include "base/str.h"

#include <math.h>
#include <stdlib.h>

/* Three digits are what a prediction is worth; what is counted is written in full. */
static const char *number_format(double number) {
    double magnitude = fabs(number);
    bool is_counted = magnitude < 1e15 && (magnitude >= 1000 || number == floor(number));
    return is_counted ? "%.0f" : "%.3g";
}

static void add_number(struct str *out, const struct report_field *field, double number) {
    str_printf(out, field->format != NULL ? field->format : number_format(number),
               field->is_percent ? 100 * number : number);
    if (field->is_percent)
        str_addc(out, '%');
}

static void add_value(struct str *out, const struct report_field *field, const void *at) {
    if (report_is_missing(field->kind, at)) {
        str_add(out, field->missing != NULL ? field->missing : "");
        return;
    }
    switch (field->kind) {
    case REPORT_TEXT:
    case REPORT_NUMERAL:
        str_add(out, *(const char *const *)at);
        break;
    case REPORT_CHARS:
        str_add(out, at);
        break;
    case REPORT_INT:
        str_printf(out, "%d", *(const int *)at);
        break;
    case REPORT_SIZE:
        str_printf(out, "%zu", *(const size_t *)at);
        break;
    case REPORT_LONG:
        str_printf(out, "%lld", *(const long long *)at);
        break;
    case REPORT_COUNT:
        str_printf(out, "%llu", *(const unsigned long long *)at);
        break;
    case REPORT_REAL:
        add_number(out, field, *(const double *)at);
        break;
    default:
        break;
    }
}

/* What a walk over the columns does with each. */
struct text_columns {
    struct str *out; /* NULL: only the widths matter */
    bool is_header;
    int begin, end; /* of the last column */
};

static void print_cell(struct text_columns *columns, const struct report_field *field,
                       const void *at) {
    struct str text = {0};
    columns->begin = columns->end + field->gap;
    columns->end = columns->begin + abs(field->width);
    if (columns->out == NULL)
        return;
    if (columns->is_header)
        str_add(&text, field->heading);
    else
        add_value(&text, field, at);
    str_printf(columns->out, "%*s%*s", field->gap, "", field->width, str_text(&text));
    str_dispose(&text);
}

static void add_columns(struct text_columns *columns, const struct report_field *fields,
                        const void *first, const void *record) {
    for (const struct report_field *field = fields; field->kind != REPORT_END; field++) {
        const void *at = report_field_address(field, record);
        const void *first_at = report_field_address(field, first);
        if (field->kind == REPORT_PART)
            add_columns(columns, field->fields, first_at, at);
        else if (field->heading != NULL &&
                 !(field->is_optional && report_is_missing(field->kind, first_at)))
            print_cell(columns, field, at);
    }
}

void report_text_header(FILE *out, const struct report_field *fields, const void *first) {
    struct str line = {0};
    struct text_columns columns = {.out = &line, .is_header = true};
    add_columns(&columns, fields, first, NULL);
    row_print(out, str_text(&line));
    str_dispose(&line);
}

void report_text_row(FILE *out, const struct report_field *fields, const void *first,
                     const void *record) {
    struct str line = {0};
    struct text_columns columns = {.out = &line};
    add_columns(&columns, fields, first, record);
    row_print(out, str_text(&line));
    str_dispose(&line);
}

/* "and 3 more", from where the last column begins. */
static void report_text_more(FILE *out, const struct report_field *fields, const void *first,
                             size_t count) {
    struct text_columns columns = {0};
    add_columns(&columns, fields, first, NULL);
    fprintf(out, "%*sand %zu more\n", columns.begin, "", count);
}

void report_text_table(FILE *out, const struct report_field *fields, const void *rows, size_t count,
                       size_t size, size_t top) {
    const void *first = count > 0 ? rows : NULL;
    report_text_header(out, fields, first);
    for (size_t i = 0; i < count && i < top; i++)
        report_text_row(out, fields, first, (const char *)rows + i * size);
    if (count > top)
        report_text_more(out, fields, first, count - top);
}
