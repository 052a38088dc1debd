/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of locations that are made once: equal sets are one, known by its id (0: the empty one), and
 * a union that was formed before is looked up ("hash consing": M. Barbar, Y. Sui, "Hash Consed
 * Points-To Sets", SAS 2021). Large programs have thousands of large sets, most of them equal.
 */
#pragma once

#include "base/hash_table.h"
#include "skeletonizer/pointsto/id_set.h"

struct location_set {
    int_list items; /* ascending; its key in the table */
    int id;         /* 0: it is being made */
    bool is_used;   /* of those that sets_collect looks at */
};

struct known_union {
    int one, other, both;
};

struct location_sets {
    VEC(struct location_set *) sets; /* NULL: collected */
    VEC(int) unused;                 /* ids of those */
    struct hash_table table;         /* location_set, by its items */
    struct known_union *unions;      /* direct-mapped; one == 0: nothing */
    size_t size, size_most;          /* items of all sets; when to collect */
};

void sets_dispose(struct location_sets *sets);

/* Borrowed until the set is collected; never NULL. */
const int_list *sets_items(const struct location_sets *sets, int set);

/* The set with both's locations. */
int sets_union(struct location_sets *sets, int one, int other);

/* The set with those as well; the list is ascending and stays the caller's. */
int sets_with(struct location_sets *sets, int set, const int_list *items);
int sets_with_one(struct location_sets *sets, int set, int item);

/* There is so much that it is time for sets_collect. */
bool sets_are_many(const struct location_sets *sets);

/* Frees all sets whose ids are not among these, and forgets the unions. */
void sets_collect(struct location_sets *sets, const int *const *used, const size_t *counts,
                  size_t count);
