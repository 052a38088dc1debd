/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/writer/trace_numbers.h"

#include "analysis/writer/trace_id.h"

#include <stdlib.h>

static struct trace_numbered *slot_of(const struct trace_numbers *numbers, uint64_t hash) {
    size_t at = hash & (numbers->capacity - 1);
    while (numbers->slots[at].number != 0 && numbers->slots[at].hash != hash)
        at = (at + 1) & (numbers->capacity - 1);
    return &numbers->slots[at];
}

uint32_t trace_numbers_find(const struct trace_numbers *numbers, uint64_t hash) {
    return numbers->capacity > 0 ? slot_of(numbers, hash)->number - 1 : UINT32_MAX;
}

static bool grow(struct trace_numbers *numbers) {
    struct trace_numbers larger = {
        .capacity = numbers->capacity * 2 + (numbers->capacity == 0) * 64, .count = numbers->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < numbers->capacity; i++)
        if (numbers->slots[i].number != 0)
            *slot_of(&larger, numbers->slots[i].hash) = numbers->slots[i];
    free(numbers->slots);
    *numbers = larger;
    return true;
}

bool trace_numbers_insert(struct trace_numbers *numbers, uint64_t hash, uint32_t number) {
    if (numbers->count * 2 >= numbers->capacity && !grow(numbers))
        return false;
    *slot_of(numbers, hash) = (struct trace_numbered){hash, number + 1};
    numbers->count++;
    return true;
}

void trace_numbers_dispose(struct trace_numbers *numbers) {
    free(numbers->slots);
    *numbers = (struct trace_numbers){0};
}

bool trace_array_reserve(void **items, uint32_t *capacity, uint32_t count, size_t size) {
    if (count < *capacity)
        return true;
    uint32_t more = *capacity * 2 + 16;
    void *grown = realloc(*items, more * size);
    if (grown == NULL)
        return false;
    *items = grown;
    *capacity = more;
    return true;
}

uint64_t trace_text_hash(uint64_t seed, const char *text) {
    for (; *text != '\0'; text++)
        seed = (seed ^ (uint8_t)*text) * 1099511628211u; /* FNV-1a */
    return trace_mix(seed, 0);
}
