/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON member itself is the map; see line_map.h. It is asked a few times per report only.
 */
#include "simulator/line_map.h"

#include "base/arena.h"
#include "base/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct line_map {
    json_t *root, *lines; /* lines is borrowed from root, NULL if there are none */
};

static bool is_line(const json_t *value) {
    return json_is_integer(value) && json_integer_value(value) > 0 &&
           json_integer_value(value) < 1000000000;
}

static int check_file(const char *path, const char *file, const json_t *pairs,
                      struct error *error) {
    long long last = 0;
    size_t index;
    json_t *pair;
    if (!json_is_array(pairs))
        return error_set(error, "%s:1:1: error: lines.%s is not a list", path, file);
    json_array_foreach(pairs, index, pair) {
        const json_t *skeleton = json_array_get(pair, 0), *original = json_array_get(pair, 1);
        if (!is_line(skeleton) || !is_line(original) || json_integer_value(skeleton) <= last)
            return error_set(error,
                             "%s:1:1: error: lines.%s[%zu] is not a pair of lines in rising order",
                             path, file, index);
        last = json_integer_value(skeleton);
    }
    return 0;
}

int line_map_read(struct line_map **out, const char *regions_file, struct error *error) {
    json_t *root = NULL, *pairs;
    const char *file;
    int result = 0;
    if (json_read(&root, regions_file, error) != 0)
        return -1;
    json_t *lines = json_object_get(root, "lines");
    if (lines != NULL && !json_is_object(lines))
        result = error_set(error, "%s:1:1: error: lines is not an object", regions_file);
    json_object_foreach(lines, file, pairs) {
        if (result == 0)
            result = check_file(regions_file, file, pairs, error);
    }
    if (result != 0) {
        json_decref(root);
        return -1;
    }
    *out = xmalloc(sizeof **out);
    **out = (struct line_map){root, lines};
    return 0;
}

void line_map_free(struct line_map *map) {
    if (map == NULL)
        return;
    json_decref(map->root);
    free(map);
}

/* `file` is `key`, or ends in `src/key`. */
static bool names_file(const char *file, const char *key) {
    size_t length = strlen(file), tail = strlen(key);
    if (length < tail || strcmp(file + length - tail, key) != 0)
        return false;
    const char *before = file + length - tail;
    return before == file || (before - file >= 4 && strncmp(before - 4, "src/", 4) == 0 &&
                              (before - file == 4 || before[-5] == '/'));
}

static long map_line(const json_t *pairs, long line) {
    long mapped = 0;
    size_t index;
    json_t *pair;
    json_array_foreach(pairs, index, pair) {
        long skeleton = (long)json_integer_value(json_array_get(pair, 0));
        if (skeleton > line)
            break;
        mapped = (long)json_integer_value(json_array_get(pair, 1)) + line - skeleton;
    }
    return mapped;
}

long line_map_find(const char **out_file, const struct line_map *map, const char *file, long line) {
    const char *key;
    json_t *pairs;
    json_object_foreach(map->lines, key, pairs) {
        if (!names_file(file, key))
            continue;
        *out_file = key;
        return map_line(pairs, line);
    }
    return 0;
}
