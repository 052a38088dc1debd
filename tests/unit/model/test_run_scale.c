/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions whose time goes by an argument or the number of ranks that no feature tells: planted
 * dependences are found, all the way to what the skeleton reads; what features explain, what only
 * scatters and what too few runs say is left alone.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_run_factor.h"
#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct world {
    struct arena arena;
    VEC(struct run) runs;
    VEC(struct sample) items;
    struct models models;
    struct bsim_model *read;
    const struct bsim_region_model *region;
    const struct bsim_scale *scale;
};

static void world_init(struct world *world) {
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->runs);
    vec_dispose(&world->items);
    arena_dispose(&world->arena);
}

static void add_sample(struct world *world, int region, int rank, double size, double latency_s) {
    double *features = ARENA_ARRAY(&world->arena, double, 1);
    features[0] = size;
    vec_push(&world->items, (struct sample){.region = region,
                                            .run = (int)world->runs.count - 1,
                                            .rank = rank,
                                            .features = features,
                                            .feature_count = 1,
                                            .count = 10,
                                            .timed = 10,
                                            .seconds = 10 * latency_s,
                                            .squares = 10 * latency_s * latency_s,
                                            .min = latency_s,
                                            .max = latency_s});
}

/* `program LIST SIZE`. */
static void begin_run(struct world *world, int ranks, double list, double size) {
    struct run run = {.id = arena_printf(&world->arena, "run%zu", world->runs.count),
                      .host = "",
                      .cpu = "",
                      .arguments = arena_printf(&world->arena, "[\"%g\",\"%g\"]", list, size),
                      .ranks = ranks,
                      .clock = "",
                      .cache = "",
                      .complete = true};
    vec_push(&world->runs, run);
}

/* In which each rank executes the region ten times with the feature `size`. */
static void add_run(struct world *world, int ranks, double list, double size, double latency_s) {
    begin_run(world, ranks, list, size);
    for (int rank = 0; rank < ranks; rank++)
        add_sample(world, 0, rank, size, latency_s);
}

/* Runs with lists of 100 to 800, a tenth of a microsecond for each of their nodes. */
static void add_lists(struct world *world) {
    for (double list = 100; list <= 800; list *= 2)
        add_run(world, 2, list, 64, 1e-7 * list);
}

/* With `power` of the argument. */
static void add_three_runs(struct world *world, double power) {
    for (double list = 100; list <= 400; list *= 2)
        add_run(world, 2, list, 64, 1e-7 * pow(list, power));
}

static const char *fit(struct world *world) {
    static const struct feature feature = {"size", "", "", false};
    struct region items[2];
    for (int i = 0; i < 2; i++)
        items[i] = (struct region){.id = i == 0 ? "r" : "s",
                                   .index = i,
                                   .function = "f",
                                   .file = "f.c",
                                   .summary = "",
                                   .code = "",
                                   .features = &feature,
                                   .feature_count = 1};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = items, .count = 2};
    struct samples samples = {.runs = world->runs.items,
                              .run_count = (int)world->runs.count,
                              .items = world->items.items,
                              .count = world->items.count};
    struct error error;
    char text[512];
    models_fit(&world->models, &samples, &regions, "default");
    assert_int_equal(models_write(&world->models, test_path("model.bsim"), &error), 0);
    if (bsim_model_load(&world->read, test_path("model.bsim"), TEST_BUNDLE, text, sizeof text) != 0)
        fail_msg("%s", text);
    world->region = bsim_model_region(world->read, 0);
    assert_non_null(world->region);
    world->scale = bsim_region_scale(world->region);
    return world->models.items[0].note;
}

/* What the skeleton would take with these numbers. */
static double latency_of(double *out_range, const struct world *world, int ranks, double list,
                         double size) {
    double numbers[BSIM_SCALE_NUMBERS_MAX];
    assert_non_null(world->scale);
    for (int i = 0; i < bsim_scale_count(world->scale); i++) {
        const char *name = bsim_scale_name(world->scale, i);
        numbers[i] = strcmp(name, "ranks") == 0  ? ranks
                     : strcmp(name, "arg1") == 0 ? list
                     : strcmp(name, "arg2") == 0 ? size
                                                 : NAN;
        assert_false(isnan(numbers[i]));
    }
    return bsim_region_latency_s(world->region, &size) *
           bsim_scale_factor(out_range, world->scale, numbers);
}

