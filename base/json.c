/* SPDX-License-Identifier: Apache-2.0
 *
 * jansson with our error texts; files are written as a whole.
 */
#include "base/json.h"

#include "base/file.h"
#include "base/str.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT (JSON_INDENT(1) | JSON_PRESERVE_ORDER)

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
    char *text = json_dumps(value, FORMAT);
    if (text == NULL)
        return error_set(error, "cannot write %s: a text in it is not UTF-8", path);
    int result = file_write(path, text, strlen(text), error);
    free(text);
    return result;
}

/* As json_dumps has it in an object or list that is `depth` deep; -1: it is not UTF-8, or cannot be
 * written. Line ends are between values only: in texts they are escaped. */
static int write_value(FILE *out, const json_t *value, int depth) {
    char *text = json_dumps(value, FORMAT | JSON_ENCODE_ANY), *line = text;
    if (text == NULL)
        return -1;
    for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        fprintf(out, "%.*s\n%*s", (int)(end - line), line, depth, "");
    int result = fputs(line, out);
    free(text);
    return result < 0 ? -1 : 0;
}

static int write_elements(FILE *out, json_next_element *next, void *context) {
    json_t *element;
    int result = 0;
    size_t count = 0;
    fputs("[", out);
    while (result == 0 && (element = next(context, count)) != NULL) {
        fprintf(out, "%s\n  ", count++ > 0 ? "," : "");
        result = write_value(out, element, 2);
        json_decref(element);
    }
    fputs(count > 0 ? "\n ]" : "]", out);
    return result;
}

static int write_members(FILE *out, const json_t *root, const char *member, json_next_element *next,
                         void *context) {
    const char *key, *before = "{";
    json_t *value;
    int result = 0;
    json_object_foreach((json_t *)root, key, value) {
        fprintf(out, "%s\n \"%s\": ", before, key);
        if (result == 0)
            result = strcmp(key, member) == 0 ? write_elements(out, next, context)
                                              : write_value(out, value, 1);
        before = ",";
    }
    fputs("\n}", out);
    return result;
}

int json_write_list(const json_t *root, const char *member, json_next_element *next, void *context,
                    const char *path, struct error *error) {
    struct output_file output;
    if (output_file_open(&output, path, error) != 0)
        return -1;
    FILE *file = fopen(output.file, "w");
    int result = file == NULL ? error_set(error, "cannot write %s: %s", path, strerror(errno)) : 0;
    if (file != NULL && write_members(file, root, member, next, context) != 0)
        result = error_set(error, "cannot write %s: a text in it is not UTF-8", path);
    bool failed = file != NULL && ferror(file);
    if (file != NULL && (fclose(file) != 0 || failed))
        result = error_set(error, "cannot write %s: %s", path, strerror(errno));
    return output_file_close(&output, result, error);
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

/* ---- Places ---- */

/* Line and column of an element for an error text; jansson keeps no places. Counts brackets outside
 * strings; the file is known to be valid, but may have changed since it was read: then the place is
 * the file's beginning. */

/* Behind the string that begins at `at` (a quote). */
static const char *skip_string(const char *at) {
    for (at++; *at != '\0' && *at != '"'; at++)
        if (*at == '\\' && at[1] != '\0')
            at++;
    return *at == '"' ? at + 1 : at;
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* Behind the value that begins at `at`. */
static const char *skip_value(const char *at) {
    int depth = 0;
    do {
        at = skip_blanks(at);
        if (*at == '"')
            at = skip_string(at);
        else if (*at == '[' || *at == '{')
            depth++, at++;
        else if (*at == ']' || *at == '}')
            depth--, at++;
        else if (*at == ',' || *at == ':')
            at++;
        else
            at += strcspn(at, ",:]}\" \t\r\n");
    } while (depth > 0 && *at != '\0');
    return at;
}

static const char *find_member(const char *at, const char *member) {
    at = skip_blanks(at);
    if (*at != '{')
        return NULL;
    for (at = skip_blanks(at + 1); *at == '"'; at = skip_blanks(at)) {
        size_t length = strlen(member);
        bool found = strncmp(at + 1, member, length) == 0 && at[length + 1] == '"';
        at = skip_blanks(skip_string(at));
        if (*at != ':')
            return NULL;
        at = skip_blanks(at + 1);
        if (found)
            return at;
        at = skip_blanks(skip_value(at));
        at += *at == ',';
    }
    return NULL;
}

static const char *find_element(const char *at, size_t index) {
    if (at == NULL || *at != '[')
        return NULL;
    at = skip_blanks(at + 1);
    for (; index > 0 && *at != '\0'; index--) {
        at = skip_blanks(skip_value(at));
        if (*at != ',')
            return NULL;
        at = skip_blanks(at + 1);
    }
    return *at != '\0' && *at != ']' ? at : NULL;
}

int json_fail_at(struct error *error, const char *path, const char *member, size_t index,
                 const char *what) {
    char *text = NULL;
    struct error ignored = {0};
    int line = 1, column = 1;
    const char *place = NULL;
    if (file_read(&text, NULL, path, &ignored) == 0)
        place = find_element(find_member(text, member), index);
    for (const char *at = text; place != NULL && at < place; at++) {
        column = *at == '\n' ? 1 : column + 1;
        line += *at == '\n';
    }
    free(text);
    return error_set(error, "%s:%d:%d: error: %s", path, line, column, what);
}

int json_each(const json_t *root, const char *member,
              int (*read)(void *context, const json_t *element), void *context, const char *path,
              const char *repair, struct error *error) {
    const json_t *list = json_object_get(root, member);
    struct str what = {0};
    if (!json_is_array(list))
        return error_set(error, "%s:1:1: error: there is no list '%s'; %s", path, member, repair);
    str_printf(&what, "a member is missing or out of range; %s", repair);
    int result = 0;
    for (size_t i = 0; i < json_array_size(list) && result == 0; i++)
        if (read(context, json_array_get(list, i)) != 0)
            result = json_fail_at(error, path, member, i, str_text(&what));
    str_dispose(&what);
    return result;
}

json_t *json_reals(const double *numbers, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_real(numbers[i]));
    return list;
}

json_t *json_integers(const int *numbers, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(numbers[i]));
    return list;
}
