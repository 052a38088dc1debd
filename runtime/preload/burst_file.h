/* SPDX-License-Identifier: Apache-2.0
 *
 * The file that BSIM_BURSTS names (docs/reference/run-files.md): a section for each simulation of
 * one configuration, one after the other, in the order and sizes of this machine's memory. What
 * does not hold together is the rest of a section that was being written: it is no section, and the
 * next one takes its place.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define BURST_FILE_MAGIC "bursts 2"

struct burst_section {
    char magic[8];
    uint64_t configuration; /* hash of BSIM_CONFIGURATION; 0: it was not told */
    uint64_t sequences;
    uint64_t bytes; /* of the rest: sequences, then their codes, filled up to eight bytes */
};

/* The bursts of one rank that ended in one call, in their order. */
struct burst_row {
    int64_t rank;
    uint64_t place, count;
};

/* Behind the header of a section; NULL: there is none here, or it is cut off. */
const struct burst_section *burst_file_section(const void *file, size_t bytes, size_t offset);
const struct burst_row *burst_file_rows(const struct burst_section *section);
const uint16_t *burst_file_codes(const struct burst_section *section);

/* Where the section ends, from its begin. */
size_t burst_file_length(const struct burst_section *section);

/* Seconds as a code, on a logarithmic scale: in two bytes, off by 0.02 % at most between a
 * nanosecond and a quarter of an hour. BURST_UNKNOWN: a burst of which nothing is known. */
#define BURST_UNKNOWN 0
#define BURST_STEP 4.2e-4 /* of the natural logarithm, from code to code */
uint16_t burst_code(double seconds);
double burst_seconds(uint16_t code);
