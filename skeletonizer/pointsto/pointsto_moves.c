/* SPDX-License-Identifier: Apache-2.0
 *
 * See pointsto_moves.h. What is stored in all that is copied is gathered first, by where it lies in
 * what is copied, and then stored in each location: as much work as there are locations, not pairs
 * of them. How many locations an object may have is bounded by what its type or its size tells.
 */
#include "skeletonizer/pointsto/pointsto_moves.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MOST 16384 /* of an allocation that is taken for one record */
#define MEMBERS_MOST 128 /* locations in an object besides the members that its type has */
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

/* What is stored at one location of what is copied: an entry of a table by it. */
struct moved {
    struct location_shift shift;
    int contents; /* a set */
};

static int *contents_at(struct hash_table *all, struct location_shift shift) {
    struct location_shift key;
    memset(&key, 0, sizeof key); /* padding is part of the key */
    key.is_anywhere = shift.is_anywhere;
    key.distance_bytes = shift.distance_bytes;
    key.stride_bytes = shift.stride_bytes;
    key.length_bytes = shift.length_bytes;
    struct moved *moved = hash_table_add(all, &key, sizeof key, sizeof *moved);
    moved->shift = shift;
    return &moved->contents;
}

static void gather_from(struct hash_table *out, struct points_to *p, struct location source,
                        unsigned since) {
    if ((size_t)source.object >= p->cells_of.count)
        return;
    for (size_t i = 0; i < p->cells_of.items[source.object].count; i++) {
        int cell = p->cells_of.items[source.object].items[i];
        struct location at = p->locations.items[cell];
        p->copy_steps++;
        if (p->cell_steps.items[cell] >= since && location_overlap(at, source) &&
            moves_is_first_look(p, cell)) {
            int *contents = contents_at(out, location_shift_of(at, source));
            *contents = sets_union(&p->sets, *contents, p->cells.items[cell]);
        }
    }
}

static void gather(struct hash_table *out, struct points_to *p, struct location source,
                   unsigned since) {
    int object = source.object;
    if (!points_to_has_changed(p, object, since))
        return;
    p->copy_steps++;
    for (size_t i = 0; (source.object = points_to_sharing(p, object, i)) >= 0; i++)
        gather_from(out, p, source, since);
}

/* A list of locations, the same part of different objects in a chain. */
struct part_chains {
    int_list firsts; /* of each chain, in the order of the list: indices of the list */
    int_list next;   /* of each index; -1: it is the last of its chain */
};

static void chain_parts(struct part_chains *out, const struct points_to *p, const int_list *list) {
    struct hash_table lasts = {0}; /* by part: the last index so far, + 1 */
    for (size_t i = 0; i < list->count; i++) {
        const struct location *at = &p->locations.items[list->items[i]];
        const long long part[] = {at->offset_bytes, at->stride_bytes, at->length_bytes};
        int *last = hash_table_add(&lasts, part, sizeof part, sizeof *last);
        vec_push(&out->next, -1);
        if (*last > 0)
            out->next.items[*last - 1] = (int)i;
        else
            vec_push(&out->firsts, (int)i);
        *last = (int)i + 1;
    }
    hash_table_dispose(&lasts);
}

/* Where something is copied from or to, and what of it was so before. */
struct found_locations {
    int_list all, known;
    bool *is_known; /* by index in `all` */
};

static void find_locations(struct found_locations *out, struct points_to *p, struct lvalue lvalue,
                           int known, bool was_solved) {
    points_to_locations(p, lvalue, &out->all);
    if (lvalue.object < 0)
        points_to_locations_of(p, lvalue, known, &out->known);
    else if (was_solved)
        int_list_merge(&out->known, &out->all);
    out->is_known = xcalloc(out->all.count + 1, sizeof *out->is_known);
    for (size_t i = 0, k = 0; i < out->all.count && k < out->known.count; i++) {
        out->is_known[i] = out->all.items[i] == out->known.items[k];
        k += out->is_known[i];
    }
}

static void dispose_found(struct found_locations *found) {
    vec_dispose(&found->all);
    vec_dispose(&found->known);
    free(found->is_known);
}

/* What was stored since then, and all in locations that are new. The same part of many objects:
 * each cell counts once. */
static void gather_all(struct hash_table *out, struct points_to *p,
                       const struct found_locations *from, unsigned since) {
    struct part_chains chains = {0};
    chain_parts(&chains, p, &from->all);
    for (size_t i = 0; i < chains.firsts.count; i++) {
        moves_look_anew(p);
        for (int at = chains.firsts.items[i]; at >= 0; at = chains.next.items[at])
            gather(out, p, p->locations.items[from->all.items[at]], from->is_known[at] ? since : 0);
    }
    vec_dispose(&chains.firsts);
    vec_dispose(&chains.next);
}

/* What is copied within an object, or to others and back, would come to new offsets without end,
 * where the length is not known. */
static void scatter(struct points_to *p, const struct hash_table *all, int location) {
    struct location to = p->locations.items[location];
    for (const struct moved *moved = hash_table_first(all); moved != NULL;
         moved = hash_table_next(moved)) {
        struct location at = location_shifted(to, moved->shift);
        p->copy_steps++;
        points_to_store(p, moves_intern_bounded(p, at, &p->moved, MOVED_MOST), moved->contents);
    }
}

void moves_solve(struct points_to *p, const struct constraint *c, unsigned since, int known_from,
                 int known_to) {
    struct found_locations from = {0}, to = {0};
    struct hash_table latest = {0}, all = {0};
    find_locations(&from, p, c->other, known_from, since > 0);
    find_locations(&to, p, c->lvalue, known_to, since > 0);
    gather_all(&latest, p, &from, since);
    if (to.all.count > to.known.count)
        gather_all(&all, p, &from, 0);
    for (size_t i = 0; i < to.all.count; i++)
        scatter(p, to.is_known[i] ? &latest : &all, to.all.items[i]);
    hash_table_dispose(&latest);
    hash_table_dispose(&all);
    dispose_found(&from);
    dispose_found(&to);
}
