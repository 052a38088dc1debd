/* SPDX-License-Identifier: Apache-2.0
 *
 * See eval_index.h. A hash table with open addressing that is never more than half full.
 */
#include "model/eval/eval_index.h"

#include "model/eval/eval_value.h"
#include "model/eval/splitmix.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash(const struct bsim_index *index, const double *vector) {
    uint64_t sum = 0;
    for (int i = 0; i < index->place_count; i++) {
        double number = vector[index->places[i]] + 0.0; /* -0 becomes 0 */
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        sum = bsim_splitmix(sum ^ bits);
    }
    return sum;
}

static int is_same(const struct bsim_index *index, const double *left, const double *right) {
    int same = 0;
    while (same < index->place_count && left[index->places[same]] == right[index->places[same]])
        same++;
    return same == index->place_count;
}

/* Where the vector is, or where it would be. */
static size_t slot_of(const struct bsim_index *index, const struct bsim_value_seen *seen,
                      const double *vector) {
    size_t slot = (size_t)hash(index, vector) & (index->capacity - 1);
    while (index->slots[slot] != 0 && !is_same(index, seen[index->slots[slot] - 1].vector, vector))
        slot = (slot + 1) & (index->capacity - 1);
    return slot;
}

int bsim_index_make(struct bsim_index *out, const struct bsim_value_seen *seen, int count,
                    const int *places, int place_count) {
    size_t capacity = 2;
    while (capacity < 2 * (size_t)count + 2)
        capacity *= 2;
    *out = (struct bsim_index){.capacity = capacity, .places = places, .place_count = place_count};
    out->slots = calloc(capacity, sizeof *out->slots);
    if (out->slots == NULL)
        return -1;
    for (int i = 0; i < count; i++) {
        size_t slot = slot_of(out, seen, seen[i].vector);
        if (out->slots[slot] == 0)
            out->slots[slot] = i + 1;
    }
    return 0;
}

const struct bsim_value_seen *bsim_index_find(const struct bsim_index *index,
                                              const struct bsim_value_seen *seen,
                                              const double *vector) {
    if (index->slots == NULL)
        return NULL;
    int found = index->slots[slot_of(index, seen, vector)];
    return found != 0 ? &seen[found - 1] : NULL;
}

void bsim_index_dispose(struct bsim_index *index) {
    free(index->slots);
    index->slots = NULL;
}
