/* SPDX-License-Identifier: Apache-2.0
 *
 * See pointsto_sets.h.
 */
#include "skeletonizer/pointsto/pointsto_sets.h"

#include <stdlib.h>
#include <string.h>

#define UNION_BITS 17
#define UNIONS (1 << UNION_BITS)
#define SIZE_LEAST 16000000 /* before anything is collected */

static const int_list nothing;

void sets_dispose(struct location_sets *sets) {
    for (size_t i = 0; i < sets->sets.count; i++)
        if (sets->sets.items[i] != NULL) {
            vec_dispose(&sets->sets.items[i]->items);
            free(sets->sets.items[i]);
        }
    vec_dispose(&sets->sets);
    vec_dispose(&sets->unused);
    free(sets->table);
    free(sets->unions);
}

const int_list *sets_items(const struct location_sets *sets, int set) {
    return set > 0 ? &sets->sets.items[set]->items : &nothing;
}

static void enter(struct location_sets *sets, int set) {
    size_t at = sets->sets.items[set]->hash & (sets->table_size - 1);
    while (sets->table[at] >= 0)
        at = (at + 1) & (sets->table_size - 1);
    sets->table[at] = set;
    sets->filled++;
}

static void make_table(struct location_sets *sets, size_t size) {
    free(sets->table);
    sets->table = xmalloc(size * sizeof *sets->table);
    memset(sets->table, 0xff, size * sizeof *sets->table);
    sets->table_size = size;
    sets->filled = 0;
    for (size_t i = 1; i < sets->sets.count; i++)
        if (sets->sets.items[i] != NULL)
            enter(sets, (int)i);
}

static void make_room(struct location_sets *sets) {
    if (sets->sets.count == 0)
        vec_push(&sets->sets, NULL); /* of the empty set */
    if (2 * (sets->filled + 1) > sets->table_size)
        make_table(sets, sets->table_size > 0 ? 2 * sets->table_size : 1024);
}

static bool are_same(const int_list *one, const int_list *other) {
    return one->count == other->count &&
           memcmp(one->items, other->items, one->count * sizeof *one->items) == 0;
}

/* Takes over the list, which is not empty. */
static int make(struct location_sets *sets, int_list *items) {
    unsigned long long hash = int_list_hash(items);
    make_room(sets);
    for (size_t at = hash & (sets->table_size - 1); sets->table[at] >= 0;
         at = (at + 1) & (sets->table_size - 1)) {
        const struct location_set *known = sets->sets.items[sets->table[at]];
        if (known->hash == hash && are_same(&known->items, items)) {
            vec_dispose(items);
            return sets->table[at];
        }
    }
    struct location_set *set = xmalloc(sizeof *set);
    *set = (struct location_set){.items = *items, .hash = hash};
    int id = (int)sets->sets.count;
    if (sets->unused.count > 0) {
        id = sets->unused.items[--sets->unused.count];
        sets->sets.items[id] = set;
    } else {
        vec_push(&sets->sets, set);
    }
    sets->size += items->count;
    enter(sets, id);
    return id;
}

int sets_with(struct location_sets *sets, int set, const int_list *items) {
    int_list both = {0};
    return int_list_join(&both, sets_items(sets, set), items) ? make(sets, &both) : set;
}

int sets_with_one(struct location_sets *sets, int set, int item) {
    return sets_with(sets, set, &(int_list){.items = &item, .count = 1});
}

static void forget_unions(struct location_sets *sets) {
    if (sets->unions == NULL)
        sets->unions = xmalloc(UNIONS * sizeof *sets->unions);
    memset(sets->unions, 0, UNIONS * sizeof *sets->unions);
}

int sets_union(struct location_sets *sets, int one, int other) {
    if (one == other || other == 0)
        return one;
    if (one == 0)
        return other;
    if (sets->unions == NULL)
        forget_unions(sets);
    unsigned long long key = ((unsigned long long)one << 32 | (unsigned)other);
    struct known_union *known = &sets->unions[key * 0x9e3779b97f4a7c15ull >> (64 - UNION_BITS)];
    if (known->one != one || known->other != other)
        *known = (struct known_union){one, other, sets_with(sets, one, sets_items(sets, other))};
    return known->both;
}

bool sets_are_many(const struct location_sets *sets) {
    return sets->size > (sets->size_most > 0 ? sets->size_most : SIZE_LEAST);
}

void sets_collect(struct location_sets *sets, const int *const *used, const size_t *counts,
                  size_t count) {
    for (size_t i = 1; i < sets->sets.count; i++)
        if (sets->sets.items[i] != NULL)
            sets->sets.items[i]->is_used = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < counts[i]; k++)
            if (used[i][k] > 0)
                sets->sets.items[used[i][k]]->is_used = true;
    for (size_t i = 1; i < sets->sets.count; i++) {
        struct location_set *set = sets->sets.items[i];
        if (set == NULL || set->is_used)
            continue;
        sets->size -= set->items.count;
        vec_dispose(&set->items);
        free(set);
        sets->sets.items[i] = NULL;
        vec_push(&sets->unused, (int)i);
    }
    make_table(sets, sets->table_size);
    forget_unions(sets);
    sets->size_most = 2 * sets->size > SIZE_LEAST ? 2 * sets->size : SIZE_LEAST;
}
