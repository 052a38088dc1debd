/* SPDX-License-Identifier: Apache-2.0
 *
 * What is reached through memory. A set that many cells share is looked through once.
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
