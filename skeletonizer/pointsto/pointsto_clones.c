/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of which each call of an allocating function has its own.
 */
#include "skeletonizer/pointsto/pointsto.h"

struct object *points_to_original(const struct points_to *p, int object) {
    return (size_t)object < p->clone_of.count ? p->clone_of.items[object] : NULL;
}

int points_to_block(const struct points_to *p, int object) {
    const struct object *of;
    while ((of = points_to_original(p, object)) != NULL)
        object = of->id;
    return object;
}

void points_to_add_clone(struct points_to *p, int object, int origin) {
    while (p->clone_of.count <= (size_t)object)
        vec_push(&p->clone_of, (struct object *)NULL);
    p->clone_of.items[object] = p->program->objects.items[origin];
    for (struct object *of = p->clone_of.items[object]; of != NULL;
         of = points_to_original(p, of->id)) {
        while (p->clones.count <= (size_t)of->id)
            vec_push(&p->clones, (int_list){0});
        vec_push(&p->clones.items[of->id], object);
    }
}

const int_list *points_to_clones(const struct points_to *p, int object) {
    bool has = (size_t)object < p->clones.count && p->clones.items[object].count > 0;
    return has ? &p->clones.items[object] : NULL;
}

int points_to_sharing(const struct points_to *p, int object, size_t index) {
    if (p->without_clones)
        return index == 0 ? points_to_block(p, object) : -1;
    const int_list *clones = points_to_clones(p, object);
    if (index == 0)
        return object;
    for (const struct object *of = points_to_original(p, object); of != NULL;
         of = points_to_original(p, of->id))
        if (--index == 0)
            return of->id;
    return clones != NULL && index <= clones->count ? clones->items[index - 1] : -1;
}
