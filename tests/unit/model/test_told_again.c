/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples of a counted clock for another processor: which counts there can be, what they are
 * called, and times that follow from them.
 */
#include "support.h"

#include "model/samples/told_again.h"

#include <math.h>

static const struct processor two_caches = {
    .block_ns = 1,
    .access_ns = 2,
    .levels = {{.bytes = 32768, .ways = 8},
               {.bytes = 512 * 1024, .ways = 8, .latency_ns = 4, .streamed_ns = 1},
               {.latency_ns = 80, .streamed_ns = 8}},
    .level_count = 2,
    .streams = 16,
};

TEST(three_counts_are_followed_by_pairs) {
    static const bool valid[] = {true, false, false, true, false, true, false, true};
    double numbers[3 + 2 * PROCESSOR_LEVELS + 2] = {0};
    for (size_t count = 0; count < sizeof valid / sizeof *valid; count++)
        assert_int_equal(counts_are_valid(numbers, count), valid[count]);
    assert_true(counts_are_valid(numbers, 3 + 2 * PROCESSOR_LEVELS));
    assert_false(counts_are_valid(numbers, 3 + 2 * PROCESSOR_LEVELS + 2));
    numbers[1] = -1;
    assert_false(counts_are_valid(numbers, 3));
}

TEST(parts_have_names) {
    static const char *const parts[] = {"blocks", "accesses", "math library", "512 KiB cache",
                                        "memory"};
    struct arena arena = {0};
    struct processor large = two_caches;
    for (int i = 0; i < 5; i++)
        assert_string_equal(processor_part_name(&arena, &two_caches, i), parts[i]);
    assert_null(processor_part_name(&arena, &two_caches, 5));
    large.levels[1].bytes = 3 << 20;
    assert_string_equal(processor_part_name(&arena, &large, 3), "3 MiB cache");
    large.levels[1].bytes = 1536;
    assert_string_equal(processor_part_name(&arena, &large, 3), "cache of 1536 bytes");
    assert_string_equal(processor_count_name(&arena, &two_caches, 4),
                        "announced lines from the 512 KiB cache");
    arena_dispose(&arena);
}

/* Blocks take twice as long: of 100 ns that were 20 of blocks, 120 are left. Time in kept code,
 * of which nothing was counted, goes with that of blocks, accesses and functions: 60 to 80. */
TEST(times_follow_from_counts) {
    double counts[] = {20, 10, 20, 8, 0, 0, 1};
    struct call_count call = {.kept_s = 3, .first_s = 6};
    struct run run = {.calls = {&call, 1}};
    struct sample sample = {.timed = 1,
                            .count = 1,
                            .seconds = 100e-9,
                            .min = 100e-9,
                            .max = 100e-9,
                            .counted = counts,
                            .counted_count = 7};
    struct samples samples = {.items = &sample, .count = 1, .runs = &run, .run_count = 1};
    struct processor slower = two_caches;
    struct error error = {0};
    char text[PROCESSOR_TEXT];
    processor_text(text, sizeof text, &two_caches);
    run.clock = arena_printf(&samples.arena, "counted: %s", text);
    slower.block_ns = 2;
    assert_int_equal(samples_tell_again(&samples, &slower, "slower", &error), 0);
    assert_float_equal(sample.seconds, 120e-9, 1e-15);
    assert_float_equal(sample.waited, 40e-9, 1e-15);
    assert_float_equal(call.kept_s, 4, 1e-9);
    assert_float_equal(call.first_s, 8, 1e-9);
    arena_dispose(&samples.arena);
}

/* Nothing but lines that caches served: kept code takes what it took. */
TEST(without_counts_kept_code_is_as_it_was) {
    double counts[] = {0, 0, 0, 8, 0, 0, 1};
    struct call_count call = {.kept_s = 3, .first_s = 6};
    struct run run = {.calls = {&call, 1}};
    struct sample sample = {
        .timed = 1, .count = 1, .seconds = 40e-9, .counted = counts, .counted_count = 7};
    struct samples samples = {.items = &sample, .count = 1, .runs = &run, .run_count = 1};
    struct error error = {0};
    char text[PROCESSOR_TEXT];
    processor_text(text, sizeof text, &two_caches);
    run.clock = arena_printf(&samples.arena, "counted: %s", text);
    assert_int_equal(samples_tell_again(&samples, &two_caches, "itself", &error), 0);
    assert_true(call.kept_s == 3);
    assert_float_equal(sample.seconds, 40e-9, 1e-15);
    arena_dispose(&samples.arena);
}

/* What 3e-8 s before a call become; its one region executes nothing. */
static double kept_of(double own_access_ns, double block_ns, double access_ns) {
    const double counted[] = {0, 0, 0};
    struct call_count site = {0, "MPI_Send", "a.c", 12, 5, 40, 3e-8, 1e-8};
    struct sample sample = {.count = 1, .timed = 1, .counted = counted, .counted_count = 3};
    struct run run = {.id = "r", .ranks = 1, .calls = {&site, 1, 0}};
    struct samples samples = {.runs = &run, .run_count = 1, .items = &sample, .count = 1};
    struct processor own = {.block_ns = 1, .access_ns = own_access_ns};
    struct processor other = {.block_ns = block_ns, .access_ns = access_ns};
    struct error error = {0};
    char text[PROCESSOR_TEXT], clock[PROCESSOR_TEXT + 16];
    arena_init(&samples.arena);
    processor_text(text, sizeof text, &own);
    snprintf(clock, sizeof clock, "counted: %s", text);
    run.clock = clock;
    assert_int_equal(samples_tell_again(&samples, &other, "other", &error), 0);
    assert_true(site.first_s > 0);
    arena_dispose(&samples.arena);
    return site.kept_s;
}

TEST(time_between_calls_goes_by_blocks_where_no_region_takes_any) {
    assert_float_equal(kept_of(0, 2, 0), 6e-8, 1e-15);
    assert_float_equal(kept_of(0.5, 3, 1.5), 9e-8, 1e-15);
}

TEST(time_between_calls_stays_where_nothing_tells_it) {
    assert_float_equal(kept_of(0.5, 2, 4), 3e-8, 1e-15);
}
