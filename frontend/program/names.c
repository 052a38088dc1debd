/* SPDX-License-Identifier: Apache-2.0
 *
 * uthash over "kind:key" strings that the table owns.
 */
#include "frontend/program/names.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct names_name {
    char *key;
    void *value;
    UT_hash_handle hh;
};

struct name_table {
    struct names_name *first;
};

struct name_table *names_new(void) {
    struct name_table *names = xmalloc(sizeof *names);
    names->first = NULL;
    return names;
}

void names_free(struct name_table *names) {
    struct names_name *name, *next;
    if (names == NULL)
        return;
    HASH_ITER(hh, names->first, name, next) {
        HASH_DEL(names->first, name);
        free(name->key);
        free(name);
    }
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

static struct names_name *find(const struct name_table *names, const char *full) {
    struct names_name *name;
    HASH_FIND_STR(names->first, full, name);
    return name;
}

void *names_get(const struct name_table *names, const char *kind, const char *key) {
    char *full = full_key(kind, key);
    struct names_name *name = find(names, full);
    free(full);
    return name != NULL ? name->value : NULL;
}

void names_put(struct name_table *names, const char *kind, const char *key, void *value) {
    char *full = full_key(kind, key);
    struct names_name *name = find(names, full);
    if (name != NULL) {
        free(full);
        name->value = value;
        return;
    }
    name = xmalloc(sizeof *name);
    name->key = full;
    name->value = value;
    HASH_ADD_KEYPTR(hh, names->first, name->key, strlen(name->key), name);
}
