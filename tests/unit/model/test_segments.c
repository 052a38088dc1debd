/* SPDX-License-Identifier: Apache-2.0
 *
 * Segmented regression: planted pieces are found again, the cuts are the best there are (against
 * trying all), and what is no measurement is refused.
 */
#include "support.h"

#include "model/solve/segments.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define POINTS 120

static struct arena arena;
static const struct segment_options defaults;

static int setup(void **state) {
    arena_init(&arena);
    return 0;
}

static int teardown(void **state) {
    arena_dispose(&arena);
    return 0;
}

static struct segments fit(const struct segment_point *points, size_t count,
                           const struct segment_options *options) {
    struct segments segments;
    struct error error = {0};
    assert_int_equal(segments_fit(&segments, &arena, points, count, options, &error), 0);
    return segments;
}

static double planted_at(const struct segment *planted, size_t count, double x) {
    size_t i = count - 1;
    while (i > 0 && x <= planted[i].from)
        i--;
    return planted[i].base + planted[i].slope * x;
}

/* Sizes from 1 to four million, evenly in logarithms, in an order that is not theirs. */
static void make_points(struct segment_point *points, const struct segment *planted, size_t count,
                        double noise, unsigned long long seed) {
    struct random random;
    random_seed(&random, seed);
    for (size_t i = 0; i < POINTS; i++) {
        double x = exp(log(4e6) * (double)(i * 77 % POINTS) / POINTS);
        double y = planted_at(planted, count, x) * exp(noise * random_normal(&random));
        points[i] = (struct segment_point){x, y, y};
    }
}

/* Within so many steps from one size to the next. */
static bool is_near(double found, double planted, double steps) {
    return fabs(log(found / planted)) <= steps * log(4e6) / POINTS;
}

static const struct segment messages[] = {{.from = -INFINITY, .base = 4e-7, .slope = 3e-10},
                                          {.from = 4096, .base = 1.6e-6, .slope = 8e-11},
                                          {.from = 65536, .base = 5e-6, .slope = 1.2e-10}};

TEST_WITH(planted_pieces_are_found_again, setup, teardown) {
    struct segment_point points[POINTS];
    for (unsigned long long seed = 1; seed <= 10; seed++) {
        make_points(points, messages, COUNT(messages), 0.01, seed);
        struct segments found = fit(points, POINTS, &defaults);
        assert_int_equal(found.count, COUNT(messages));
        for (size_t i = 1; i < found.count; i++)
            assert_true(is_near(found.items[i].from, messages[i].from, 1.5));
        for (size_t i = 0; i < found.count; i++) {
            assert_true(fabs(found.items[i].base / messages[i].base - 1) < 0.1);
            assert_true(fabs(found.items[i].slope / messages[i].slope - 1) < 0.1);
        }
        assert_true(found.error > 0.003 && found.error < 0.012);
    }
}

TEST_WITH(without_noise_the_pieces_are_exact, setup, teardown) {
    struct segment_point points[POINTS];
    make_points(points, messages, COUNT(messages), 0, 1);
    struct segments found = fit(points, POINTS, &defaults);
    assert_int_equal(found.count, COUNT(messages));
    for (size_t i = 0; i < found.count; i++) {
        assert_true(fabs(found.items[i].base / messages[i].base - 1) < 1e-6);
        assert_true(fabs(found.items[i].slope / messages[i].slope - 1) < 1e-6);
    }
    for (size_t i = 0; i < POINTS; i++)
        assert_true(fabs(segments_at(&found, points[i].x) / points[i].y - 1) < 1e-9);
}

/* Noise alone makes no pieces. */
TEST_WITH(one_line_stays_one_piece, setup, teardown) {
    struct segment_point points[POINTS];
    const struct segment line = {.from = -INFINITY, .base = 1e-6, .slope = 1e-10};
    for (unsigned long long seed = 1; seed <= 10; seed++) {
        make_points(points, &line, 1, 0.05, seed);
        const struct segment_options noisy = {.noise = 0.05};
        assert_int_equal(fit(points, POINTS, &noisy).count, 1);
    }
}

