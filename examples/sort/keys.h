/* SPDX-License-Identifier: Apache-2.0
 *
 * The local side of the sort: random keys, buckets of keys, and sorting by counting.
 */
#ifndef SORT_KEYS_H
#define SORT_KEYS_H

#include <stddef.h>

#define LOG2_MAX_KEY 19
#define LOG2_BUCKETS 10
#define MAX_KEY (1 << LOG2_MAX_KEY)
#define BUCKETS (1 << LOG2_BUCKETS)
#define BUCKET_OF(key) ((key) >> (LOG2_MAX_KEY - LOG2_BUCKETS))
#define FIRST_KEY_OF(bucket) ((bucket) << (LOG2_MAX_KEY - LOG2_BUCKETS))

/* An array of int that grows on demand; zero-initialised it is empty. */
struct int_array {
    int *data;
    size_t capacity;
};

/* 0, or -1 when memory is short. The old contents are lost. */
int int_array_reserve(struct int_array *array, size_t count);

/* Keys number [first, first + count) of the one sequence that all ranks share. */
void keys_generate(int *keys, int count, long first);

/* counts[b] = how many keys are in bucket b. */
void keys_histogram(int *counts, const int *keys, int count);

/* Copies keys to `out` in the order of their buckets. `counts` is their histogram. */
void keys_group(int *out, const int *keys, int count, const int *counts);

/* Sorts keys in [first, end) by counting them. 0, or -1 when memory is short. */
int keys_sort(int *keys, int count, int first, int end, struct int_array *scratch);

#endif
