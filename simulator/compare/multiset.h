/* SPDX-License-Identifier: Apache-2.0
 *
 * How often each side made each call: a hash table from a call's text to two counts.
 *
 * In: calls in any order. Out: the texts whose counts differ, in the order in which they first came
 * up, so that the answer does not depend on hashing. Memory: each distinct text once.
 */
#ifndef SIMULATOR_COMPARE_MULTISET_H
#define SIMULATOR_COMPARE_MULTISET_H

#include "base/hash_table.h"
#include "simulator/compare/verify.h"

struct multiset {
    struct hash_table calls;
};

void multiset_add(struct multiset *set, enum verify_side side, const char *text, const char *place);

/* The number of texts whose counts differ. */
size_t multiset_differences(const struct multiset *set);

/* The first `capacity` of them, copied into the arena. */
void multiset_list(const struct multiset *set, struct arena *arena, struct count_difference *out,
                   size_t capacity);

void multiset_dispose(struct multiset *set);

#endif
