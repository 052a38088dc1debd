/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/made_by.h"

#include "base/file.h"
#include "base/json.h"

#include <string.h>

#define FILE_NAME "generate.json"
#define FORMAT "mpiskel-generate"

int made_by_write(const char *bundle, const char *const *words, size_t count, struct error *error) {
    struct arena arena = {0};
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_any_text(words[i]));
    json_t *root = json_pack("{s:s, s:i, s:o, s:o}", "format", FORMAT, "version", 1, "directory",
                             json_any_text(path_current(&arena)), "words", list);
    int result = json_write(root, path_join(&arena, bundle, FILE_NAME), error);
    json_decref(root);
    arena_dispose(&arena);
    return result;
}

static int take(struct made_by *out, struct arena *arena, const json_t *root) {
    const char *format = json_get_text(root, "format"), *directory;
    const json_t *words = json_object_get(root, "words");
    directory = json_get_text(root, "directory");
    if (format == NULL || strcmp(format, FORMAT) != 0 || directory == NULL ||
        json_get_integer(root, "version", -1) != 1 || !json_is_array(words))
        return -1;
    out->directory = arena_strdup(arena, directory);
    out->word_count = json_array_size(words);
    out->words = ARENA_ARRAY(arena, const char *, out->word_count + 1);
    for (size_t i = 0; i < out->word_count; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (word == NULL)
            return -1;
        out->words[i] = arena_strdup(arena, word);
    }
    return 0;
}

int made_by_read(struct made_by *out, struct arena *arena, const char *bundle,
                 struct error *error) {
    json_t *root = NULL;
    const char *path = path_join(arena, bundle, FILE_NAME);
    *out = (struct made_by){0};
    if (json_read(&root, path, error) != 0)
        return -1;
    int result = take(out, arena, root);
    json_decref(root);
    return result == 0 ? 0
                       : error_set(error,
                                   "%s:1:1: error: this is no command of generate, version 1; "
                                   "generate again",
                                   path);
}
