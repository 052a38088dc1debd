/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that gives a value has the rank as an argument, so that it is among the features.
 * Where all ranks had the same numbers it says nothing about them; where they had their own it
 * does.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct world {
    struct arena arena;
    struct region region;
    struct regions regions;
    VEC(struct run) runs;
    VEC(struct sample) items;
    struct models models;
    struct bsim_model *read;
    const struct bsim_value_model *value;
};

static void world_init(struct world *world) {
    static const struct feature features[] = {{"n1", "", "", false}, {"rank", "", "", false}};
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    world->region = (struct region){.id = "v",
                                    .function = "f",
                                    .file = "f.c",
                                    .summary = "",
                                    .code = "",
                                    .value = VALUE_INTEGER,
                                    .features = features,
                                    .feature_count = 2};
    world->regions = (struct regions){
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &world->region, .count = 1};
}

static void add(struct world *world, int run, int rank, double n, double number) {
    double *features = ARENA_ARRAY(&world->arena, double, 2);
    struct repeat *sequence = ARENA_ARRAY(&world->arena, struct repeat, 1);
    *sequence = (struct repeat){number, 1};
    features[0] = n;
    features[1] = rank;
    vec_push(&world->items, ((struct sample){.run = run,
                                             .rank = rank,
                                             .features = features,
                                             .feature_count = 2,
                                             .count = 1,
                                             .timed = 1,
                                             .seconds = number,
                                             .min = number,
                                             .sequence = sequence,
                                             .repeat_count = 1}));
}

static void learn(struct world *world) {
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .runs = world->runs.items,
                              .run_count = (int)world->runs.count};
    fit_and_read(&world->models, &world->read, &samples, &world->regions);
    world->value = bsim_model_value(world->read, 0);
    assert_non_null(world->value);
}

/* Runs on 2 and 4 ranks with sizes that have no simple law. */
static void train(struct world *world, double (*number)(double n, int ranks, int rank)) {
    static const double sizes[] = {20, 40, 80};
    for (int ranks = 2; ranks <= 4; ranks += 2)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            vec_push(&world->runs, ((struct run){.id = "r", .ranks = ranks, .arguments = ""}));
            for (int rank = 0; rank < ranks; rank++)
                add(world, (int)world->runs.count - 1, rank, sizes[s],
                    number(sizes[s], ranks, rank));
        }
    learn(world);
}

static void assert_near(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-6 * fabs(wanted)))
        fail_msg("%g instead of %g", got, wanted);
}

/* As a skeleton asks, on so many ranks. */
static double ask(const struct world *world, double n, int ranks, int rank) {
    const double *vector = VECTOR(world->value, "n1 rank ranks", n, rank, ranks);
    const struct bsim_value_seen *seen = bsim_value_recall(world->value, vector);
    return seen != NULL ? seen->mean : bsim_value_formula(world->value, vector);
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    vec_dispose(&world->runs);
    arena_dispose(&world->arena);
}

static double iterations(double n, int ranks, int rank) {
    (void)ranks, (void)rank;
    return n == 20 ? 7 : n == 40 ? 27 : 31;
}

static double own_share(double n, int ranks, int rank) {
    (void)ranks;
    return n * (1 + rank);
}

/* One pair of ranks is enough to tell that they need not agree. */
static double almost_agreed(double n, int ranks, int rank) {
    return iterations(n, ranks, 0) + (n == 40 && rank == 1);
}

TEST(what_ranks_agreed_on_goes_by_no_rank) {
    struct world world;
    world_init(&world);
    const int *places;
    int count;
    train(&world, iterations);
    assert_true(bsim_value_is_once(&places, &count, world.value));
    assert_int_equal(count, 0); /* each rank asks one question */
    assert_near(ask(&world, 40, 4, 3), 27);
    for (int rank = 1; rank < 16; rank++) {
        assert_near(ask(&world, 40, 16, rank), ask(&world, 40, 16, 0));
        assert_near(ask(&world, 55, 16, rank), ask(&world, 55, 16, 0));
    }
    world_dispose(&world);
}

TEST(what_ranks_have_for_themselves_may_go_by_the_rank) {
    struct world world;
    world_init(&world);
    const int *places;
    int count;
    train(&world, own_share);
    assert_false(bsim_value_is_once(&places, &count, world.value));
    assert_near(ask(&world, 40, 4, 3), 160);
    assert_near(ask(&world, 100, 16, 9), 1000);
    world_dispose(&world);
    world_init(&world);
    train(&world, almost_agreed);
    assert_near(ask(&world, 40, 4, 1), 28);
    assert_near(ask(&world, 40, 4, 2), 27);
    world_dispose(&world);
}

/* The ranks of one run agree; in others one rank alone comes to the value. */
static bool is_once_among(int alone) {
    struct world world;
    const int *places;
    int count;
    world_init(&world);
    for (int run = 0; run <= alone; run++) {
        vec_push(&world.runs, ((struct run){.id = "r", .ranks = 2, .arguments = ""}));
        for (int rank = 0; rank < (run == 0 ? 2 : 1); rank++)
            add(&world, run, rank, 20 + run, 7);
    }
    learn(&world);
    bool is_once = bsim_value_is_once(&places, &count, world.value);
    world_dispose(&world);
    return is_once;
}

/* One in three of the answers is compared with another rank's, or one in five. */
TEST(ranks_that_agree_have_to_be_a_quarter) {
    assert_true(is_once_among(1));
    assert_false(is_once_among(3));
}

FIXTURE(directory_setup, directory_teardown)
