/* SPDX-License-Identifier: Apache-2.0
 *
 * By contents, not by times: what a version control system or a copy has touched is the same.
 */
#include "model/samples/source_hashes.h"

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

const char *source_hash_of(struct arena *arena, const char *text, size_t length) {
    return arena_printf(arena, "%016llx", hash_bytes(HASH_SEED, text, length));
}

json_t *source_hashes_to_json(const struct source_hashes *hashes) {
    json_t *value = json_object();
    for (size_t i = 0; i < hashes->count; i++)
        json_object_set_new(value, hashes->items[i].file, json_string(hashes->items[i].hash));
    return value;
}

void source_hashes_from_json(struct source_hashes *out, struct arena *arena, const json_t *value) {
    const char *file;
    json_t *hash;
    struct source_hash *items = ARENA_ARRAY(arena, struct source_hash, json_object_size(value) + 1);
    *out = (struct source_hashes){.items = items};
    json_object_foreach((json_t *)value, file, hash) {
        if (json_is_string(hash))
            items[out->count++] = (struct source_hash){
                arena_strdup(arena, file), arena_strdup(arena, json_string_value(hash))};
    }
}

static bool has_changed(const struct source_hash *source, const char *root, struct arena *arena) {
    char *text = NULL;
    size_t length;
    struct error ignored = {0};
    if (file_read(&text, &length, path_absolute(arena, root, source->file), &ignored) != 0)
        return false;
    bool changed = strcmp(source_hash_of(arena, text, length), source->hash) != 0;
    free(text);
    return changed;
}

void source_hashes_tell_changes(const struct source_hashes *hashes, const char *root,
                                const char *bundle) {
    struct arena arena = {0};
    const char *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < hashes->count; i++)
        if (has_changed(&hashes->items[i], root, &arena) && count++ == 0)
            first = hashes->items[i].file;
    if (count > 1)
        note("warning: %s and %zu other source%s changed since %s was generated, which is of the "
             "older program: generate it again",
             first, count - 1, count > 2 ? "s" : "", bundle);
    else if (count > 0)
        note("warning: %s changed since %s was generated, which is of the older program: generate "
             "it again",
             first, bundle);
    arena_dispose(&arena);
}
