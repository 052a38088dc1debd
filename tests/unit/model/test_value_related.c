/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of several directions, some of which few runs have: N particles in a square of L x L are
 * moved by three to the side and by one upwards; each rank has `width` x `height` of it, and tells
 * how many leave. On two and three ranks, one above the other, none go sideways to another rank.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"
#include "model/samples/run_context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIDEWAYS 0
#define UPWARDS 2
#define RUNS_MAX 16

struct world {
    struct arena arena;
    struct run runs[RUNS_MAX];
    int run_count;
    VEC(struct sample) items;
    struct models models;
    struct bsim_model *read;
};

static const struct feature features[] = {
    {"place", "", "", true}, {"width", "", "", false}, {"height", "", "", false}};
static struct region region = {.id = "v",
                               .function = "f",
                               .file = "f.c",
                               .summary = "",
                               .code = "",
                               .value = VALUE_INTEGER,
                               .features = features,
                               .feature_count = 3};

static void add(struct world *world, double place, double width, double height, double number) {
    double *vector = ARENA_ARRAY(&world->arena, double, 3);
    struct repeat *repeat = ARENA_ARRAY(&world->arena, struct repeat, 1);
    *repeat = (struct repeat){number, 1};
    vector[0] = place;
    vector[1] = width;
    vector[2] = height;
    vec_push(&world->items, (struct sample){.run = world->run_count - 1,
                                            .features = vector,
                                            .feature_count = 3,
                                            .count = 1,
                                            .timed = 1,
                                            .seconds = number,
                                            .min = number,
                                            .sequence = repeat,
                                            .repeat_count = 1});
}

/* `noise`: by what share numbers differ from the law. */
static void add_run(struct world *world, int ranks, double particles, double size, double noise,
                    struct random *random) {
    double columns = ranks == 4 ? 2 : 1, width = size / columns, height = size * columns / ranks;
    double density = particles / size / size;
    world->runs[world->run_count++] =
        (struct run){.id = "r",
                     .ranks = ranks,
                     .arguments = arena_printf(&world->arena, "[\"%g\", \"%g\"]", particles, size)};
    add(world, columns > 1 ? SIDEWAYS : -1, width, height,
        columns > 1 ? 3 * density * height * (1 + noise * random_normal(random)) : 0);
    add(world, UPWARDS, width, height, density * width * (1 + noise * random_normal(random)));
}

static void fit(struct world *world, struct region *of) {
    struct regions regions = {
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = of, .count = 1};
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .runs = world->runs,
                              .run_count = world->run_count};
    fit_and_read(&world->models, &world->read, &samples, &regions);
}

static void make(struct world *world, const int *ranks, int rank_count, double noise) {
    static const double sizes[] = {100, 150, 200, 120}, particles[] = {3e4, 2e5, 9e4, 3e5};
    struct random random;
    random_seed(&random, 7);
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    for (int r = 0; r < rank_count; r++)
        for (int i = 0; i < 4; i++)
            add_run(world, ranks[r], particles[i], sizes[i], noise, &random);
    fit(world, &region);
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    arena_dispose(&world->arena);
}

/* 400,000 particles on 400 x 400, on 4 x 4 ranks. */
static void assert_on_16(const struct world *world, double place, double wanted, double tolerance) {
    const struct bsim_value_model *value = bsim_model_value(world->read, 0);
    assert_non_null(value);
    assert_int_equal(bsim_value_context_count(value), 3);
    double number = bsim_value_formula(value, (double[]){place, 100, 100, 16, 4e5, 400});
    if (!(fabs(number - wanted) <= tolerance * wanted))
        fail_msg("%g instead of %g by %s", number, wanted, world->models.items[0].value_formula);
}

static void directions_that_one_number_of_ranks_has_share_as_others_do(void **state) {
    (void)state;
    struct world world;
    make(&world, (int[]){2, 3, 4}, 3, 0);
    assert_on_16(&world, UPWARDS, 250, 0.001);
    assert_on_16(&world, SIDEWAYS, 750, 0.001);
    assert_on_16(&world, -1, 0, 0);
    assert_string_equal(world.models.items[0].note, "");
    world_dispose(&world);
}

static void exponents_that_are_about_halves_are_halves(void **state) {
    (void)state;
    struct world world;
    make(&world, (int[]){2, 3, 4}, 3, 0.02);
    assert_on_16(&world, UPWARDS, 250, 0.02);
    assert_on_16(&world, SIDEWAYS, 750, 0.02);
    world_dispose(&world);
}

static void one_number_of_ranks_leaves_shares_open(void **state) {
    (void)state;
    struct world world;
    make(&world, (int[]){4}, 1, 0);
    assert_string_equal(world.models.items[0].note, RUN_CONTEXT_ONE_SIZE);
    world_dispose(&world);
}

/* An iterative solver: about 1.6 iterations per column, whatever part of them a rank has. */
static double trips_of(double size) {
    return floor(1.6 * size) + (size == 150);
}

static void add_solver(struct world *world, int ranks, double size) {
    double trips = trips_of(size);
    struct repeat *repeats = ARENA_ARRAY(&world->arena, struct repeat, 2);
    repeats[0] = (struct repeat){1, trips};
    repeats[1] = (struct repeat){0, 1};
    world->runs[world->run_count++] = (struct run){
        .id = "r", .ranks = ranks, .arguments = arena_printf(&world->arena, "[\"%g\"]", size)};
    add(world, 0, size, size / ranks, trips);
    struct sample *sample = &world->items.items[world->items.count - 1];
    sample->count = sample->timed = trips + 1;
    sample->min = 0;
    sample->sequence = repeats;
    sample->repeat_count = 2;
}

static void iterations_are_those_of_the_same_size_on_other_ranks(void **state) {
    (void)state;
    static const double sizes[] = {100, 150, 200, 125};
    struct world world = {0};
    struct region solver = region;
    solver.value = VALUE_TRIPS;
    arena_init(&world.arena);
    for (int i = 0; i < 8; i++)
        add_solver(&world, i < 4 ? 1 : 4, sizes[i % 4]);
    fit(&world, &solver);
    for (int i = 0; i < 4; i++) {
        double vector[] = {0, sizes[i], sizes[i] / 16, 16, sizes[i]};
        const struct bsim_value_seen *seen =
            bsim_value_seen(bsim_model_value(world.read, 0), vector);
        assert_non_null(seen);
        assert_true(seen->mean == trips_of(sizes[i]));
    }
    assert_null(bsim_value_seen(bsim_model_value(world.read, 0), (double[]){0, 300, 20, 16, 300}));
    world_dispose(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_that_one_number_of_ranks_has_share_as_others_do),
        cmocka_unit_test(exponents_that_are_about_halves_are_halves),
        cmocka_unit_test(one_number_of_ranks_leaves_shares_open),
        cmocka_unit_test(iterations_are_those_of_the_same_size_on_other_ranks),
    };
    return cmocka_run_group_tests(tests, directory_setup, directory_teardown);
}
