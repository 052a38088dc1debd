/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table with "kind:key" as its keys.
 */
#include "frontend/program/names.h"

#include "base/arena.h"
#include "base/hash_table.h"

#include <stdlib.h>
#include <string.h>

struct name_table {
    struct hash_table values; /* pointers */
};

struct name_table *names_new(void) {
    struct name_table *names = xmalloc(sizeof *names);
    *names = (struct name_table){0};
    return names;
}

void names_free(struct name_table *names) {
    if (names != NULL)
        hash_table_dispose(&names->values);
    free(names);
}

static char *full_key(const char *kind, const char *key) {
    size_t head = strlen(kind), tail = strlen(key);
    char *full = xmalloc(head + tail + 2);
    memcpy(full, kind, head);
    full[head] = ':';
    memcpy(full + head + 1, key, tail + 1);
    return full;
}

void *names_get(const struct name_table *names, const char *kind, const char *key) {
    char *full = full_key(kind, key);
    void **value = hash_table_find_text(&names->values, full);
    free(full);
    return value != NULL ? *value : NULL;
}

void names_put(struct name_table *names, const char *kind, const char *key, void *value) {
    char *full = full_key(kind, key);
    void **place = hash_table_add_text(&names->values, full, sizeof *place);
    *place = value;
    free(full);
}
