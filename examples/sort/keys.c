/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys on one rank. The generator is a linear congruential one modulo 2^64 (Knuth's MMIX
 * constants) that can jump to any place of its sequence, so that the keys do not depend on the
 * number of ranks. A key is the mean of four uniform numbers: keys crowd in the middle, buckets are
 * unevenly full, and who sends how much to whom depends on the keys. In and out: plain arrays.
 */
#include "keys.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MULTIPLIER UINT64_C(6364136223846793005)
#define INCREMENT UINT64_C(1442695040888963407)
#define SEED UINT64_C(314159265)
#define DRAWS_PER_KEY 4

int int_array_reserve(struct int_array *array, size_t count) {
    if (count <= array->capacity)
        return 0;
    free(array->data);
    array->capacity = 0;
    array->data = malloc(count * sizeof(int));
    if (array->data == NULL)
        return -1;
    array->capacity = count;
    return 0;
}

/* The state `steps` steps after `state`: squares the map x -> a x + c once per bit. */
static uint64_t jump(uint64_t state, uint64_t steps) {
    uint64_t a = MULTIPLIER, c = INCREMENT;
    for (; steps > 0; steps >>= 1) {
        if (steps & 1)
            state = a * state + c;
        c = (a + 1) * c;
        a = a * a;
    }
    return state;
}

void keys_generate(int *keys, int count, long first) {
    uint64_t state = jump(SEED, (uint64_t)first * DRAWS_PER_KEY);
    for (int i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int draw = 0; draw < DRAWS_PER_KEY; draw++) {
            state = MULTIPLIER * state + INCREMENT;
            sum += state >> (64 - LOG2_MAX_KEY);
        }
        keys[i] = (int)(sum / DRAWS_PER_KEY);
    }
}

void keys_histogram(int *counts, const int *keys, int count) {
    memset(counts, 0, BUCKETS * sizeof(int));
    for (int i = 0; i < count; i++)
        counts[BUCKET_OF(keys[i])]++;
}

void keys_group(int *out, const int *keys, int count, const int *counts) {
    int next[BUCKETS];
    next[0] = 0;
    for (int b = 1; b < BUCKETS; b++)
        next[b] = next[b - 1] + counts[b - 1];
    for (int i = 0; i < count; i++)
        out[next[BUCKET_OF(keys[i])]++] = keys[i];
}

int keys_sort(int *keys, int count, int first, int end, struct int_array *scratch) {
    size_t range = (size_t)(end - first);
    if (int_array_reserve(scratch, range) != 0)
        return -1;
    int *occurrences = scratch->data;
    if (range > 0)
        memset(occurrences, 0, range * sizeof(int));
    for (int i = 0; i < count; i++)
        occurrences[keys[i] - first]++;
    int *out = keys;
    for (int key = first; key < end; key++)
        for (int n = occurrences[key - first]; n > 0; n--)
            *out++ = key;
    return 0;
}
