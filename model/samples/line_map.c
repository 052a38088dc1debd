/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON member itself is the map; see line_map.h. It is asked a few times per report only.
 */
#include "model/samples/line_map.h"

#include "base/arena.h"
#include "base/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct line_map {
    json_t *root;
    json_t *lines, *original_lines, *profile_lines; /* borrowed from root, NULL: there are none */
};

static bool is_line(const json_t *value) {
    return json_is_integer(value) && json_integer_value(value) > 0 &&
           json_integer_value(value) < 1000000000;
}

static int check_file(const char *path, const char *member, const char *file, const json_t *pairs,
                      struct error *error) {
    long long last = 0;
    size_t index;
    json_t *pair;
    if (!json_is_array(pairs))
        return error_set(error, "%s:1:1: error: %s.%s is not a list", path, member, file);
    json_array_foreach(pairs, index, pair) {
        const json_t *skeleton = json_array_get(pair, 0), *original = json_array_get(pair, 1);
        bool is_nowhere = json_is_integer(original) && json_integer_value(original) == 0;
        if (!is_line(skeleton) || (!is_line(original) && !is_nowhere) ||
            json_integer_value(skeleton) <= last)
            return error_set(error,
                             "%s:1:1: error: %s.%s[%zu] is not a pair of lines in rising order",
                             path, member, file, index);
        last = json_integer_value(skeleton);
    }
    return 0;
}

static int read_lines(json_t **out, json_t *root, const char *path, const char *member,
                      struct error *error) {
    const char *file;
    json_t *pairs;
    int result = 0;
    *out = json_object_get(root, member);
    if (*out != NULL && !json_is_object(*out))
        result = error_set(error, "%s:1:1: error: %s is not an object", path, member);
    json_object_foreach(*out, file, pairs) {
        if (result == 0)
            result = check_file(path, member, file, pairs, error);
    }
    return result;
}

int line_map_read(struct line_map **out, const char *regions_file, struct error *error) {
    struct line_map map = {0};
    if (json_read(&map.root, regions_file, error) != 0)
        return -1;
    if (read_lines(&map.lines, map.root, regions_file, "lines", error) != 0 ||
        read_lines(&map.original_lines, map.root, regions_file, "original_lines", error) != 0 ||
        read_lines(&map.profile_lines, map.root, regions_file, "profile_lines", error) != 0) {
        json_decref(map.root);
        return -1;
    }
    *out = xmalloc(sizeof **out);
    **out = map;
    return 0;
}

void line_map_free(struct line_map *map) {
    if (map == NULL)
        return;
    json_decref(map->root);
    free(map);
}

/* `file` is `key`, or ends in `src/key` or `src.profile/key`. */
static bool names_file(const char *file, const char *key) {
    size_t length = strlen(file), tail = strlen(key);
    if (length < tail || strcmp(file + length - tail, key) != 0)
        return false;
    size_t before = length - tail;
    static const char *const folders[] = {"src/", "src.profile/"};
    bool found = before == 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t folder = strlen(folders[i]);
        found = found ||
                (before >= folder && strncmp(file + before - folder, folders[i], folder) == 0 &&
                 (before == folder || file[before - folder - 1] == '/'));
    }
    return found;
}

static long map_line(const json_t *pairs, long line) {
    long mapped = 0;
    size_t index;
    json_t *pair;
    json_array_foreach(pairs, index, pair) {
        long skeleton = (long)json_integer_value(json_array_get(pair, 0));
        if (skeleton > line)
            break;
        mapped = (long)json_integer_value(json_array_get(pair, 1));
        mapped += mapped > 0 ? line - skeleton : 0;
    }
    return mapped;
}

static long find(const char **out_file, json_t *lines, const char *file, long line) {
    const char *key;
    json_t *pairs;
    json_object_foreach(lines, key, pairs) {
        if (!names_file(file, key))
            continue;
        *out_file = key;
        return map_line(pairs, line);
    }
    return 0;
}

long line_map_find(const char **out_file, const struct line_map *map, const char *file, long line) {
    return find(out_file, map->lines, file, line);
}

long line_map_find_original(const char **out_file, const struct line_map *map, const char *file,
                            long line) {
    return find(out_file, map->original_lines, file, line);
}

long line_map_find_profile(const char **out_file, const struct line_map *map, const char *file,
                           long line) {
    return find(out_file, map->profile_lines, file, line);
}

size_t line_map_skeleton_lines(long *out, size_t most, const struct line_map *map, const char *file,
                               long line) {
    const json_t *pairs = json_object_get(map->lines, file);
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i), *next = json_array_get(pairs, i + 1);
        long original = (long)json_integer_value(json_array_get(pair, 1));
        long found = (long)json_integer_value(json_array_get(pair, 0)) + line - original;
        if (original == 0 || line < original ||
            (next != NULL && found >= (long)json_integer_value(json_array_get(next, 0))))
            continue;
        if (count < most)
            out[count] = found;
        count++;
    }
    return count < most ? count : most;
}