TEST_WITH(outliers_do_not_move_the_pieces, setup, teardown) {
    struct segment_point points[POINTS];
    make_points(points, messages, COUNT(messages), 0.01, 3);
    for (size_t i = 5; i < POINTS; i += 24) {
        points[i].y *= 2;
        points[i].scale = points[i].y;
    }
    struct segments found = fit(points, POINTS, &defaults);
    assert_int_equal(found.count, COUNT(messages));
    for (size_t i = 0; i < found.count; i++)
        assert_true(fabs(found.items[i].slope / messages[i].slope - 1) < 0.15);
}

TEST_WITH(times_that_fall_give_constants, setup, teardown) {
    struct segment_point points[20];
    for (size_t i = 0; i < COUNT(points); i++)
        points[i] = (struct segment_point){(double)i, 30 - (double)i, 30 - (double)i};
    struct segments found = fit(points, COUNT(points), &defaults);
    for (size_t i = 0; i < found.count; i++) {
        assert_true(found.items[i].slope == 0);
        assert_true(found.items[i].base >= 11 && found.items[i].base <= 30);
    }
    assert_true(found.count > 1);
}

TEST_WITH(a_base_below_zero_becomes_zero, setup, teardown) {
    struct segment_point points[20];
    for (size_t i = 0; i < COUNT(points); i++) {
        double x = 10 + (double)i;
        points[i] = (struct segment_point){x, 2 * x - 5, 1};
    }
    const struct segment_options one_piece = {.most = 1};
    struct segments found = fit(points, COUNT(points), &one_piece);
    assert_true(found.items[0].base == 0);
    assert_true(found.items[0].slope > 1.7 && found.items[0].slope < 2);
}

TEST_WITH(few_or_equal_sizes_are_one_piece, setup, teardown) {
    const struct segment_point one = {64, 2e-6, 2e-6};
    struct segments found = fit(&one, 1, &defaults);
    assert_int_equal(found.count, 1);
    assert_true(fabs(segments_at(&found, 64) / 2e-6 - 1) < 1e-12);
    struct segment_point equal[50];
    for (size_t i = 0; i < COUNT(equal); i++)
        equal[i] = (struct segment_point){100, i < 25 ? 1 : 3, 1};
    found = fit(equal, COUNT(equal), &defaults);
    assert_int_equal(found.count, 1);
    assert_true(fabs(segments_at(&found, 100) - 2) < 1e-12);
    const struct segment_point zeroes[] = {{0, 0, 1}, {0, 0, 1}, {1, 0, 1}};
    found = fit(zeroes, COUNT(zeroes), &defaults);
    assert_true(segments_at(&found, 5) == 0);
}

TEST_WITH(cuts_that_are_asked_for_are_made, setup, teardown) {
    const struct segment line = {.from = -INFINITY, .base = 1e-6, .slope = 1e-10};
    static const double cuts[] = {0.5, 1000, 1e9}; /* the first and the last cut nothing */
    const struct segment_options options = {.cuts = cuts, .cut_count = COUNT(cuts)};
    struct segment_point points[POINTS];
    make_points(points, &line, 1, 0.01, 4);
    struct segments found = fit(points, POINTS, &options);
    assert_int_equal(found.count, 2);
    assert_true(found.items[1].from == 1000);
    /* Even where fewer points than a piece needs lie between two of them. */
    static const double narrow[] = {1000, 1200};
    const struct segment_options between = {.cuts = narrow, .cut_count = COUNT(narrow)};
    found = fit(points, POINTS, &between);
    assert_int_equal(found.count, 3);
    assert_true(found.items[1].from == 1000 && found.items[2].from == 1200);
    assert_true(found.items[1].count == 1);
}

/* The same line as in segments.c, in the textbook's formula, for small numbers. */
static double line_cost(const struct segment_point *points, size_t count) {
    double w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = 1 / (points[i].scale * points[i].scale);
        w += weight, x += weight * points[i].x, y += weight * points[i].y;
        xx += weight * points[i].x * points[i].x, xy += weight * points[i].x * points[i].y;
        yy += weight * points[i].y * points[i].y;
    }
    double determinant = w * xx - x * x;
    double slope = (w * xy - x * y) / determinant, base = (y - slope * x) / w;
    if (base >= 0 && slope >= 0)
        return yy - base * y - slope * xy;
    double constant = yy - y * y / w, through = yy - xy * xy / xx;
    return constant < through ? constant : through;
}

