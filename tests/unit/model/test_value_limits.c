/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits of what a formula of a value has to show: numbers on both sides of each.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

/* One value with the features n1 and n2. */
struct world {
    struct arena arena;
    VEC(struct run) runs;
    VEC(struct sample) items;
    struct models models;
    struct bsim_model *read;
    const struct bsim_value_model *value;
};

static void world_init(struct world *world) {
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
}

static void add_run(struct world *world, int ranks, const char *arguments) {
    vec_push(&world->runs, ((struct run){.id = "r", .ranks = ranks, .arguments = arguments}));
}

/* In the run that was added last. */
static void add(struct world *world, double n1, double n2, double number) {
    double *features = ARENA_ARRAY(&world->arena, double, 2);
    struct repeat *sequence = ARENA_ARRAY(&world->arena, struct repeat, 1);
    *sequence = (struct repeat){number, 1};
    features[0] = n1;
    features[1] = n2;
    vec_push(&world->items, ((struct sample){.run = (int)world->runs.count - 1,
                                             .features = features,
                                             .feature_count = 2,
                                             .count = 1,
                                             .timed = 1,
                                             .seconds = number,
                                             .min = number,
                                             .sequence = sequence,
                                             .repeat_count = 1}));
}

static const char *fit(struct world *world) {
    static const struct feature features[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    static struct region region = {.id = "v",
                                   .function = "f",
                                   .file = "f.c",
                                   .summary = "",
                                   .code = "",
                                   .value = VALUE_INTEGER,
                                   .features = features,
                                   .feature_count = 2};
    const struct regions regions = {
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &region, .count = 1};
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .runs = world->runs.items,
                              .run_count = (int)world->runs.count};
    fit_and_read(&world->models, &world->read, &samples, &regions);
    world->value = bsim_model_value(world->read, 0);
    assert_non_null(world->value);
    return world->models.items[0].value_formula;
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    vec_dispose(&world->runs);
    arena_dispose(&world->arena);
}

/* Falls in a line that comes to zero at `end`, but for a little; sizes are up to 5. */
static bool is_line(double end) {
    struct world world;
    world_init(&world);
    for (int n = 1; n <= 5; n++) {
        add_run(&world, 2, "[]");
        add(&world, n, 1, 1e4 * (end - n) + (n % 2 == 0 ? 20 : -20));
    }
    fit(&world);
    double told = bsim_value_formula(world.value, VECTOR(world.value, "n1 n2", 100, 1));
    world_dispose(&world);
    return fabs(told / (1e4 * (end - 100)) - 1) < 0.01;
}

TEST(what_falls_may_not_come_to_nothing_at_64_times_the_largest) {
    assert_true(is_line(1.4 * 64 * 5));
    assert_false(is_line(0.7 * 64 * 5));
}

/* Two directions are off their mean by 10 %, and by `noise` for no reason. */
static bool is_split(double noise) {
    struct world world;
    world_init(&world);
    for (int i = 1; i <= 8; i++) {
        add_run(&world, 2, "[]");
        for (int direction = 0; direction < 2; direction++)
            add(&world, 100 * i, direction,
                round(1e5 * i * (1 + (direction ? 0.1 : -0.1) + (i % 2 ? noise : -noise))));
    }
    bool split = strstr(fit(&world), "n2=1: ") != NULL;
    world_dispose(&world);
    return split;
}

TEST(formulas_of_parts_have_to_take_away_a_third_of_the_error) {
    assert_true(is_split(0.04));
    assert_false(is_split(0.08));
}

/* An argument tells the number, and a quarter of a percent more for each rank, but for `noise`. */
static bool goes_by_ranks(double noise) {
    struct world world;
    world_init(&world);
    for (int i = 0; i < 12; i++) {
        int ranks = 1 << i % 4, n = 1000 << i / 4;
        add_run(&world, ranks, arena_printf(&world.arena, "[\"%d\"]", n));
        add(&world, 1, 1, round(1000.0 * n * (1 + 0.0025 * ranks + (i % 3 - 1) * noise)));
    }
    bool goes = strstr(fit(&world), "ranks") != NULL;
    world_dispose(&world);
    return goes;
}

TEST(a_formula_that_is_exact_may_go_by_ranks) {
    assert_true(goes_by_ranks(0.0018));
    assert_false(goes_by_ranks(0.004));
}

/* On one number of ranks: three runs each have a size in common, and differ by what another
 * argument adds, which is off its mean by that part of all. */
static bool goes_by_an_argument(double off) {
    struct world world;
    double each = off * 2.5e6 / (8000 / 3.0 - 5000 * off);
    world_init(&world);
    for (int i = 0; i < 12; i++) {
        int size = 100 * (1 + i / 3), more = 1000 + 4000 * (i % 3);
        add_run(&world, 4, arena_printf(&world.arena, "[\"%d\"]", more));
        add(&world, size, 1, round(1e4 * size + each * more));
    }
    bool goes = strstr(fit(&world), "arg1") != NULL;
    world_dispose(&world);
    return goes;
}

TEST(arguments_tell_what_features_contradict) {
    assert_true(goes_by_an_argument(0.028));
    assert_false(goes_by_an_argument(0.013));
}

FIXTURE(directory_setup, directory_teardown)
