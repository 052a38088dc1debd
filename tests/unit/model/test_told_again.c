/* SPDX-License-Identifier: Apache-2.0
 *
 * Time between calls told again for another processor where no region takes time.
 */
#include "support.h"

#include "model/samples/told_again.h"

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

static void time_between_calls_goes_by_blocks_where_no_region_takes_any(void **state) {
    (void)state;
    assert_float_equal(kept_of(0, 2, 0), 6e-8, 1e-15);
    assert_float_equal(kept_of(0.5, 3, 1.5), 9e-8, 1e-15);
}

static void time_between_calls_stays_where_nothing_tells_it(void **state) {
    (void)state;
    assert_float_equal(kept_of(0.5, 2, 4), 3e-8, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_between_calls_goes_by_blocks_where_no_region_takes_any),
        cmocka_unit_test(time_between_calls_stays_where_nothing_tells_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