#define assert_near(found, wanted) assert_true(fabs((found) / (wanted) - 1) < 1e-9)

/* ---- Found ---- */

TEST(an_argument_that_is_no_feature_decides) {
    struct world world;
    double range;
    world_init(&world);
    add_lists(&world);
    assert_contains(fit(&world), "*arg1 of the run, since what decides is no feature: error 0%, "
                                 "without it ");
    assert_near(latency_of(&range, &world, 2, 100, 64), 1e-5);
    assert_near(range, 1);
    assert_near(latency_of(&range, &world, 64, 3200, 64), 3.2e-4);
    assert_near(range, 4);
    assert_true(bsim_region_spread(world.region)->beyond < 0.01);
    world_dispose(&world);
}

TEST(particles_per_rank_decide) {
    struct world world;
    double range;
    world_init(&world);
    for (double list = 1000; list <= 4000; list *= 2)
        for (int ranks = 1; ranks <= 4; ranks *= 2)
            add_run(&world, ranks, list, 64, 1e-7 * list / ranks);
    fit(&world);
    assert_near(latency_of(&range, &world, 16, 64000, 64), 4e-4);
    assert_near(range, 16);
    world_dispose(&world);
}

/* Each list with each size: what the feature says is kept. */
TEST(features_keep_their_part) {
    struct world world;
    double range;
    world_init(&world);
    for (double list = 100; list <= 800; list *= 2)
        for (double size = 16; size <= 128; size *= 2)
            add_run(&world, 1, list, size, 1e-9 * list * size * size);
    fit(&world);
    assert_near(latency_of(&range, &world, 1, 200, 64), 1e-9 * 200 * 64 * 64);
    assert_near(latency_of(&range, &world, 1, 6400, 32), 1e-9 * 6400 * 32 * 32);
    world_dispose(&world);
}

TEST(other_features_in_each_run_do_not_hide_it) {
    static const double runs[][2] = {{1000, 16}, {4000, 24}, {2000, 36}, {8000, 48},
                                     {3000, 64}, {500, 96},  {6000, 128}};
    struct world world;
    double range;
    world_init(&world);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        add_run(&world, 2, runs[i][0], runs[i][1], 1e-9 * runs[i][0] * runs[i][1]);
    fit(&world);
    assert_near(latency_of(&range, &world, 2, 16000, 64), 1e-9 * 16000 * 64);
    assert_near(range, 2);
    world_dispose(&world);
}

TEST(what_is_not_positive_counts_as_the_least) {
    struct world world;
    double range;
    world_init(&world);
    add_lists(&world);
    fit(&world);
    assert_near(latency_of(&range, &world, 2, 0, 64), 1e-5);
    assert_near(latency_of(&range, &world, 2, -5, 64), 1e-5);
    world_dispose(&world);
}

TEST(three_runs_tell_what_is_proportional) {
    struct world world;
    double range;
    world_init(&world);
    add_three_runs(&world, 1);
    fit(&world);
    assert_near(latency_of(&range, &world, 2, 800, 64), 8e-5);
    world_dispose(&world);
}

/* Off by 40 % one way or the other, where without the number it would be by a factor of 3 to 30. */
TEST(most_of_a_large_error_is_worth_having) {
    struct world world;
    double range;
    world_init(&world);
    for (int i = 0; i < 8; i++)
        add_run(&world, 2, 100 * pow(3, i), 64, 1e-7 * pow(3, i) * (i % 2 == 0 ? 1 : 1.4));
    fit(&world);
    double found_s = latency_of(&range, &world, 2, 100 * pow(3, 10), 64);
    assert_true(found_s > 0.8e-7 * pow(3, 10) && found_s < 1.6e-7 * pow(3, 10));
    world_dispose(&world);
}

