/* SPDX-License-Identifier: Apache-2.0
 *
 * A table from keys to values, both of them bytes, in the order in which the keys came in.
 *
 * A value lives in the table until it is removed or the table disposed of, and does not move. It is
 * named by its pointer, which the functions at the end take. Aligned for anything; the key behind
 * it for what the value's size allows.
 */
#pragma once

#include <stddef.h>

struct hash_entry;

/* Of zeroes: empty. */
struct hash_table {
    struct hash_entry *entries;
};

/* NULL: it is not there. All bytes of a key count, also padding. */
void *hash_table_find(const struct hash_table *table, const void *key, size_t key_bytes);
void *hash_table_find_text(const struct hash_table *table, const char *key);

/* The value, of zeroes where the key was not there. The key is copied, a text with its end. */
void *hash_table_add(struct hash_table *table, const void *key, size_t key_bytes,
                     size_t value_bytes);
void *hash_table_add_text(struct hash_table *table, const char *key, size_t value_bytes);

void hash_table_remove(struct hash_table *table, void *value);

/* Frees the values, but not what they point to. */
void hash_table_dispose(struct hash_table *table);

/* NULL: there is none. */
void *hash_table_first(const struct hash_table *table);
void *hash_table_next(const void *value);

const void *hash_table_key(const void *value);
