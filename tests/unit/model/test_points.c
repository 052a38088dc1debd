/* SPDX-License-Identifier: Apache-2.0
 *
 * From samples to points: medians over ranks, totals, what is left out.
 */
#include "support.h"

#include "model/samples/points.h"

#include <math.h>

static const double small[] = {1, 2}, large[] = {1, 3}, negative[] = {-5, 2};

#define SAMPLE(at_region, at_run, at_rank, vector, executions, measured, time)                     \
    {.region = (at_region),                                                                        \
     .run = (at_run),                                                                              \
     .rank = (at_rank),                                                                            \
     .features = (vector),                                                                         \
     .feature_count = 2,                                                                           \
     .count = (executions),                                                                        \
     .timed = (measured),                                                                          \
     .seconds = (time)}

TEST(samples_of_one_vector_become_their_median) {
    struct sample items[] = {SAMPLE(0, 0, 0, small, 10, 10, 10), SAMPLE(0, 0, 1, small, 10, 5, 10),
                             SAMPLE(0, 0, 2, small, 10, 10, 900), SAMPLE(0, 0, 3, large, 2, 2, 8),
                             SAMPLE(0, 1, 0, small, 4, 4, 16)};
    struct samples samples = {.items = items, .count = 5, .run_count = 2};
    struct arena arena;
    arena_init(&arena);
    struct points *points = points_of_regions(&arena, &samples, 1, NULL);
    assert_int_equal(points[0].count, 3);
    assert_int_equal(points[0].run_count, 2);
    assert_int_equal(points[0].distinct_count, 2);
    assert_true(points[0].items[0].latency_s == 2);
    assert_true(points[0].items[0].total_s == 10 + 20 + 900);
    assert_true(points[0].items[1].run == 1 && points[0].items[1].latency_s == 4);
    assert_true(points[0].items[2].latency_s == 4 && points[0].items[2].features[1] == 3);
    assert_true(points[0].total_s == 930 + 16 + 8);
    arena_dispose(&arena);
}

TEST(an_even_number_of_ranks_gives_the_middle) {
    struct sample items[] = {SAMPLE(0, 0, 0, small, 1, 1, 4), SAMPLE(0, 0, 1, small, 1, 1, 1),
                             SAMPLE(0, 0, 2, small, 1, 1, 2), SAMPLE(0, 0, 3, small, 1, 1, 99)};
    struct samples samples = {.items = items, .count = 4, .run_count = 1};
    struct arena arena;
    arena_init(&arena);
    assert_true(points_of_regions(&arena, &samples, 1, NULL)[0].items[0].latency_s == 3);
    arena_dispose(&arena);
}

TEST(what_was_never_timed_is_no_point) {
    struct sample items[] = {SAMPLE(1, 0, 0, small, 10, 0, 0), SAMPLE(2, 0, 0, small, 1, 1, 1)};
    struct samples samples = {.items = items, .count = 2, .run_count = 1};
    struct arena arena;
    arena_init(&arena);
    struct points *points = points_of_regions(&arena, &samples, 3, NULL);
    assert_int_equal(points[0].count, 0);
    assert_int_equal(points[1].count, 0);
    assert_int_equal(points[2].count, 1);
    arena_dispose(&arena);
}

TEST(negative_numbers_count_as_zero) {
    struct sample items[] = {SAMPLE(0, 0, 0, negative, 1, 1, -1e-9)};
    struct samples samples = {.items = items, .count = 1, .run_count = 1};
    struct arena arena;
    arena_init(&arena);
    struct points *points = points_of_regions(&arena, &samples, 1, NULL);
    assert_true(points[0].items[0].features[0] == 0 && points[0].items[0].features[1] == 2);
    assert_true(points[0].items[0].latency_s == 0 && points[0].total_s == 0);
    arena_dispose(&arena);
}

TEST(no_samples_give_no_points) {
    struct samples samples = {0};
    struct arena arena;
    arena_init(&arena);
    assert_int_equal(points_of_regions(&arena, &samples, 2, NULL)[1].count, 0);
    arena_dispose(&arena);
}

/* Runs 0 and 2 repeat each other, 1 has other arguments, 3 another number of ranks, and 4 something
 * else that made it do more: an input file. */
TEST(repeated_runs_are_one_point_by_the_statistic_asked_for) {
    static const double wanted_s[] = {3, 1, (3 * 10 + 1 * 30 + 5 * 10) / 50.0};
    for (int i = STATISTIC_MEDIAN; i <= STATISTIC_MEAN; i++) {
        struct run runs[] = {{.ranks = 2, .arguments = "[\"8\"]"},
                             {.ranks = 2, .arguments = "[\"9\"]"},
                             {.ranks = 2, .arguments = "[\"8\"]"},
                             {.ranks = 4, .arguments = "[\"8\"]"},
                             {.ranks = 2, .arguments = "[\"8\"]"}};
        struct sample items[] = {
            SAMPLE(0, 2, 0, small, 50, 10, 50), SAMPLE(0, 1, 0, small, 1, 1, 70),
            SAMPLE(0, 2, 1, small, 30, 30, 30), SAMPLE(0, 0, 0, small, 10, 10, 30),
            SAMPLE(0, 0, 1, small, 1, 0, 0),    SAMPLE(0, 3, 0, small, 1, 1, 90),
            SAMPLE(0, 4, 0, small, 1, 1, 80),   SAMPLE(0, 4, 1, large, 1, 1, 85)};
        struct samples samples = {.runs = runs,
                                  .run_count = 5,
                                  .items = items,
                                  .count = 8,
                                  .statistic = (enum statistic)i};
        struct arena arena;
        arena_init(&arena);
        struct points points = points_of_regions(&arena, &samples, 1, NULL)[0];
        assert_int_equal(points.count, 5);
        assert_int_equal(points.run_count, 4);
        assert_true(points.items[0].run == 0 && points.items[0].latency_s == wanted_s[i]);
        assert_true(points.items[0].total_s == 250 + 30 + 30);
        assert_true(points.items[1].run == 1 && points.items[1].latency_s == 70);
        assert_true(points.items[2].run == 3 && points.items[2].latency_s == 90);
        assert_true(points.items[3].run == 4 && points.items[3].latency_s == 80);
        arena_dispose(&arena);
    }
}

TEST(statistics_have_names) {
    enum statistic found = STATISTIC_MEDIAN;
    for (int i = STATISTIC_MEDIAN; i <= STATISTIC_MEAN; i++) {
        assert_true(statistic_parse(&found, statistic_name((enum statistic)i)));
        assert_int_equal(found, i);
    }
    assert_false(statistic_parse(&found, "min"));
    assert_false(statistic_parse(&found, ""));
    assert_int_equal(found, STATISTIC_MEAN);
}
