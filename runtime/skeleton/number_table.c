/* SPDX-License-Identifier: Apache-2.0
 *
 * See number_table.h.
 */
#include "runtime/skeleton/number_table.h"

#include "runtime/common/hashes.h"
#include "runtime/smpi/runtime.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 8 /* each rank may have one */

static bool is_same(const struct bsim__numbered *item, const double *key, int count) {
    bool same = item->key_count == count;
    for (int i = 0; i < count && same; i++)
        same = item->key[i] == key[i];
    return same;
}

static size_t slot_of(const struct bsim__number_table *table, const double *key, int count) {
    size_t slot = (size_t)bsim__hash_numbers(key, count) & (table->capacity - 1);
    while (table->slots[slot] != NULL && !is_same(table->slots[slot], key, count))
        slot = (slot + 1) & (table->capacity - 1);
    return slot;
}

static void enlarge(struct bsim__number_table *table) {
    struct bsim__number_table old = *table;
    table->capacity = old.capacity > 0 ? 2 * old.capacity : FIRST_CAPACITY;
    table->slots = bsim__grow(NULL, 0, table->capacity * sizeof(struct bsim__numbered *));
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i] != NULL)
            table->slots[slot_of(table, old.slots[i]->key, old.slots[i]->key_count)] = old.slots[i];
    free(old.slots);
}

void *bsim__number_table_find(struct bsim__number_table *table, const double *key, int count,
                              size_t item_bytes) {
    if (4 * table->count >= 3 * table->capacity)
        enlarge(table);
    struct bsim__numbered **slot = &table->slots[slot_of(table, key, count)];
    if (*slot != NULL)
        return *slot;
    *slot = bsim__grow(NULL, 0, item_bytes);
    (*slot)->key = bsim__grow(NULL, 0, (size_t)count * sizeof *key);
    memcpy((*slot)->key, key, (size_t)count * sizeof *key);
    (*slot)->key_count = count;
    table->count++;
    return *slot;
}
