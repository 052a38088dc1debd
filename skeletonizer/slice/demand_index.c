/* SPDX-License-Identifier: Apache-2.0
 *
 * Linear probing. What came in last is in nobody's way, so that its slot just becomes free. Demands
 * that are known by their subject alone are in arrays by it, which the processor's caches hold: the
 * table has one of several times their size. For each function there is a bit for each object of
 * which its chain is demanded, since that is asked for most often where pointers lead anywhere.
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

/* Known by its subject alone. */
static bool is_direct(enum demand_kind kind, int detail) {
    return detail == 0 && (kind == DEMAND_NODE || kind == DEMAND_JUMP || kind == DEMAND_CALL ||
                           kind == DEMAND_VALUE || kind == DEMAND_DECLARE);
}

/* Of such a demand: its place + 1. */
static int *direct_place(struct demand_index *index, const struct demand *demand) {
    while (index->direct[demand->kind].count <= (size_t)demand->subject)
        vec_push(&index->direct[demand->kind], 0);
    return &index->direct[demand->kind].items[demand->subject];
}

static int find_direct(const struct demand_index *index, enum demand_kind kind, int subject) {
    return (size_t)subject < index->direct[kind].count ? index->direct[kind].items[subject] - 1
                                                       : -1;
}

static bool has_chain(const struct demand_index *index, int function, int object) {
    if ((size_t)function >= index->chains.count ||
        (size_t)object / 64 >= index->chains.items[function].count)
        return false;
    return index->chains.items[function].items[object / 64] >> (object % 64) & 1;
}

static void set_chain(struct demand_index *index, int function, int object, bool is_demanded) {
    uint64_t bit = (uint64_t)1 << (object % 64);
    while (index->chains.count <= (size_t)function)
        vec_push(&index->chains, (struct chain_bits){0});
    struct chain_bits *bits = &index->chains.items[function];
    while (bits->count <= (size_t)object / 64)
        vec_push(bits, 0);
    bits->items[object / 64] =
        is_demanded ? bits->items[object / 64] | bit : bits->items[object / 64] & ~bit;
}

int demand_index_find(const struct demand_index *index, const struct demand *demands,
                      enum demand_kind kind, int subject, int detail) {
    if (is_direct(kind, detail))
        return find_direct(index, kind, subject);
    if (index->capacity == 0 || (kind == DEMAND_CHAIN && !has_chain(index, subject, detail)))
        return -1;
    return index->slots[slot_of(index, demands, (int)kind, subject, detail)];
}

bool demand_index_has(const struct demand_index *index, const struct demand *demands,
                      enum demand_kind kind, int subject, int detail) {
    return kind == DEMAND_CHAIN ? has_chain(index, subject, detail)
                                : demand_index_find(index, demands, kind, subject, detail) >= 0;
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
        if (!is_direct(demands[i].kind, demands[i].detail))
            put(index, demands, i);
}

void demand_index_add(struct demand_index *index, const struct demand *demands, size_t count) {
    const struct demand *last = &demands[count - 1];
    if (is_direct(last->kind, last->detail)) {
        *direct_place(index, last) = (int)count;
        return;
    }
    if (last->kind == DEMAND_CHAIN)
        set_chain(index, last->subject, last->detail, true);
    if (2 * ++index->count > index->capacity)
        enlarge(index, demands, count);
    else
        put(index, demands, count - 1);
}

void demand_index_remove(struct demand_index *index, const struct demand *demands, size_t count) {
    const struct demand *last = &demands[count - 1];
    if (is_direct(last->kind, last->detail)) {
        *direct_place(index, last) = 0;
        return;
    }
    if (last->kind == DEMAND_CHAIN)
        set_chain(index, last->subject, last->detail, false);
    index->slots[slot_of(index, demands, (int)last->kind, last->subject, last->detail)] = -1;
    index->count--;
}

void demand_index_dispose(struct demand_index *index) {
    for (size_t i = 0; i < DEMAND_KINDS; i++)
        vec_dispose(&index->direct[i]);
    for (size_t i = 0; i < index->chains.count; i++)
        vec_dispose(&index->chains.items[i]);
    vec_dispose(&index->chains);
    free(index->slots);
    *index = (struct demand_index){0};
}
