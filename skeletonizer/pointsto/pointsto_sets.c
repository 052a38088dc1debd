/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/pointsto/pointsto_sets.h"

#include <stdlib.h>
#include <string.h>

#define UNION_BITS 17
#define UNIONS (1 << UNION_BITS)
#define SIZE_LEAST 16000000 /* before anything is collected */

static const int_list nothing;

void sets_dispose(struct location_sets *sets) {
    vec_dispose(&sets->sets);
    vec_dispose(&sets->unused);
    hash_table_dispose(&sets->table);
    free(sets->unions);
}

const int_list *sets_items(const struct location_sets *sets, int set) {
    return set > 0 ? &sets->sets.items[set]->items : &nothing;
}

static int free_id(struct location_sets *sets) {
    if (sets->unused.count > 0)
        return sets->unused.items[--sets->unused.count];
    if (sets->sets.count == 0)
        vec_push(&sets->sets, NULL); /* of the empty set */
    vec_push(&sets->sets, NULL);
    return (int)sets->sets.count - 1;
}

/* Of a list that is not empty. */
static int make(struct location_sets *sets, const int_list *items) {
    struct location_set *set = hash_table_add(&sets->table, items->items,
                                              items->count * sizeof *items->items, sizeof *set);
    if (set->id > 0)
        return set->id;
    set->items.items = (int *)hash_table_key(set);
    set->items.count = items->count;
    set->id = free_id(sets);
    sets->sets.items[set->id] = set;
    sets->size += items->count;
    return set->id;
}

int sets_with(struct location_sets *sets, int set, const int_list *items) {
    int_list both = {0};
    if (int_list_join(&both, sets_items(sets, set), items))
        set = make(sets, &both);
    vec_dispose(&both);
    return set;
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
        hash_table_remove(&sets->table, set);
        sets->sets.items[i] = NULL;
        vec_push(&sets->unused, (int)i);
    }
    forget_unions(sets);
    sets->size_most = 2 * sets->size > SIZE_LEAST ? 2 * sets->size : SIZE_LEAST;
}
