/* SPDX-License-Identifier: Apache-2.0
 *
 * What loops over an array cost memory, counted by hand: lines that are touched, lines that come
 * back, and pages that a processor has no translation of.
 */
#include "support.h"

#include "model/convolution/reuse.h"

#define ROWS 10

/* for (i of ROWS) for (k of columns) the access, whose steps are of the loops from the inner one
 * outwards. */
static struct region_counts count(struct arena *arena, double columns,
                                  const struct signature_access *access) {
    const double features[] = {ROWS, ROWS * columns};
    const struct signature_block blocks[] = {
        {.kind = BLOCK_REGION, .parent = -1, .feature = -1, .factor = 1, .variable = ""},
        {.kind = BLOCK_LOOP, .parent = 0, .feature = 0, .factor = 1, .variable = "i"},
        {.kind = BLOCK_LOOP,
         .parent = 1,
         .feature = 1,
         .factor = 1,
         .variable = "k",
         .access_count = 1,
         .accesses = access}};
    const struct signature_region region = {
        .id = "r", .feature_count = 2, .block_count = 3, .blocks = blocks};
    struct region_counts counts;
    assert_true(region_counts_find(&counts, arena, &region, features));
    return counts;
}

/* A row of 128 bytes that begins anywhere is on 2.875 lines of 64 on average, since it ends in a
 * new one for each of 7 of 8 elements. What rows share with their neighbours comes back: ten times
 * 2.875 less the 20 lines of all. */
TEST(rows_share_lines_with_their_neighbours) {
    static const struct signature_step steps[] = {{2, 8}, {1, 128}};
    const struct signature_access access = {.array = "a",
                                            .element_bytes = 8,
                                            .loads = 1,
                                            .class = STRIDE_UNIT,
                                            .step_count = 2,
                                            .steps = steps,
                                            .offset = "0"};
    struct arena arena = {0};
    struct region_counts counts = count(&arena, 16, &access);
    assert_int_equal(counts.reuse_count, 2);
    assert_int_equal(counts.reuses[0].curve, CURVE_STREAM);
    assert_float_equal(counts.reuses[0].count, ROWS * 2.875 - 20, 1e-9);
    assert_float_equal(counts.reuses[0].bytes, 2.875 * 64, 1e-9);
    assert_float_equal(counts.reuses[1].count, 20, 1e-9);
    assert_float_equal(counts.reuses[1].bytes, 20 * 64, 1e-9);
    assert_float_equal(counts.rates[RATE_LOAD], ROWS * 16, 1e-9);
    arena_dispose(&arena);
}

/* Columns of a matrix whose rows are long: each element is on a page of its own. */
static double pages_of(double columns) {
    static const struct signature_step steps[] = {{2, 0}, {1, 8}};
    const struct signature_access access = {.array = "a",
                                            .element_bytes = 8,
                                            .loads = 1,
                                            .class = STRIDE_CONSTANT,
                                            .step_count = 2,
                                            .steps = steps,
                                            .offset = "0"};
    struct arena arena = {0};
    double pages = count(&arena, columns, &access).rates[RATE_PAGE];
    arena_dispose(&arena);
    return pages;
}

TEST(processors_have_translations_of_64_pages) {
    assert_true(pages_of(64) == 0);
    assert_true(pages_of(65) == ROWS * 65);
}
