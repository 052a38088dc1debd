/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a JSON file, a member of its outermost object, an index. Out: line and column of that element
 * for an error text; jansson keeps no places. Counts brackets outside strings; the file is known to
 * be valid, but may have changed since it was read: then the place is the file's beginning.
 */
#include "base/json.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

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
