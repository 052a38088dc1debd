/* SPDX-License-Identifier: Apache-2.0
 *
 * jansson with our error texts and atomic writing.
 */
#include "base/json.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

int json_read(json_t **out, const char *path, struct error *error) {
    char *text = NULL;
    size_t length = 0;
    if (file_read(&text, &length, path, error) != 0)
        return -1;
    json_error_t place;
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, &place);
    free(text);
    if (*out == NULL)
        return error_set(error, "%s:%d:%d: error: not valid JSON: %s", path, place.line,
                         place.column, place.text);
    return 0;
}

int json_write(const json_t *value, const char *path, struct error *error) {
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    if (text == NULL)
        return error_set(error, "cannot write %s: a text in it is not UTF-8", path);
    int result = file_write(path, text, strlen(text), error);
    free(text);
    return result;
}

const char *json_get_text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

double json_get_number(const json_t *object, const char *key, double fallback) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

long long json_get_integer(const json_t *object, const char *key, long long fallback) {
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : fallback;
}

json_t *json_any_text(const char *text) {
    json_t *value = json_string(text);
    if (value != NULL)
        return value;
    char *ascii = xstrdup(text);
    for (char *at = ascii; *at != '\0'; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    value = json_string(ascii);
    free(ascii);
    return value;
}
