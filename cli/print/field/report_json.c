/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/print/field/report_json.h"

#include <math.h>
#include <stdlib.h>

static json_t *number_to_json(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

/* "16" as 16, "0.5" as 0.5, "x" as a text. */
static json_t *numeral_to_json(const char *text) {
    char *end = NULL;
    double number = strtod(text, &end);
    if (text[0] == '\0' || *end != '\0' || !isfinite(number))
        return json_any_text(text);
    bool is_whole = fabs(number) < 1e15 && floor(number) == number;
    return is_whole ? json_integer((json_int_t)number) : json_real(number);
}

/* Of the kinds with one value. */
static json_t *value_to_json(enum report_kind kind, const void *at) {
    if (report_is_missing(kind, at))
        return json_null();
    switch (kind) {
    case REPORT_TEXT:
        return json_any_text(*(const char *const *)at);
    case REPORT_CHARS:
        return json_any_text(at);
    case REPORT_NUMERAL:
        return numeral_to_json(*(const char *const *)at);
    case REPORT_BOOL:
        return json_boolean(*(const bool *)at);
    case REPORT_ANSWER:
        return json_boolean(*(const enum report_answer *)at == REPORT_ANSWER_YES);
    case REPORT_INT:
        return json_integer(*(const int *)at);
    case REPORT_SIZE:
        return json_integer((json_int_t) * (const size_t *)at);
    case REPORT_LONG:
        return json_integer(*(const long long *)at);
    case REPORT_COUNT:
        return json_integer((json_int_t) * (const unsigned long long *)at);
    case REPORT_REAL:
        return number_to_json(*(const double *)at);
    case REPORT_JSON:
        return json_incref(*(json_t *const *)at);
    default:
        return json_null();
    }
}

static json_t *list_to_json(const struct report_field *field, const void *record) {
    json_t *list = json_array();
    const char *item = report_field_address(field, record);
    size_t count = item != NULL ? report_field_count(field, record) : 0;
    for (size_t i = 0; i < count; i++, item += field->item_size)
        json_array_append_new(list,
                              field->fields != NULL
                                  ? report_json(field->fields, item)
                                  : value_to_json(field->item_kind, item + field->item_offset));
    return list;
}

static void add_fields(json_t *object, const struct report_field *fields, const void *record) {
    for (const struct report_field *field = fields; field->kind != REPORT_END; field++) {
        const void *at = report_field_address(field, record);
        if (field->kind == REPORT_PART) {
            if (at != NULL)
                add_fields(object, field->fields, at);
        } else if (field->json == NULL ||
                   (field->is_optional && report_is_missing(field->kind, at))) {
            continue;
        } else if (field->kind == REPORT_OBJECT) {
            json_object_set_new(object, field->json,
                                at != NULL ? report_json(field->fields, at) : json_null());
        } else if (field->kind == REPORT_LIST) {
            json_object_set_new(object, field->json, list_to_json(field, record));
        } else {
            json_object_set_new(object, field->json, value_to_json(field->kind, at));
        }
    }
}

json_t *report_json(const struct report_field *fields, const void *record) {
    json_t *object = json_object();
    add_fields(object, fields, record);
    return object;
}

void report_json_print(FILE *out, const char *format, size_t indent,
                       const struct report_field *fields, const void *record) {
    json_t *root = json_pack("{s:s, s:i}", "format", format, "version", 1);
    add_fields(root, fields, record);
    json_dumpf(root, out, JSON_INDENT(indent) | JSON_PRESERVE_ORDER);
    fputc('\n', out);
    json_decref(root);
}
