/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of bursts: a section is found where it begins, whole; none where it is cut off, and
 * whatever is written over it nothing behind the file is read. Codes are as exact as they have to
 * be.
 */
#include "runtime/preload/burst_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 3
#define BURSTS 5
#define TRIALS 20000

static int failures;

static void expect(int claim, const char *what) {
    if (!claim && failures++ < 5)
        fprintf(stderr, "%s\n", what);
}

static size_t make(char **out) {
    struct burst_section header = {.sequences = ROWS};
    memcpy(header.magic, BURST_FILE_MAGIC, sizeof header.magic);
    header.bytes = (ROWS * (sizeof(struct burst_row) + BURSTS * 2) + 7) / 8 * 8;
    size_t bytes = sizeof header + header.bytes;
    *out = calloc(1, bytes);
    memcpy(*out, &header, sizeof header);
    for (int i = 0; i < ROWS; i++) {
        struct burst_row row = {i, 7, BURSTS};
        memcpy(*out + sizeof header + (size_t)i * sizeof row, &row, sizeof row);
    }
    return bytes;
}

/* All that its rows claim. */
static void read_all(const struct burst_section *section) {
    const uint16_t *codes = burst_file_codes(section);
    volatile unsigned sum = 0;
    for (uint64_t i = 0; i < section->sequences; i++)
        for (uint64_t k = 0; k < burst_file_rows(section)[i].count; k++)
            sum = sum + *codes++;
}

static void write_over(const char *good, size_t bytes) {
    char *copy = malloc(bytes); /* of that size, for the sanitizer */
    memcpy(copy, good, bytes);
    for (int i = rand() % 4; i >= 0; i--)
        copy[(size_t)rand() % bytes] = (char)(rand() % 3 == 0 ? 255 : rand());
    const struct burst_section *section = burst_file_section(copy, bytes, 0);
    if (section != NULL)
        read_all(section);
    free(copy);
}

int main(void) {
    char *good;
    size_t bytes = make(&good);
    expect(burst_file_section(good, bytes, 0) != NULL, "a section is not found");
    expect(burst_file_length(burst_file_section(good, bytes, 0)) == bytes, "its length");
    for (size_t cut = 0; cut < bytes; cut++) {
        char *copy = malloc(cut + 1);
        memcpy(copy, good, cut);
        expect(burst_file_section(copy, cut, 0) == NULL, "a section that is cut off is found");
        free(copy);
    }
    expect(burst_file_section(good, bytes, bytes) == NULL, "a section behind the last one");
    expect(burst_file_section(good, bytes, bytes + 1) == NULL, "a section behind the file");
    for (int i = 0; i < TRIALS; i++)
        write_over(good, bytes);
    for (double seconds = 2e-9; seconds < 800; seconds *= 1.37)
        expect(fabs(burst_seconds(burst_code(seconds)) / seconds - 1) < 2.2e-4, "a code is off");
    expect(burst_code(0) != BURST_UNKNOWN && burst_code(1e9) == 65535, "times beyond the codes");
    free(good);
    return failures > 0;
}
