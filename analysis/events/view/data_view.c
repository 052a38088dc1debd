/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV as RFC 4180 has it, and JSON. Values are whole: no unit is scaled, no row left out.
 */
#include "analysis/events/view/data_view.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

static void add_field(struct str *out, const char *text) {
    if (strpbrk(text, ",\"\n\r") == NULL) {
        str_add(out, text);
        return;
    }
    str_addc(out, '"');
    for (; *text != '\0'; text++)
        str_printf(out, *text == '"' ? "\"\"" : "%c", *text);
    str_addc(out, '"');
}

static void csv_line(struct str *out, const struct events_result *result, long row, long column) {
    struct str cell = {0};
    add_field(out, result->name);
    str_addc(out, ',');
    if (result->dimension_count > 0)
        result_label(&cell, result, row);
    add_field(out, str_text(&cell));
    str_addc(out, ',');
    if (result->dimension_count > 1)
        str_printf(out, "%ld", column);
    str_addc(out, ',');
    cell.length = 0;
    result_value(&cell, result, row, column);
    add_field(out, cell.length > 0 ? cell.text : "");
    str_addc(out, ',');
    add_field(out, result->unit != NULL ? result->unit : "");
    str_addc(out, '\n');
    str_dispose(&cell);
}

void csv_view(struct str *out, const result_list *results) {
    str_add(out, "output,row,column,value,unit\n");
    for (size_t i = 0; i < results->count; i++)
        for (long row = 0; row < results->items[i].rows; row++)
            for (long k = 0; k < results->items[i].row_length; k++)
                csv_line(out, &results->items[i], row, k);
}

/* JSON has no infinity. */
static json_t *json_value(const struct events_result *result, long row, long column) {
    const union event_value *value = &result->row_values[row][column];
    if (result->is_nothing)
        return json_null();
    if (result->type == EVENT_INT)
        return json_integer(value->i);
    if (result->type == EVENT_STRING)
        return json_any_text(value->s);
    return isfinite(value->f) ? json_real(value->f) : json_null();
}

static json_t *json_row(const struct events_result *result, long row) {
    if (result->dimension_count <= 1)
        return json_value(result, row, 0);
    json_t *values = json_array();
    for (long k = 0; k < result->row_length; k++)
        json_array_append_new(values, json_value(result, row, k));
    return values;
}

static json_t *json_keys(const struct events_result *result) {
    json_t *keys = json_array();
    struct str label = {0};
    for (long i = 0; i < result->rows; i++) {
        label.length = 0;
        result_label(&label, result, i);
        json_array_append_new(keys, result->keyed && result->key_type != EVENT_STRING
                                        ? json_integer(result->keys[i].i)
                                        : json_any_text(str_text(&label)));
    }
    str_dispose(&label);
    return keys;
}

static json_t *json_result(const struct events_result *result) {
    json_t *object = json_object(), *values = json_array();
    json_object_set_new(object, "name", json_any_text(result->name));
    if (result->title != NULL)
        json_object_set_new(object, "title", json_any_text(result->title));
    json_object_set_new(object, "type", json_string(event_type_name(result->type)));
    if (result->unit != NULL)
        json_object_set_new(object, "unit", json_any_text(result->unit));
    if (result->keyed || result->labels != NULL)
        json_object_set_new(object, "keys", json_keys(result));
    for (long i = 0; i < result->rows; i++)
        json_array_append_new(values, json_row(result, i));
    if (result->dimension_count == 0) {
        json_object_set(object, "value", json_array_get(values, 0));
        json_decref(values);
    } else {
        json_object_set_new(object, "values", values);
    }
    return object;
}

void json_view(struct str *out, const result_list *results) {
    json_t *outputs = json_array();
    for (size_t i = 0; i < results->count; i++)
        json_array_append_new(outputs, json_result(&results->items[i]));
    json_t *root =
        json_pack("{s:s, s:i, s:o}", "format", "mpiskel-events", "version", 1, "outputs", outputs);
    char *text = json_dumps(root, JSON_INDENT(2));
    str_add(out, text);
    str_addc(out, '\n');
    free(text);
    json_decref(root);
}
