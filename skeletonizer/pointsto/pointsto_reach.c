/* SPDX-License-Identifier: Apache-2.0
 *
 * What is reached through memory. A set that many cells share is looked through once. Thousands of
 * calls are asked what they reach, and have few different answers: each is kept once, by what it
 * was asked for.
 */
#include "skeletonizer/pointsto/pointsto.h"

#include <string.h>

struct reach {
    const struct points_to *points_to;
    bool *reached, *followed;
    bool *added;   /* sets of which all locations are reached */
    int_list open; /* reached, but not all that their blocks lead to */
};

/* What pointers lead to that are stored in exactly this block. */
static void follow(struct reach *r, int object) {
    const struct points_to *p = r->points_to;
    if (r->followed[object] || (size_t)object >= p->cells_of.count)
        return;
    r->followed[object] = true;
    for (size_t i = 0; i < p->cells_of.items[object].count; i++) {
        int set = p->cells.items[p->cells_of.items[object].items[i]];
        const int_list *stored = sets_items(&p->sets, set);
        if (r->added[set])
            continue;
        r->added[set] = true;
        for (size_t k = 0; k < stored->count; k++) {
            int target = p->locations.items[stored->items[k]].object;
            if (!r->reached[target])
                vec_push(&r->open, target);
            r->reached[target] = true;
        }
    }
}

/* What one call of an allocating function has got from it, the function has stored in the block
 * that all its calls share; and the other way round. */
void points_to_close(const struct points_to *p, bool *reached) {
    size_t count = p->program->objects.count, sets = p->sets.sets.count;
    struct reach r = {.points_to = p, .reached = reached};
    r.followed = memset(xmalloc(count + 1), 0, count + 1);
    r.added = memset(xmalloc(sets + 1), 0, sets + 1);
    for (size_t object = 0; object < count; object++)
        if (reached[object])
            vec_push(&r.open, (int)object);
    while (r.open.count > 0) {
        int object = r.open.items[--r.open.count], block;
        for (size_t i = 0; (block = points_to_sharing(p, object, i)) >= 0; i++)
            follow(&r, block);
    }
    vec_dispose(&r.open);
    free(r.followed);
    free(r.added);
}

size_t points_to_reach_bytes(struct points_to *p) {
    if (p->reach_bytes == 0)
        p->reach_bytes = p->program->objects.count / 8 + 1;
    return p->reach_bytes;
}

/* What is reached is an entry, too, from which nothing more is. */
static const unsigned char *find_reach(struct points_to *p, const unsigned char *objects) {
    size_t bytes = points_to_reach_bytes(p), count = 8 * bytes;
    size_t most = count > p->program->objects.count ? count : p->program->objects.count;
    bool *reached = xcalloc(most, sizeof *reached);
    unsigned char *set = xcalloc(bytes, 1);
    for (size_t i = 0; i < count; i++)
        reached[i] = object_set_has(objects, (int)i);
    points_to_close(p, reached);
    for (size_t i = 0; i < count; i++)
        if (reached[i])
            object_set_add(set, (int)i);
    const unsigned char **out = hash_table_add(&p->reaches, set, bytes, sizeof *out);
    *out = hash_table_key(out);
    free(set);
    free(reached);
    return *out;
}

const unsigned char *points_to_reach(struct points_to *p, const unsigned char *objects) {
    size_t bytes = points_to_reach_bytes(p);
    const unsigned char **known = hash_table_find(&p->reaches, objects, bytes);
    if (known == NULL) {
        const unsigned char *reached = find_reach(p, objects);
        known = hash_table_add(&p->reaches, objects, bytes, sizeof *known);
        *known = reached;
    }
    return *known;
}
