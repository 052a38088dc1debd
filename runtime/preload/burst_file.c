/* SPDX-License-Identifier: Apache-2.0
 *
 * Sections are looked at where they lie in memory; sizes that a broken file makes up are checked
 * before anything behind them is read.
 */
#include "runtime/preload/burst_file.h"

#include <math.h>
#include <string.h>

#define LEAST_S 1e-9
#define LARGEST_CODE 65535

/* The codes of all sequences fill the rest. */
static int holds_together(const struct burst_section *section) {
    const struct burst_row *sequences = burst_file_rows(section);
    uint64_t left = section->bytes;
    if (section->sequences > left / sizeof *sequences)
        return 0;
    left -= section->sequences * sizeof *sequences;
    for (uint64_t i = 0; i < section->sequences; i++) {
        if (sequences[i].count > left / sizeof(uint16_t))
            return 0;
        left -= sequences[i].count * sizeof(uint16_t);
    }
    return left < 8;
}

const struct burst_section *burst_file_section(const void *file, size_t bytes, size_t offset) {
    const struct burst_section *section = (const void *)((const char *)file + offset);
    if (offset > bytes || bytes - offset < sizeof *section ||
        memcmp(section->magic, BURST_FILE_MAGIC, sizeof section->magic) != 0 ||
        section->bytes > bytes - offset - sizeof *section || section->bytes % 8 != 0)
        return NULL;
    return holds_together(section) ? section : NULL;
}

const struct burst_row *burst_file_rows(const struct burst_section *section) {
    return (const void *)(section + 1);
}

const uint16_t *burst_file_codes(const struct burst_section *section) {
    return (const void *)(burst_file_rows(section) + section->sequences);
}

size_t burst_file_length(const struct burst_section *section) {
    return sizeof *section + section->bytes;
}

uint16_t burst_code(double seconds) {
    double steps = seconds > LEAST_S ? log(seconds / LEAST_S) / BURST_STEP : 0;
    return steps < LARGEST_CODE - 1 ? (uint16_t)(1.5 + steps) : LARGEST_CODE;
}

double burst_seconds(uint16_t code) {
    return code == BURST_UNKNOWN ? 0 : LEAST_S * exp(BURST_STEP * (code - 1));
}
