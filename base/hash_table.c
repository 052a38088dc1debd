/* SPDX-License-Identifier: Apache-2.0
 *
 * uthash (T. D. Hanson), of which this is the only user: an entry is its handle, the value and the
 * key. Its own hash (R. Jenkins) takes bytes one by one where their number is not known to the
 * compiler, which made generating a skeleton of AMG 5 % slower; words are several times as fast.
 */
#include "base/hash_table.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HASH_FUNCTION(key, bytes, out) ((out) = hash_of(key, bytes))
#include <uthash.h>

struct hash_entry {
    UT_hash_handle hh;
    _Alignas(max_align_t) char value[];
};

static uint64_t mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    return hash ^ hash >> 32;
}

/* Once more at the end: by one round the last byte of a word reaches the upper bits only, and
 * uthash doubles its table until each of ten such keys has a place of its own. */
static unsigned hash_of(const void *key, size_t bytes) {
    const unsigned char *at = key;
    uint64_t hash = bytes;
    for (; bytes > 0; at += 8, bytes -= bytes < 8 ? bytes : 8) {
        uint64_t word = 0;
        if (bytes >= 8)
            memcpy(&word, at, 8);
        else
            memcpy(&word, at, bytes);
        hash = mixed(hash, word);
    }
    return (unsigned)mixed(hash, 0);
}

static struct hash_entry *entry_of(const void *value) {
    return (struct hash_entry *)((char *)value - offsetof(struct hash_entry, value));
}

static void *value_of(struct hash_entry *entry) {
    return entry != NULL ? entry->value : NULL;
}

void *hash_table_find(const struct hash_table *table, const void *key, size_t key_bytes) {
    struct hash_entry *entry;
    HASH_FIND(hh, table->entries, key, key_bytes, entry);
    return value_of(entry);
}

/* `end_bytes` of the key, behind those that count, are copied as well. */
static void *add(struct hash_table *table, const void *key, size_t key_bytes, size_t end_bytes,
                 size_t value_bytes) {
    struct hash_entry *entry;
    unsigned hash;
    HASH_VALUE(key, key_bytes, hash);
    HASH_FIND_BYHASHVALUE(hh, table->entries, key, key_bytes, hash, entry);
    if (entry != NULL)
        return entry->value;
    entry = xmalloc(sizeof *entry + value_bytes + key_bytes + end_bytes);
    memset(entry->value, 0, value_bytes);
    char *copy = memcpy(entry->value + value_bytes, key, key_bytes + end_bytes);
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, table->entries, copy, key_bytes, hash, entry);
    return entry->value;
}

void *hash_table_add(struct hash_table *table, const void *key, size_t key_bytes,
                     size_t value_bytes) {
    return add(table, key, key_bytes, 0, value_bytes);
}

void *hash_table_find_text(const struct hash_table *table, const char *key) {
    return hash_table_find(table, key, strlen(key));
}

void *hash_table_add_text(struct hash_table *table, const char *key, size_t value_bytes) {
    return add(table, key, strlen(key), 1, value_bytes);
}

void hash_table_remove(struct hash_table *table, void *value) {
    struct hash_entry *entry = entry_of(value);
    HASH_DEL(table->entries, entry);
    free(entry);
}

void hash_table_dispose(struct hash_table *table) {
    struct hash_entry *entry, *next;
    HASH_ITER(hh, table->entries, entry, next) {
        HASH_DEL(table->entries, entry);
        free(entry);
    }
}

void *hash_table_first(const struct hash_table *table) {
    return value_of(table->entries);
}

void *hash_table_next(const void *value) {
    return value_of(entry_of(value)->hh.next);
}

const void *hash_table_key(const void *value) {
    return entry_of(value)->hh.key;
}