/* Each rank has nothing to do in some steps. */
TEST(steps_without_work_do_not_hide_it) {
    struct world world;
    double range;
    world_init(&world);
    for (double list = 100; list <= 800; list *= 2) {
        begin_run(&world, 2, list, 64);
        for (int rank = 0; rank < 2; rank++) {
            add_sample(&world, 0, rank, 0, 2e-8);
            add_sample(&world, 0, rank, 2, 1e-7 * list);
        }
    }
    fit(&world);
    double found_s = latency_of(&range, &world, 2, 3200, 2);
    assert_true(fabs(found_s / 3.2e-4 - 1) < 0.03);
    world_dispose(&world);
}

/* The region before has the volume of a box as its feature; two sides of it are arguments, which
 * tell most of the third. */
TEST(a_feature_of_another_region_may_tell_more_than_arguments) {
    static const double boxes[][3] = {{10, 10, 8},  {10, 20, 18}, {20, 20, 15}, {20, 40, 36},
                                      {40, 40, 31}, {40, 80, 73}, {80, 80, 62}, {80, 160, 148}};
    struct world world;
    world_init(&world);
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        double volume = boxes[i][0] * boxes[i][1] * boxes[i][2];
        begin_run(&world, 2, boxes[i][0], boxes[i][1]);
        for (int rank = 0; rank < 2; rank++) {
            add_sample(&world, 1, rank, volume, 1e-8 * volume);
            add_sample(&world, 0, rank, 64, 2e-9 * volume);
        }
    }
    assert_contains(fit(&world), "*n1@1 of the run, since what decides is no feature: error 0%");
    world_dispose(&world);
}

/* Some work for each item of a list, besides that for each of its parts. */
TEST(what_is_done_besides_makes_an_offset) {
    struct world world;
    double range;
    world_init(&world);
    for (double list = 50; list <= 1600; list *= 2)
        add_run(&world, 2, list, 64, 1e-8 * (90 + list));
    assert_contains(fit(&world), "*(90 + arg1) of the run");
    assert_true(fabs(latency_of(&range, &world, 2, 10, 64) / 1e-6 - 1) < 1e-3);
    assert_true(fabs(latency_of(&range, &world, 2, 3200, 64) / 3.29e-5 - 1) < 1e-3);
    world_dispose(&world);
}

static void add_list_run(struct world *world, double list, double size, double latency_s) {
    begin_run(world, 2, list, size);
    for (int rank = 0; rank < 2; rank++)
        add_sample(world, 0, rank, 64, latency_s);
}

static const struct bsim_scale *other_scale(const struct world *world) {
    assert_non_null(world->scale);
    return bsim_scale_next(world->scale);
}

/* Ten times as large in all runs, so that either may be what decides. */
TEST(numbers_that_go_together_are_kept) {
    struct world world;
    double range;
    world_init(&world);
    for (double list = 100; list <= 1600; list *= 2)
        add_list_run(&world, list, 10 * list, 1e-8 * (90 + list));
    assert_contains(fit(&world), "; the samples are told as well by ");
    const struct bsim_scale *other = other_scale(&world);
    assert_non_null(other);
    assert_null(bsim_scale_next(other));
    bool is_size = strcmp(bsim_scale_name(world.scale, 0), "arg2") == 0;
    assert_string_equal(bsim_scale_name(other, 0), is_size ? "arg1" : "arg2");
    for (double list = 100; list <= 1600; list *= 4) {
        double size = 10 * list;
        double taken = bsim_scale_factor(&range, world.scale, is_size ? &size : &list);
        assert_true(fabs(bsim_scale_factor(&range, other, is_size ? &list : &size) / taken - 1) <
                    0.01);
    }
    world_dispose(&world);
}

TEST(numbers_that_go_apart_are_not_kept) {
    struct world world;
    world_init(&world);
    for (double list = 100; list <= 1600; list *= 2)
        add_list_run(&world, list, list == 400 ? 2000 : 10 * list, 1e-8 * list);
    fit(&world);
    assert_null(other_scale(&world));
    world_dispose(&world);
}

/* What the region before has tells the time but for `off` one way or the other, and the argument
 * but for 7 %. */
