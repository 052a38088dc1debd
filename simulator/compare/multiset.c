/* SPDX-License-Identifier: Apache-2.0
 *
 * See multiset.h.
 */
#include "simulator/compare/multiset.h"

#include <stdlib.h>

/* By the call's text. */
struct multiset_entry {
    unsigned long long counts[SIDE_COUNT];
    char *places[SIDE_COUNT]; /* of the first call; NULL: none */
};

void multiset_add(struct multiset *set, enum verify_side side, const char *text,
                  const char *place) {
    struct multiset_entry *entry = hash_table_add_text(&set->calls, text, sizeof *entry);
    if (entry->counts[side]++ == 0)
        entry->places[side] = xstrdup(place);
}

static bool differs(const struct multiset_entry *entry) {
    return entry->counts[SIDE_ORIGINAL] != entry->counts[SIDE_SKELETON];
}

size_t multiset_differences(const struct multiset *set) {
    size_t count = 0;
    for (const struct multiset_entry *entry = hash_table_first(&set->calls); entry != NULL;
         entry = hash_table_next(entry))
        count += differs(entry);
    return count;
}

void multiset_list(const struct multiset *set, struct arena *arena, struct count_difference *out,
                   size_t capacity) {
    size_t count = 0;
    for (const struct multiset_entry *entry = hash_table_first(&set->calls);
         entry != NULL && count < capacity; entry = hash_table_next(entry)) {
        if (!differs(entry))
            continue;
        out[count].text = arena_strdup(arena, hash_table_key(entry));
        for (int side = 0; side < SIDE_COUNT; side++) {
            const char *place = entry->places[side];
            out[count].counts[side] = entry->counts[side];
            out[count].places[side] = place != NULL ? arena_strdup(arena, place) : NULL;
        }
        count++;
    }
}

void multiset_dispose(struct multiset *set) {
    for (struct multiset_entry *entry = hash_table_first(&set->calls); entry != NULL;
         entry = hash_table_next(entry)) {
        free(entry->places[SIDE_ORIGINAL]);
        free(entry->places[SIDE_SKELETON]);
    }
    hash_table_dispose(&set->calls);
}
