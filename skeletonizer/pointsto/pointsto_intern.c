/* SPDX-License-Identifier: Apache-2.0
 *
 * See pointsto_intern.h.
 */
#include "skeletonizer/pointsto/pointsto_intern.h"

#include "skeletonizer/pointsto/pointsto_bound.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct location_entry {
    struct location key;
    int index;
    UT_hash_handle hh;
};

bool intern_is_constant(const struct points_to *p, int object) {
    enum object_kind kind = p->program->objects.items[object]->kind;
    return kind == OBJECT_STRING || kind == OBJECT_FUNCTION;
}

void intern_canonical(const struct points_to *p, struct location *location) {
    *location = pointsto_bound_location(p, *location);
    if (intern_is_constant(p, location->object))
        location->stride_bytes = 1;
    if (location->stride_bytes == 1) {
        location->offset_bytes = 0;
        location->length_bytes = 0;
    } else if (location->stride_bytes > 1) {
        location->offset_bytes %= location->stride_bytes;
        if (location->offset_bytes < 0)
            location->offset_bytes += location->stride_bytes;
    }
}

static struct location_entry *find_entry(const struct points_to *p, struct location location,
                                         struct location *key) {
    struct location_entry *entry;
    memset(key, 0, sizeof *key); /* padding is part of the key */
    key->object = location.object;
    key->offset_bytes = location.offset_bytes;
    key->stride_bytes = location.stride_bytes;
    key->length_bytes = location.length_bytes;
    intern_canonical(p, key);
    HASH_FIND(hh, p->index, key, sizeof *key, entry);
    return entry;
}

int points_to_known(const struct points_to *p, struct location location) {
    struct location key;
    const struct location_entry *entry = find_entry(p, location, &key);
    return entry != NULL ? entry->index : -1;
}

int points_to_intern(struct points_to *p, struct location location) {
    struct location key;
    struct location_entry *entry = find_entry(p, location, &key);
    if (entry != NULL)
        return entry->index;
    entry = xmalloc(sizeof *entry);
    memcpy(&entry->key, &key, sizeof key);
    entry->index = (int)p->locations.count;
    HASH_ADD(hh, p->index, key, sizeof key, entry);
    vec_push(&p->locations, key);
    vec_push(&p->cells, 0);
    vec_push(&p->cell_steps, 0);
    return entry->index;
}

void intern_dispose(struct points_to *p) {
    struct location_entry *entry, *next;
    HASH_ITER(hh, p->index, entry, next) {
        HASH_DEL(p->index, entry);
        free(entry);
    }
}
