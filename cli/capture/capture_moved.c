/* SPDX-License-Identifier: Apache-2.0
 *
 * See capture_moved.h.
 */
#include "cli/capture/capture_moved.h"

#include "base/error.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/capture/capture_archives.h"

#include <stdlib.h>
#include <string.h>

static bool same_bytes(const char *one, const char *other) {
    char *left = NULL, *right = NULL;
    size_t left_length = 0, right_length = 0;
    struct error ignored = {0};
    bool same = file_read(&left, &left_length, one, &ignored) == 0 &&
                file_read(&right, &right_length, other, &ignored) == 0 &&
                left_length == right_length && memcmp(left, right, left_length) == 0;
    free(left);
    free(right);
    return same;
}

/* The only object with that name; NULL: there is none, or there are several. */
static const char *only_namesake(struct arena *arena, const json_t *compiles, const char *path) {
    const json_t *compile;
    const char *found = NULL;
    size_t i;
    json_array_foreach(compiles, i, compile) {
        const char *output = capture_output(arena, compile);
        if (strcmp(path_base(output), path_base(path)) != 0)
            continue;
        if (found != NULL && strcmp(found, output) != 0)
            return NULL;
        found = output;
    }
    return found;
}

static const char *compiled_as(struct arena *arena, const json_t *compiles, const json_t *links,
                               const char *path) {
    const char *compiled = only_namesake(arena, compiles, path);
    if (compiled == NULL || strcmp(compiled, path) == 0 || capture_is_output(arena, links, path))
        return NULL;
    bool is_it = !file_exists(compiled) || !file_exists(path) || same_bytes(compiled, path);
    return is_it ? compiled : NULL;
}

void capture_find_moved(struct arena *arena, const json_t *compiles, json_t *links) {
    json_t *link, *word;
    size_t i, k;
    json_array_foreach(links, i, link) {
        json_t *words = json_object_get(link, "arguments");
        json_array_foreach(words, k, word) {
            const char *text = json_string_value(word);
            if (k == 0 || text == NULL || text[0] == '-' || !text_has_suffix(text, ".o"))
                continue;
            const char *path = path_absolute(arena, json_get_text(link, "directory"), text);
            const char *compiled = capture_is_output(arena, compiles, path)
                                       ? NULL
                                       : compiled_as(arena, compiles, links, path);
            if (compiled != NULL)
                json_array_set_new(words, k, json_string(compiled));
        }
    }
}
