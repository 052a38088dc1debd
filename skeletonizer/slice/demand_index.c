/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear probing. What came in last is in nobody's way, so that its slot just becomes free.
 *
 * A table of its own beside base/hash_table: with that one, generating a skeleton of AMG (83 units)
 * takes a third more processor time, since an entry there is another place in memory than the
 * demand, and is looked for through a chain.
 */
#include "skeletonizer/slice/demand_index.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_CAPACITY 1024

static size_t hash(int kind, int subject, int detail) {
    uint64_t x = (uint64_t)(unsigned)subject << 32 | (unsigned)detail;
    x = (x ^ (uint64_t)kind << 59 ^ (uint64_t)kind << 28) * 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9U;
    return (size_t)(x ^ x >> 32);
}

/* The slot that holds it, or the free one where it would be. */
static size_t slot_of(const struct demand_index *index, const struct demand *demands, int kind,
                      int subject, int detail) {
    size_t at = hash(kind, subject, detail) & (index->capacity - 1);
    for (; index->slots[at] >= 0; at = (at + 1) & (index->capacity - 1)) {
        const struct demand *demand = &demands[index->slots[at]];
        if (demand->subject == subject && demand->detail == detail && (int)demand->kind == kind)
            break;
    }
    return at;
}

int demand_index_find(const struct demand_index *index, const struct demand *demands,
                      enum demand_kind kind, int subject, int detail) {
    if (index->capacity == 0)
        return -1;
    return index->slots[slot_of(index, demands, (int)kind, subject, detail)];
}

static void put(struct demand_index *index, const struct demand *demands, size_t place) {
    const struct demand *demand = &demands[place];
    index->slots[slot_of(index, demands, (int)demand->kind, demand->subject, demand->detail)] =
        (int)place;
}

/* In their order, which makes the last one the last one again. */
static void enlarge(struct demand_index *index, const struct demand *demands, size_t count) {
    index->capacity = index->capacity > 0 ? 2 * index->capacity : FIRST_CAPACITY;
    index->slots = xrealloc(index->slots, index->capacity * sizeof *index->slots);
    for (size_t i = 0; i < index->capacity; i++)
        index->slots[i] = -1;
    for (size_t i = 0; i < count; i++)
        put(index, demands, i);
}

void demand_index_add(struct demand_index *index, const struct demand *demands, size_t count) {
    if (2 * count > index->capacity)
        enlarge(index, demands, count);
    else
        put(index, demands, count - 1);
}

void demand_index_remove(struct demand_index *index, const struct demand *demands, size_t count) {
    const struct demand *last = &demands[count - 1];
    index->slots[slot_of(index, demands, (int)last->kind, last->subject, last->detail)] = -1;
}

void demand_index_dispose(struct demand_index *index) {
    free(index->slots);
    *index = (struct demand_index){0};
}
