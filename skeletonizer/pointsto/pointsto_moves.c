/* SPDX-License-Identifier: Apache-2.0
 *
 * See pointsto_moves.h. What is stored in all that is copied is gathered first, by where it lies in
 * what is copied, and then stored in each place: as much work as there are places, not pairs of
 * them. How many places an object may have is bounded by what its type or its size tells.
 */
#include "skeletonizer/pointsto/pointsto_moves.h"

#define BYTES_MOST 16384 /* of an allocation that is taken for one record */
#define MEMBERS_MOST 128 /* places in an object besides the members that its type has */
#define MOVED_MOST 256

void moves_look_anew(struct points_to *p) {
    while (p->cell_looks.count < p->cells.count)
        vec_push(&p->cell_looks, 0);
    p->look++;
}

bool moves_is_first_look(struct points_to *p, int cell) {
    if ((size_t)cell >= p->cell_looks.count)
        return true;
    bool first = p->cell_looks.items[cell] != p->look;
    p->cell_looks.items[cell] = p->look;
    return first;
}

bool moves_has_looked(const struct points_to *p, int cell) {
    return (size_t)cell < p->cell_looks.count && p->cell_looks.items[cell] == p->look;
}

void moves_looked_at_all(struct points_to *p, int object) {
    while (p->object_looks.count <= (size_t)object)
        vec_push(&p->object_looks, 0);
    p->object_looks.items[object] = p->look;
}

bool moves_has_looked_at_all(const struct points_to *p, int object) {
    return (size_t)object < p->object_looks.count && p->object_looks.items[object] == p->look;
}

int moves_intern_bounded(struct points_to *p, struct location location, int_list *counts,
                         int most) {
    int known = points_to_known(p, location);
    if (known >= 0)
        return known;
    while (counts->count <= (size_t)location.object)
        vec_push(counts, 0);
    if (++counts->items[location.object] > most)
        location = (struct location){.object = location.object, .stride_bytes = 1};
    return points_to_intern(p, location);
}

static int count_members(const struct type *type) {
    int count = 1;
    while (type != NULL && type->kind == TYPE_ARRAY)
        type = type->element;
    for (int i = 0; type != NULL && type->kind == TYPE_RECORD && i < type->field_count; i++)
        count += count_members(type->fields[i].type);
    return count;
}

/* How many may be in the bytes that are allocated, if that is a constant: malloc(sizeof(struct
 * all)). */
static int count_allocated(const struct call *call) {
    long long bytes = 1;
    bool is_known = false;
    for (size_t i = 0; call != NULL && i < call->arguments.count; i++) {
        const struct ast *ast = call->arguments.items[i].ast;
        if (!ast->has_value || ast->value < 1 || ast->value > BYTES_MOST / bytes)
            continue;
        bytes *= ast->value;
        is_known = true;
    }
    return is_known ? (int)(bytes / (long long)sizeof(int)) : 0;
}

int moves_most_members(const struct points_to *p, int index) {
    const struct object *object = p->program->objects.items[index];
    if ((size_t)index >= p->members.count || p->members.items[index] < MEMBERS_MOST)
        return MEMBERS_MOST;
    return MEMBERS_MOST + (object->kind == OBJECT_HEAP ? count_allocated(object->call)
                                                       : count_members(object->type));
}

/* What is stored at one place of a part. */
struct moved {
    struct location_shift shift;
    int contents; /* a set */
};

typedef VEC(struct moved) moved_list;

static int *contents_at(moved_list *all, struct location_shift shift) {
    for (size_t i = 0; i < all->count; i++) {
        const struct location_shift *other = &all->items[i].shift;
        if (other->is_anywhere == shift.is_anywhere &&
            other->distance_bytes == shift.distance_bytes &&
            other->stride_bytes == shift.stride_bytes && other->length_bytes == shift.length_bytes)
            return &all->items[i].contents;
    }
    vec_push(all, (struct moved){.shift = shift});
    return &all->items[all->count - 1].contents;
}

static void gather_from(moved_list *out, struct points_to *p, struct location source,
                        unsigned since) {
    if ((size_t)source.object >= p->cells_of.count)
        return;
    for (size_t i = 0; i < p->cells_of.items[source.object].count; i++) {
        int cell = p->cells_of.items[source.object].items[i];
        struct location at = p->locations.items[cell];
        if (p->cell_steps.items[cell] >= since && location_overlap(at, source) &&
            moves_is_first_look(p, cell)) {
            int *contents = contents_at(out, location_shift_of(at, source));
            *contents = sets_union(&p->sets, *contents, p->cells.items[cell]);
        }
    }
}

static void gather(moved_list *out, struct points_to *p, struct location source, unsigned since) {
    int object = source.object;
    for (size_t i = 0; (source.object = points_to_sharing(p, object, i)) >= 0; i++)
        gather_from(out, p, source, since);
}

static bool same_part(struct location one, struct location other) {
    return one.offset_bytes == other.offset_bytes && one.stride_bytes == other.stride_bytes &&
           one.length_bytes == other.length_bytes;
}

static bool is_first_of_its_part(const struct points_to *p, const int_list *list, size_t index) {
    struct location location = p->locations.items[list->items[index]];
    for (size_t i = 0; i < index; i++)
        if (same_part(p->locations.items[list->items[i]], location))
            return false;
    return true;
}

/* The same part of many objects: each cell counts once. */
static void gather_part(moved_list *out, struct points_to *p, const int_list *from, size_t first,
                        unsigned since) {
    struct location part = p->locations.items[from->items[first]];
    moves_look_anew(p);
    for (size_t i = first; i < from->count; i++)
        if (same_part(p->locations.items[from->items[i]], part))
            gather(out, p, p->locations.items[from->items[i]], since);
}

/* What is copied within an object, or to others and back, would come to new offsets without end,
 * where the length is not known. */
static void scatter(struct points_to *p, const moved_list *all, int place) {
    struct location to = p->locations.items[place];
    for (size_t i = 0; i < all->count; i++) {
        struct location at = location_shifted(to, all->items[i].shift);
        points_to_store(p, moves_intern_bounded(p, at, &p->moved, MOVED_MOST),
                        all->items[i].contents);
    }
}

void moves_solve(struct points_to *p, const int_list *from, const int_list *to, unsigned since) {
    moved_list all = {0};
    for (size_t i = 0; i < from->count; i++)
        if (is_first_of_its_part(p, from, i))
            gather_part(&all, p, from, i, since);
    for (size_t i = 0; i < to->count; i++)
        scatter(p, &all, to->items[i]);
    vec_dispose(&all);
}