static const char *note_of_feature(struct world *world, double off) {
    world_init(world);
    for (int i = 0; i < 8; i++) {
        double list = 100 * pow(3, i), latency_s = 1e-7 * list * exp(i % 2 == 0 ? 0.07 : -0.07);
        begin_run(world, 2, list, 64);
        for (int rank = 0; rank < 2; rank++) {
            add_sample(world, 1, rank, 1e9 * latency_s * exp(i % 4 < 2 ? off : -off), latency_s);
            add_sample(world, 0, rank, 64, latency_s);
        }
    }
    return fit(world);
}

TEST(a_feature_has_to_leave_half_of_what_arguments_do) {
    struct world world;
    assert_contains(note_of_feature(&world, 0.7 * 0.035), "n1@1 of the run");
    world_dispose(&world);
    assert_contains(note_of_feature(&world, 1.4 * 0.035), "arg1 of the run");
    world_dispose(&world);
}

/* `number` arguments, of which the last one decides, and the others go up and down. */
static bool finds_the_last_of(int number) {
    struct world world;
    world_init(&world);
    for (int i = 0; i < 6; i++) {
        struct str words = {0};
        double list = 100 * pow(2, i);
        for (int k = 1; k < number; k++)
            str_printf(&words, "\"%d\",", 1 + (7 * k + 3 * i * i + i * k) % 11);
        begin_run(&world, 2, 0, 0);
        world.runs.items[i].arguments =
            arena_printf(&world.arena, "[%s\"%g\"]", str_text(&words), list);
        for (int rank = 0; rank < 2; rank++)
            add_sample(&world, 0, rank, 64, 1e-7 * list);
        str_dispose(&words);
    }
    fit(&world);
    bool found = world.scale != NULL;
    world_dispose(&world);
    return found;
}

TEST(eight_numbers_of_the_run_are_tried) {
    assert_true(finds_the_last_of(8));
    assert_false(finds_the_last_of(9));
}

/* Times that are counted, with powers of two arguments that are halves, each run off by `off` up or
 * down. */
static bool is_scale_of_two_found(double off) {
    static const double lists[] = {100, 100, 200, 200, 400, 400, 800, 800};
    static const double sizes[] = {10, 80, 20, 160, 10, 80, 20, 160};
    struct world world;
    world_init(&world);
    for (int i = 0; i < 8; i++) {
        begin_run(&world, 1, lists[i], sizes[i]);
        world.runs.items[i].clock = "counted: block_ns 1";
        add_sample(&world, 0, 0, 64,
                   1e-9 * pow(lists[i], 1.5) * sqrt(sizes[i]) *
                       (i / 2 % 2 == i % 2 ? 1 + off : 1 - off));
    }
    fit(&world);
    bool found = world.scale != NULL && bsim_scale_count(world.scale) == 2;
    world_dispose(&world);
    return found;
}

TEST(two_powers_of_counted_times_leave_little) {
    assert_true(is_scale_of_two_found(0.02));
    assert_false(is_scale_of_two_found(0.08));
}

/* ---- How sure it is ---- */

/* Of a list, whose power rises slowly, for each of `size` items. */
static double rising_s(double size, double list) {
    return 1e-8 * size * pow(list, 0.25 + 0.004 * log2(list / 1000));
}

/* One rank has half of the list, others their share, so that runs of several ranks alone tell the
 * power of the list from that of what a rank has. Some of these have as much on each rank. */
static void fit_rising(struct world *world) {
    static const double lists[] = {1000, 2000, 4000, 8000, 8000, 16000};
    static const int ranks[] = {1, 1, 1, 1, 2, 4};
    world_init(world);
    for (int i = 0; i < 6; i++) {
        double size = lists[i] / 2 / ranks[i] - 1;
        begin_run(world, ranks[i], lists[i], 64);
        world->runs.items[i].clock = "counted: block_ns 1";
        for (int rank = 0; rank < ranks[i]; rank++)
            add_sample(world, 0, rank, size, rising_s(size, lists[i]));
    }
    fit(world);
    assert_non_null(world->scale);
}

