/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/field/report_csv.h"

#include <string.h>

static void csv_text(FILE *out, const char *text, bool is_quoted) {
    if (!is_quoted && strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

static void csv_value(FILE *out, const struct report_field *field, const void *at) {
    if (report_is_missing(field->kind, at))
        return;
    switch (field->kind) {
    case REPORT_TEXT:
    case REPORT_NUMERAL:
        csv_text(out, *(const char *const *)at, field->is_quoted);
        break;
    case REPORT_CHARS:
        csv_text(out, at, field->is_quoted);
        break;
    case REPORT_BOOL:
        fputc(*(const bool *)at ? '1' : '0', out);
        break;
    case REPORT_ANSWER:
        fputs(*(const enum report_answer *)at == REPORT_ANSWER_YES ? "yes" : "no", out);
        break;
    case REPORT_INT:
        fprintf(out, "%d", *(const int *)at);
        break;
    case REPORT_SIZE:
        fprintf(out, "%zu", *(const size_t *)at);
        break;
    case REPORT_LONG:
        fprintf(out, "%lld", *(const long long *)at);
        break;
    case REPORT_COUNT:
        fprintf(out, "%llu", *(const unsigned long long *)at);
        break;
    case REPORT_REAL:
        fprintf(out, field->csv_format != NULL ? field->csv_format : "%.17g", *(const double *)at);
        break;
    default:
        break;
    }
}

/* Returns how many columns there are now; a record of NULL leaves them empty. */
static size_t add_cells(FILE *out, const struct report_field *fields, const void *record,
                        bool is_header, size_t columns) {
    for (const struct report_field *field = fields; field->kind != REPORT_END; field++) {
        const void *at = report_field_address(field, record);
        if (field->kind == REPORT_PART) {
            columns = add_cells(out, field->fields, at, is_header, columns);
            continue;
        }
        if (field->csv == NULL)
            continue;
        if (columns++ > 0)
            fputc(',', out);
        if (is_header)
            fputs(field->csv, out);
        else
            csv_value(out, field, at);
    }
    return columns;
}

void report_csv_header(FILE *out, const struct report_field *fields) {
    add_cells(out, fields, NULL, true, 0);
    fputc('\n', out);
}

void report_csv_row(FILE *out, const struct report_field *fields, const void *record) {
    add_cells(out, fields, record, false, 0);
    fputc('\n', out);
}

void report_csv_table(FILE *out, const struct report_field *fields, const void *rows, size_t count,
                      size_t size) {
    report_csv_header(out, fields);
    for (size_t i = 0; i < count; i++)
        report_csv_row(out, fields, (const char *)rows + i * size);
}

void report_csv_kind_header(FILE *out, const char *const *columns) {
    for (const char *const *column = columns; *column != NULL; column++)
        fprintf(out, "%s%s", column > columns ? "," : "", *column);
    fputc('\n', out);
}

static void add_named(FILE *out, const char *column, const struct report_field *fields,
                      const void *record) {
    for (const struct report_field *field = fields; field->kind != REPORT_END; field++) {
        const void *at = report_field_address(field, record);
        if (field->kind == REPORT_PART)
            add_named(out, column, field->fields, at);
        else if (field->csv != NULL && strcmp(field->csv, column) == 0)
            csv_value(out, field, at);
    }
}

void report_csv_kind_row(FILE *out, const char *const *columns, const char *kind,
                         const struct report_field *fields, const void *record) {
    fputs(kind, out);
    for (const char *const *column = columns + 1; *column != NULL; column++) {
        fputc(',', out);
        add_named(out, *column, fields, record);
    }
    fputc('\n', out);
}

void report_csv_value_rows(FILE *out, const char *const *columns, const char *prefix,
                           const struct report_field *fields, const void *record) {
    for (const struct report_field *field = fields; field->kind != REPORT_END; field++) {
        const void *at = report_field_address(field, record);
        if (field->csv == NULL || report_is_missing(field->kind, at))
            continue;
        fprintf(out, "%s%s%s", prefix != NULL ? prefix : "", prefix != NULL ? "_" : "", field->csv);
        for (const char *const *column = columns + 1; *column != NULL; column++) {
            fputc(',', out);
            if (strcmp(*column, "value") == 0)
                csv_value(out, field, at);
        }
        fputc('\n', out);
    }
}
