/* SPDX-License-Identifier: Apache-2.0
 *
 * See untold.h. A value is named by its statement's text and function, and by the line where it
 * was, so that it is found again when lines are added elsewhere.
 */
#include "model/values/untold.h"

#include "base/file.h"
#include "base/json.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define FORMAT "mpiskel-untold"
#define REPAIR "remove it, and `mpiskel fit --keep-untold` writes it again"
#define ERROR_MAX 1e6

static bool is_there(const struct untold *untold, const struct untold_value *value) {
    for (size_t i = 0; i < untold->items.count; i++) {
        const struct untold_value *other = &untold->items.items[i];
        if (other->line == value->line && strcmp(other->file, value->file) == 0 &&
            strcmp(other->function, value->function) == 0 && strcmp(other->text, value->text) == 0)
            return true;
    }
    return false;
}

void untold_add_value(struct untold *out, const struct untold_value *value) {
    if (is_there(out, value))
        return;
    struct untold_value copy = *value;
    copy.file = arena_strdup(&out->arena, value->file);
    copy.function = arena_strdup(&out->arena, value->function);
    copy.text = arena_strdup(&out->arena, value->text);
    vec_push(&out->items, copy);
}

static int read_value(struct untold *out, const json_t *entry) {
    long long line = json_get_integer(entry, "line", -1);
    struct untold_value value = {.file = json_get_text(entry, "file"),
                                 .function = json_get_text(entry, "function"),
                                 .text = json_get_text(entry, "text"),
                                 .line = (int)line,
                                 .error = json_get_number(entry, "error", NAN)};
    if (value.file == NULL || value.function == NULL || value.text == NULL || line < 1 ||
        line > INT_MAX || !(value.error >= 0 && value.error <= ERROR_MAX))
        return -1;
    untold_add_value(out, &value);
    return 0;
}

static int read_values(struct untold *out, const json_t *root, const char *path,
                       struct error *error) {
    const char *format = json_get_text(root, "format");
    const json_t *values = json_object_get(root, "values");
    if (format == NULL || strcmp(format, FORMAT) != 0 ||
        json_get_integer(root, "version", -1) != 1 || !json_is_array(values))
        return error_set(error, "%s:1:1: error: this is no list of values, version 1; " REPAIR,
                         path);
    for (size_t i = 0; i < json_array_size(values); i++)
        if (read_value(out, json_array_get(values, i)) != 0)
            return json_fail_at(
                error, path, "values", i,
                "a value has 'file', 'function', 'text', 'line' and 'error'; " REPAIR);
    return 0;
}

int untold_read(struct untold *out, const char *path, struct error *error) {
    json_t *root = NULL;
    if (!file_exists(path))
        return 0;
    if (json_read(&root, path, error) != 0)
        return -1;
    int result = read_values(out, root, path, error);
    json_decref(root);
    return result;
}

int untold_write(const struct untold *untold, const char *path, struct error *error) {
    json_t *values = json_array();
    for (size_t i = 0; i < untold->items.count; i++) {
        const struct untold_value *value = &untold->items.items[i];
        json_array_append_new(values, json_pack("{s:o, s:i, s:o, s:o, s:f}", "file",
                                                json_any_text(value->file), "line", value->line,
                                                "function", json_any_text(value->function), "text",
                                                json_any_text(value->text), "error", value->error));
    }
    json_t *root = json_pack("{s:s, s:i, s:o}", "format", FORMAT, "version", 1, "values", values);
    int result = json_write(root, path, error);
    json_decref(root);
    return result;
}

static double error_of(const struct latency_model *model) {
    double error = fmax(model->error, model->rank_spread);
    return error < ERROR_MAX ? error : ERROR_MAX;
}

int untold_add(struct untold *out, const struct models *models, const struct regions *regions,
               double error) {
    int count = 0;
    for (int i = 0; i < models->count; i++) {
        const struct region *region = &regions->items[i];
        const struct latency_model *model = &models->items[i];
        double off = error_of(model);
        if (region->value == VALUE_NONE || region->hint != NULL || region->is_asked ||
            !model->fitted || !(off > error))
            continue;
        untold_add_value(out, &(struct untold_value){.file = region->file,
                                                     .function = region->function,
                                                     .text = region->text,
                                                     .line = region->line,
                                                     .error = off});
        count++;
    }
    return count;
}

void untold_dispose(struct untold *untold) {
    vec_dispose(&untold->items);
    arena_dispose(&untold->arena);
}
