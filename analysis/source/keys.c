/* SPDX-License-Identifier: Apache-2.0
 *
 * The table doubles when it is half full, which keeps probes short.
 */
#include "analysis/source/keys.h"

#include <string.h>

#define FIRST_SLOTS 64
#define MOST_KEYS (1 << 26) /* as many as elements of an array */

static size_t slot_of(const struct events_keys *keys, union event_value key) {
    uint64_t hash = (uint64_t)key.i * 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    return (size_t)(hash ^ hash >> 32) & (keys->slot_count - 1);
}

static size_t probe(const struct events_keys *keys, union event_value key) {
    size_t slot = slot_of(keys, key);
    while (keys->slots[slot] >= 0 && keys->by_number.items[keys->slots[slot]].i != key.i)
        slot = (slot + 1) & (keys->slot_count - 1);
    return slot;
}

long events_keys_find(const struct events_keys *keys, union event_value key) {
    return keys->slot_count == 0 ? -1 : keys->slots[probe(keys, key)];
}

static void resize(struct events_keys *keys, size_t slot_count) {
    int32_t *old = keys->slots;
    size_t old_count = keys->slot_count;
    keys->slots = xmalloc(slot_count * sizeof *keys->slots);
    keys->slot_count = slot_count;
    memset(keys->slots, 0xff, slot_count * sizeof *keys->slots);
    for (size_t i = 0; i < old_count; i++)
        if (old[i] >= 0)
            keys->slots[probe(keys, keys->by_number.items[old[i]])] = old[i];
    free(old);
}

static int32_t new_number(struct events_keys *keys, union event_value key) {
    int32_t number = (int32_t)keys->by_number.count;
    if (keys->free_numbers.count > 0) {
        number = keys->free_numbers.items[--keys->free_numbers.count];
        keys->by_number.items[number] = key;
        keys->is_used.items[number] = true;
        return number;
    }
    vec_push(&keys->by_number, key);
    vec_push(&keys->is_used, true);
    return number;
}

long events_keys_add(struct events_keys *keys, union event_value key) {
    if (2 * keys->used >= keys->slot_count)
        resize(keys, keys->slot_count == 0 ? FIRST_SLOTS : 2 * keys->slot_count);
    size_t slot = probe(keys, key);
    if (keys->slots[slot] >= 0)
        return keys->slots[slot];
    if (keys->used == MOST_KEYS)
        return -1;
    keys->used++;
    return keys->slots[slot] = new_number(keys, key);
}

void events_keys_remove(struct events_keys *keys, long number) {
    size_t mask = keys->slot_count - 1, hole = probe(keys, keys->by_number.items[number]);
    keys->used--;
    for (size_t at = (hole + 1) & mask; keys->slots[at] >= 0; at = (at + 1) & mask) {
        size_t home = slot_of(keys, keys->by_number.items[keys->slots[at]]);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            keys->slots[hole] = keys->slots[at];
            hole = at;
        }
    }
    keys->slots[hole] = -1;
    keys->is_used.items[number] = false;
}

void events_keys_release(struct events_keys *keys, long number) {
    vec_push(&keys->free_numbers, (int32_t)number);
}

void events_keys_clear(struct events_keys *keys) {
    if (keys->slot_count > 0)
        memset(keys->slots, 0xff, keys->slot_count * sizeof *keys->slots);
    keys->used = keys->by_number.count = keys->is_used.count = keys->free_numbers.count = 0;
}

void events_keys_dispose(struct events_keys *keys) {
    free(keys->slots);
    vec_dispose(&keys->by_number);
    vec_dispose(&keys->is_used);
    vec_dispose(&keys->free_numbers);
}