/* The least cost of at most `pieces` pieces of at least three points. */
static double least_cost(const struct segment_point *points, size_t count, size_t pieces) {
    double least = line_cost(points, count);
    for (size_t first = 3; pieces > 1 && first + 3 <= count; first++) {
        double cost =
            line_cost(points, first) + least_cost(points + first, count - first, pieces - 1);
        least = cost < least ? cost : least;
    }
    return least;
}

static double cost_of(const struct segments *segments, const struct segment_point *points,
                      size_t count) {
    double cost = 0;
    for (size_t i = 0; i < count; i++) {
        double error = (segments_at(segments, points[i].x) - points[i].y) / points[i].scale;
        cost += error * error;
    }
    return cost;
}

TEST_WITH(the_cuts_are_the_best_there_are, setup, teardown) {
    struct random random;
    int cut = 0;
    random_seed(&random, 7);
    for (int trial = 0; trial < 50; trial++) {
        struct segment_point points[14];
        double y = 1;
        for (size_t i = 0; i < COUNT(points); i++) {
            y += random_uniform(&random) + (i % 5 == 4 ? 12 : 0);
            points[i] = (struct segment_point){1 + (double)i, y, y};
        }
        /* No point is so far off that it would be weighted down. */
        const struct segment_options options = {.most = 3, .noise = 0.1};
        struct segments found = fit(points, COUNT(points), &options);
        double best = least_cost(points, COUNT(points), found.count);
        double cost = cost_of(&found, points, COUNT(points));
        assert_true(fabs(cost / best - 1) < 1e-6);
        cut += found.count > 1;
    }
    assert_true(cut > 10);
}

TEST_WITH(what_is_no_measurement_is_refused, setup, teardown) {
    static const struct segment_point bad[] = {
        {1, NAN, 1},   {NAN, 1, 1},   {1, 1, NAN},   {1, INFINITY, 1}, {INFINITY, 1, 1},
        {-1, 1, 1},    {1, -1, 1},    {1, 1, 0},     {1, 1, -1},       {1, 1, INFINITY},
        {1e300, 1, 1}, {1, 1e300, 1}, {1, 1, 1e-300}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        const struct segment_point points[] = {{1, 1, 1}, {2, 2, 2}, bad[i]};
        struct segments segments;
        struct error error = {0};
        assert_int_equal(segments_fit(&segments, &arena, points, COUNT(points), &defaults, &error),
                         -1);
        assert_contains(error.text, "is no measurement");
    }
    struct segments segments;
    struct error error = {0};
    assert_int_equal(segments_fit(&segments, &arena, bad, 0, &defaults, &error), -1);
    assert_contains(error.text, "nothing to fit");
    struct error too_many = {0};
    assert_int_equal(
        segments_fit(&segments, &arena, bad, SEGMENT_POINTS_MAX + 1, &defaults, &too_many), -1);
    assert_contains(too_many.text, "too many");
}

/* Sizes and times of any order of magnitude, in any relation. */
TEST_WITH(extreme_numbers_give_finite_pieces, setup, teardown) {
    struct random random;
    random_seed(&random, 11);
    for (int trial = 0; trial < 200; trial++) {
        struct segment_point points[30];
        size_t count = 1 + random_bits(&random) % COUNT(points);
        for (size_t i = 0; i < count; i++) {
            points[i].x = pow(10, 60 * random_uniform(&random) - 30);
            points[i].y = pow(10, 60 * random_uniform(&random) - 30);
            points[i].scale = pow(10, 59 * random_uniform(&random) - 29);
        }
        struct segments found = fit(points, count, &defaults);
        assert_true(found.count >= 1);
        for (size_t i = 0; i < found.count; i++) {
            const struct segment *segment = &found.items[i];
            assert_true(isfinite(segment->base) && segment->base >= 0);
            assert_true(isfinite(segment->slope) && segment->slope >= 0);
            assert_true(i == 0 || segment->from >= found.items[i - 1].from);
        }
    }
}
