/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/pointsto/pointsto_intern.h"

#include "skeletonizer/pointsto/pointsto_bound.h"

#include <string.h>

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

static int *find_index(const struct points_to *p, struct location location, struct location *key) {
    memset(key, 0, sizeof *key); /* padding is part of the key */
    key->object = location.object;
    key->read_at = location.read_at;
    key->offset_bytes = location.offset_bytes;
    key->stride_bytes = location.stride_bytes;
    key->length_bytes = location.length_bytes;
    intern_canonical(p, key);
    return hash_table_find(&p->index, key, sizeof *key);
}

int points_to_known(const struct points_to *p, struct location location) {
    struct location key;
    const int *index = find_index(p, location, &key);
    return index != NULL ? *index : -1;
}

int points_to_intern(struct points_to *p, struct location location) {
    struct location key;
    int *index = find_index(p, location, &key);
    if (index != NULL)
        return *index;
    index = hash_table_add(&p->index, &key, sizeof key, sizeof *index);
    *index = (int)p->locations.count;
    vec_push(&p->locations, key);
    vec_push(&p->cells, 0);
    vec_push(&p->cell_steps, 0);
    return *index;
}

void intern_dispose(struct points_to *p) {
    hash_table_dispose(&p->index);
}
