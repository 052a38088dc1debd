/* SPDX-License-Identifier: Apache-2.0
 *
 * varied.json, written and read; see varied.h.
 */
#include "model/varied/varied.h"

#include "base/file.h"
#include "base/json.h"
#include "base/words.h"

#include <limits.h>
#include <string.h>

#define FORMAT "mpiskel-varied"
#define VERSION 1
#define REPAIR "remove it, and `mpiskel fit` writes it again"

/* ---- Writing ---- */

static json_t *words_to_json(const char *const *words, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_any_text(words[i]));
    return list;
}

int varied_write(const struct varied *varied, const char *directory, struct error *error) {
    struct arena arena;
    json_t *runs = json_array(), *values = json_array();
    for (size_t i = 0; i < varied->run_count; i++) {
        const struct varied_run *run = &varied->runs[i];
        json_array_append_new(runs,
                              json_pack("{s:I, s:o}", "ranks", (json_int_t)run->ranks, "arguments",
                                        words_to_json(run->words.items, run->words.count)));
    }
    for (size_t i = 0; i < varied->value_count; i++) {
        const struct varied_value *value = &varied->values[i];
        json_array_append_new(values, json_pack("{s:i, s:o}", "region", value->region, "unaffected",
                                                words_to_json(value->unaffected, value->count)));
    }
    json_t *root = json_pack("{s:s, s:i, s:o, s:o}", "format", FORMAT, "version", VERSION, "runs",
                             runs, "values", values);
    arena_init(&arena);
    int result = json_write(root, path_join(&arena, directory, VARIED_FILE), error);
    arena_dispose(&arena);
    json_decref(root);
    return result;
}

/* ---- Reading ---- */

/* False: it is no list of texts. */
static bool read_words(const char *const **out, size_t *out_count, struct arena *arena,
                       const json_t *list) {
    const char **words = ARENA_ARRAY(arena, const char *, json_array_size(list) + 1);
    *out = words;
    *out_count = json_array_size(list);
    for (size_t i = 0; i < *out_count; i++) {
        const char *word = json_string_value(json_array_get(list, i));
        if (word == NULL)
            return false;
        words[i] = arena_strdup(arena, word);
    }
    return json_is_array(list);
}

static int read_run(void *to, const json_t *value) {
    struct varied *out = to;
    struct words words;
    long long ranks = json_get_integer(value, "ranks", 0);
    if (ranks < 1 || ranks > INT_MAX ||
        !read_words(&words.items, &words.count, &out->arena, json_object_get(value, "arguments")))
        return -1;
    varied_run_make(&out->runs[out->run_count++], &out->arena, (size_t)ranks, words);
    return 0;
}

static int read_value(void *to, const json_t *value) {
    struct varied *out = to;
    struct varied_value *found = &out->values[out->value_count++];
    long long region = json_get_integer(value, "region", -1);
    found->region = region < 0 || region > INT_MAX ? -1 : (int)region;
    return found->region < 0 || !read_words(&found->unaffected, &found->count, &out->arena,
                                            json_object_get(value, "unaffected"))
               ? -1
               : 0;
}

static int read_root(struct varied *out, const json_t *root, const char *path,
                     struct error *error) {
    const char *format = json_get_text(root, "format");
    if (format == NULL || strcmp(format, FORMAT) != 0 ||
        json_get_integer(root, "version", -1) != VERSION)
        return error_set(error, "%s:1:1: error: this is no list of what varied, version 1; " REPAIR,
                         path);
    size_t runs = json_array_size(json_object_get(root, "runs"));
    size_t values = json_array_size(json_object_get(root, "values"));
    out->runs = ARENA_ARRAY(&out->arena, struct varied_run, runs + 1);
    out->values = ARENA_ARRAY(&out->arena, struct varied_value, values + 1);
    return json_each(root, "runs", read_run, out, path, REPAIR, error) != 0 ||
                   json_each(root, "values", read_value, out, path, REPAIR, error) != 0
               ? -1
               : 0;
}

int varied_read(struct varied *out, const char *directory, struct error *error) {
    json_t *root = NULL;
    *out = (struct varied){0};
    arena_init(&out->arena);
    const char *path = path_join(&out->arena, directory, VARIED_FILE);
    if (!file_exists(path))
        return 0;
    int result = json_read(&root, path, error);
    if (result == 0)
        result = read_root(out, root, path, error);
    json_decref(root);
    if (result != 0)
        varied_dispose(out);
    return result;
}