TEST(a_fitted_power_is_judged_by_runs_that_had_no_part_in_it) {
    struct world world;
    double range, size = 500, list = 64000;
    fit_rising(&world);
    double found_s = latency_of(&range, &world, 64, list, size);
    const struct bsim_spread *spread = bsim_region_spread(world.region);
    double off = fabs(log(found_s / rising_s(size, list)));
    double deviation = bsim_spread_deviation(spread, range, 0);
    assert_true(off > 0.005);
    assert_true(off < 0.8 * deviation && deviation < 0.02);
    world_dispose(&world);
}

/* ---- Left alone ---- */

TEST(what_features_explain_needs_nothing) {
    struct world world;
    world_init(&world);
    for (double size = 16; size <= 256; size *= 2)
        add_run(&world, 2, 10 * size, size, 1e-7 * size);
    fit(&world);
    assert_null(world.scale);
    world_dispose(&world);
}

TEST(small_differences_are_left_alone) {
    struct world world;
    world_init(&world);
    for (double list = 100; list <= 800; list *= 2)
        add_run(&world, 2, list, 64, 1e-5 * pow(list, 0.1));
    fit(&world);
    assert_null(world.scale);
    world_dispose(&world);
}

TEST(what_goes_by_nothing_that_is_known_is_told) {
    struct world world;
    world_init(&world);
    const double latencies_s[] = {1e-5, 8e-5, 1e-5, 7e-5, 1e-5, 8e-5};
    for (int i = 0; i < 6; i++)
        add_run(&world, 2, 100 * (i + 1), 64, latencies_s[i]);
    assert_contains(fit(&world), "what decides is none of them");
    assert_null(world.scale);
    world_dispose(&world);
}

/* Half of the error would go away, and what is left be carried to any number of ranks. */
TEST(what_explains_only_half_is_left_alone) {
    static const double latencies_s[] = {1e-5, 1.6e-5, 5.5e-5, 5e-5, 1.8e-4, 1.5e-4};
    struct world world;
    world_init(&world);
    for (int i = 0; i < 6; i++)
        add_run(&world, 2, 100 * pow(2, i / 2.0), 64, latencies_s[i]);
    fit(&world);
    assert_null(world.scale);
    world_dispose(&world);
}

TEST(steep_powers_of_few_ranks_are_left_alone) {
    struct world world;
    world_init(&world);
    for (int ranks = 1; ranks <= 8; ranks *= 2)
        add_run(&world, ranks, 100, 64, 1e-3 * pow(ranks, -3));
    fit(&world);
    assert_null(world.scale);
    world_dispose(&world);
}

TEST(three_runs_are_too_few_for_a_power) {
    struct world world;
    world_init(&world);
    add_three_runs(&world, 2);
    fit(&world);
    assert_null(world.scale);
    world_dispose(&world);
}

TEST(two_numbers_of_an_argument_are_too_few) {
    struct world world;
    world_init(&world);
    for (int i = 0; i < 8; i++)
        add_run(&world, 2, i % 2 == 0 ? 100 : 200, 64, i % 2 == 0 ? 1e-5 : 2e-5);
    fit(&world);
    assert_null(world.scale);
    world_dispose(&world);
}

/* ---- Files ---- */

static void check_damaged(const char *path, bool is_cut) {
    struct bsim_model *read = NULL;
    char text[512];
    double range;
    int result = bsim_model_load(&read, path, NULL, text, sizeof text);
    assert_true(!is_cut || result != 0);
    const struct bsim_region_model *region = result == 0 ? bsim_model_region(read, 0) : NULL;
    if (region != NULL && bsim_region_scale(region) != NULL) {
        const double numbers[BSIM_SCALE_NUMBERS_MAX] = {1e300, 0, -1, NAN, 1};
        double factor = bsim_scale_factor(&range, bsim_region_scale(region), numbers);
        assert_true(factor > 0 && isfinite(factor) && range >= 1 && isfinite(range));
    }
    bsim_model_free(read);
}

TEST(damaged_scales_are_refused_or_read) {
    struct world world;
    world_init(&world);
    add_lists(&world);
    fit(&world);
    assert_non_null(world.scale);
    each_damaged("model.bsim", 4000, 7, check_damaged);
    world_dispose(&world);
}

FIXTURE(directory_setup, directory_teardown)
