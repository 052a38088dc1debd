/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table of nodes that the caller allocates, each beginning with struct trace_node. All in
 * this header, since the runtimes have such tables of their own.
 */
#ifndef ANALYSIS_WRITER_TRACE_TABLE_H
#define ANALYSIS_WRITER_TRACE_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct trace_node {
    struct trace_node *next; /* with the same place */
    uint64_t hash;
};

/* Of zeroes: empty. */
struct trace_table {
    struct trace_node **places;
    size_t capacity, count; /* capacity: a power of two */
};

/* The first node with the hash; the next one behind that; NULL: there are no more. Who looks
 * compares keys, unless the hash is the key. */
static inline struct trace_node *trace_table_find(const struct trace_table *table, uint64_t hash) {
    struct trace_node *node =
        table->capacity > 0 ? table->places[hash & (table->capacity - 1)] : NULL;
    while (node != NULL && node->hash != hash)
        node = node->next;
    return node;
}

static inline struct trace_node *trace_table_after(const struct trace_node *after) {
    struct trace_node *node = after->next;
    while (node != NULL && node->hash != after->hash)
        node = node->next;
    return node;
}

static inline bool trace_table_grow(struct trace_table *table) {
    size_t capacity = table->capacity > 0 ? table->capacity * 2 : 64;
    struct trace_node **places = calloc(capacity, sizeof *places);
    if (places == NULL)
        return false;
    for (size_t i = 0; i < table->capacity; i++)
        for (struct trace_node *node = table->places[i], *next; node != NULL; node = next) {
            next = node->next;
            node->next = places[node->hash & (capacity - 1)];
            places[node->hash & (capacity - 1)] = node;
        }
    free(table->places);
    table->places = places;
    table->capacity = capacity;
    return true;
}

/* False: out of memory, and the node is not in. */
static inline bool trace_table_add(struct trace_table *table, struct trace_node *node,
                                   uint64_t hash) {
    if (table->count >= table->capacity && !trace_table_grow(table))
        return false;
    struct trace_node **place = &table->places[hash & (table->capacity - 1)];
    node->hash = hash;
    node->next = *place;
    *place = node;
    table->count++;
    return true;
}

static inline void trace_table_remove(struct trace_table *table, const struct trace_node *node) {
    struct trace_node **place = &table->places[node->hash & (table->capacity - 1)];
    while (*place != node)
        place = &(*place)->next;
    *place = node->next;
    table->count--;
}

/* Frees the nodes, too; `dispose` (or NULL) what they point to. */
static inline void trace_table_dispose(struct trace_table *table,
                                       void (*dispose)(struct trace_node *node)) {
    for (size_t i = 0; i < table->capacity; i++)
        for (struct trace_node *node = table->places[i], *next; node != NULL; node = next) {
            next = node->next;
            if (dispose != NULL)
                dispose(node);
            free(node);
        }
    free(table->places);
    *table = (struct trace_table){0};
}

#endif
