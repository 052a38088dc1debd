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

/* Nearly all keys are shorter: names are looked up millions of times. */
#define SHORT_KEY 256

static void write_key(char *out, const char *kind, const char *key) {
    size_t head = strlen(kind);
    memcpy(out, kind, head);
    out[head] = ':';
    strcpy(out + head + 1, key);
}

void *names_get(const struct name_table *names, const char *kind, const char *key) {
    char buffer[SHORT_KEY];
    size_t length = strlen(kind) + 1 + strlen(key);
    char *full = length < sizeof buffer ? buffer : xmalloc(length + 1);
    write_key(full, kind, key);
    void **value = hash_table_find_text(&names->values, full);
    if (full != buffer)
        free(full);
    return value != NULL ? *value : NULL;
}

void names_put(struct name_table *names, const char *kind, const char *key, void *value) {
    char *full = xmalloc(strlen(kind) + strlen(key) + 2);
    write_key(full, kind, key);
    void **place = hash_table_add_text(&names->values, full, sizeof *place);
    *place = value;
    free(full);
}
