/* SPDX-License-Identifier: Apache-2.0
 *
 * From hashes to numbers: definitions get theirs in the order in which they come, and equal ones
 * the same. Two different ones with the same hash are taken for one, which happens once in some
 * 10^19 pairs.
 */
#ifndef ANALYSIS_WRITER_TRACE_NUMBERS_H
#define ANALYSIS_WRITER_TRACE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing; of zeroes it is empty. */
struct trace_numbers {
    struct trace_numbered {
        uint64_t hash;
        uint32_t number; /* plus 1; 0: free */
    } *slots;
    size_t capacity, count;
};

/* UINT32_MAX: it is not there. */
uint32_t trace_numbers_find(const struct trace_numbers *numbers, uint64_t hash);
/* False: out of memory. */
bool trace_numbers_insert(struct trace_numbers *numbers, uint64_t hash, uint32_t number);
void trace_numbers_dispose(struct trace_numbers *numbers);

/* Room for one more item of an array. False: out of memory. */
bool trace_array_reserve(void **items, uint32_t *capacity, uint32_t count, size_t size);

/* Of a text, mixed into the seed. */
uint64_t trace_text_hash(uint64_t seed, const char *text);

#endif
