/* SPDX-License-Identifier: Apache-2.0
 *
 * uthash, which keeps entries in the order of insertion; see multiset.h. This is the one file of
 * this folder that includes its header.
 */
#include "simulator/compare/multiset.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct multiset_entry {
    UT_hash_handle hh;
    unsigned long long counts[SIDE_COUNT];
    char *places[SIDE_COUNT]; /* of the first call; NULL: none */
    char *text;
};

void multiset_add(struct multiset *set, enum verify_side side, const char *text,
                  const char *place) {
    struct multiset_entry *entry = NULL;
    size_t length = strlen(text);
    HASH_FIND(hh, set->entries, text, length, entry);
    if (entry == NULL) {
        entry = xmalloc(sizeof *entry);
        *entry = (struct multiset_entry){.text = xstrdup(text)};
        HASH_ADD_KEYPTR(hh, set->entries, entry->text, length, entry);
    }
    if (entry->counts[side]++ == 0)
        entry->places[side] = xstrdup(place);
}

static bool differs(const struct multiset_entry *entry) {
    return entry->counts[SIDE_ORIGINAL] != entry->counts[SIDE_SKELETON];
}

size_t multiset_differences(const struct multiset *set) {
    size_t count = 0;
    for (const struct multiset_entry *entry = set->entries; entry != NULL; entry = entry->hh.next)
        count += differs(entry);
    return count;
}

void multiset_list(const struct multiset *set, struct arena *arena, struct count_difference *out,
                   size_t capacity) {
    size_t count = 0;
    for (const struct multiset_entry *entry = set->entries; entry != NULL && count < capacity;
         entry = entry->hh.next) {
        if (!differs(entry))
            continue;
        out[count].text = arena_strdup(arena, entry->text);
        for (int side = 0; side < SIDE_COUNT; side++) {
            const char *place = entry->places[side];
            out[count].counts[side] = entry->counts[side];
            out[count].places[side] = place != NULL ? arena_strdup(arena, place) : NULL;
        }
        count++;
    }
}

void multiset_dispose(struct multiset *set) {
    struct multiset_entry *entry, *next;
    HASH_ITER(hh, set->entries, entry, next) {
        HASH_DEL(set->entries, entry);
        free(entry->places[SIDE_ORIGINAL]);
        free(entry->places[SIDE_SKELETON]);
        free(entry->text);
        free(entry);
    }
}
