/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/objects/scratch_memory.h"

#define REGIONS_MOST 4

static struct scratch_region {
    const char *begin, *end;
} regions[REGIONS_MOST];

static size_t region_count;

void bsim__engine_scratch(void *begin, size_t bytes) {
    if (region_count < REGIONS_MOST)
        regions[region_count++] =
            (struct scratch_region){.begin = begin, .end = (const char *)begin + bytes};
}

bool scratch_memory_has(const void *address) {
    for (size_t i = 0; i < region_count; i++)
        if ((const char *)address >= regions[i].begin && (const char *)address < regions[i].end)
            return true;
    return false;
}
