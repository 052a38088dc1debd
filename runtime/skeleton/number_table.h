/* SPDX-License-Identifier: Apache-2.0
 *
 * Items by rows of numbers: a hash table (open addressing, a power of two slots). Linked into
 * skeletons only.
 */
#pragma once

#include <stddef.h>

/* The first member of an item. */
struct bsim__numbered {
    double *key;
    int key_count;
};

/* Zeroed, it is empty. */
struct bsim__number_table {
    struct bsim__numbered **slots;
    size_t capacity, count;
};

/* The item with these numbers; a new one has so many bytes, all zero but for its key. It stays
 * where it is. */
void *bsim__number_table_find(struct bsim__number_table *table, const double *key, int count,
                              size_t item_bytes);
