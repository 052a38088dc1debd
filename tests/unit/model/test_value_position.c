/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that follow the place of the rank in a box: planted densities are found again on more
 * ranks than were trained, all the way to what the skeleton reads; what may have to agree between
 * ranks, or only scatters, is left alone.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_position.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

struct world {
    struct arena arena;
    struct region region;
    VEC(struct run) runs;
    VEC(struct sample) items;
    struct models models;
    struct bsim_model *read;
    const struct bsim_value_model *value;
};

static void world_init(struct world *world) {
    static const struct feature feature = {"side", "", "", false};
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    world->region = (struct region){.id = "v",
                                    .function = "f",
                                    .file = "f.c",
                                    .summary = "",
                                    .code = "",
                                    .value = VALUE_INTEGER,
                                    .features = &feature,
                                    .feature_count = 1};
}

/* Ten times the same number, on one rank. */
static void add(struct world *world, int rank, double side, double number) {
    double *features = ARENA_ARRAY(&world->arena, double, 1);
    struct repeat *sequence = ARENA_ARRAY(&world->arena, struct repeat, 1);
    features[0] = side;
    sequence[0] = (struct repeat){round(number), 10};
    vec_push(&world->items, (struct sample){.run = (int)world->runs.count - 1,
                                            .rank = rank,
                                            .features = features,
                                            .feature_count = 1,
                                            .count = 10,
                                            .timed = 10,
                                            .seconds = 10 * round(number),
                                            .squares = 10 * round(number) * round(number),
                                            .min = round(number),
                                            .max = round(number),
                                            .sequence = sequence,
                                            .repeat_count = 1});
}

typedef double law(int rank, int ranks, int side, double size);

static void add_run(struct world *world, int ranks, int size, law *value) {
    const char *arguments = arena_printf(&world->arena, "[\"%d\"]", size);
    vec_push(&world->runs, (struct run){.id = "r", .ranks = ranks, .arguments = arguments});
    for (int rank = 0; rank < ranks; rank++)
        for (int side = 0; side < 2; side++)
            add(world, rank, side, value(rank, ranks, side, size));
}

static void fit(struct world *world) {
    struct regions regions = {
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &world->region, .count = 1};
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .runs = world->runs.items,
                              .run_count = (int)world->runs.count};
    fit_and_read(&world->models, &world->read, &samples, &regions);
    world->value = bsim_model_value(world->read, 0);
    assert_non_null(world->value);
}

static void train(struct world *world, law *value) {
    static const int ranks[] = {1, 2, 4}, sizes[] = {1000, 2000, 4000};
    world_init(world);
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            add_run(world, ranks[r], sizes[s], value);
    fit(world);
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    vec_dispose(&world->runs);
    arena_dispose(&world->arena);
}

/* As the skeleton has it: the seen mean or the formula, times the factor. */
static double predicted(const struct world *world, int rank, int ranks, int side, double size) {
    double vector[3] = {side, 0, 0};
    for (int i = 0; i < bsim_value_context_count(world->value); i++)
        vector[i + 1] =
            strcmp(bsim_value_context_name(world->value, i), "ranks") == 0 ? ranks : size;
    bsim_value_clear(world->value, vector);
    const struct bsim_value_seen *seen = bsim_value_recall(world->value, vector);
    double mean = seen != NULL ? seen->mean : bsim_value_formula(world->value, vector);
    return mean * bsim_value_position(world->value, vector, rank, ranks);
}

static void assert_law(const struct world *world, law *value, int ranks, double size,
                       double tolerance) {
    assert_true(bsim_value_has_position(world->value));
    for (int rank = 0; rank < ranks; rank++)
        for (int side = 0; side < 2; side++) {
            double number = predicted(world, rank, ranks, side, size);
            double wanted = value(rank, ranks, side, size);
            if (!(fabs(number - wanted) <= tolerance * wanted))
                fail_msg("%g instead of %g on rank %d of %d, side %d, by %s", number, wanted, rank,
                         ranks, side, world->models.items[0].value_formula);
        }
}

/* ---- Found ---- */

/* As many as there are at the border on that side of a periodic box that is denser in its middle.
 */
static double at_the_border(int rank, int ranks, int side, double size) {
    return size * (1 + 0.1 * side) * (1 - 0.3 * cos(2 * PI * (rank + side) / ranks));
}

static void borders_follow_the_density_of_the_box(void **state) {
    (void)state;
    struct world world;
    train(&world, at_the_border);
    assert_law(&world, at_the_border, 4, 2000, 0.02);
    assert_law(&world, at_the_border, 16, 8000, 0.06);
    assert_law(&world, at_the_border, 64, 2000, 0.06);
    world_dispose(&world);
}

/* A column of a lattice more or less. */
static double on_a_lattice(int rank, int ranks, int side, double size) {
    double at = (double)(rank + side) / ranks;
    return at_the_border(rank, ranks, side, size) * (1 + 0.1 * sin(113 * at + side));
}

static void the_ends_of_the_box_are_not_extrapolated(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    for (int ranks = 1; ranks <= 8; ranks *= 2)
        for (int size = 1000; size <= 4000; size *= 2)
            add_run(&world, ranks, size, on_a_lattice);
    fit(&world);
    assert_law(&world, at_the_border, 64, 8000, 0.35);
    world_dispose(&world);
}

/* The share of a slab of what becomes denser from one end of the box to the other. */
static double in_the_slab(int rank, int ranks, int side, double size) {
    double middle = (rank + 0.5) / ranks;
    return 100 * size / ranks * (1 + 0.1 * side) * (0.5 + middle);
}

static void slabs_have_their_share(void **state) {
    (void)state;
    struct world world;
    train(&world, in_the_slab);
    assert_law(&world, in_the_slab, 16, 4000, 0.03);
    assert_law(&world, in_the_slab, 64, 8000, 0.03);
    world_dispose(&world);
}

/* ---- Left alone ---- */

static double scattered(int rank, int ranks, int side, double size) {
    unsigned hash = (unsigned)(rank * 7919 + ranks * 104729 + side * 31 + (int)size) * 2654435761u;
    return size * (0.8 + 0.4 * (hash >> 16) / 65536.0);
}

static void what_scatters_has_no_position(void **state) {
    (void)state;
    struct world world;
    train(&world, scattered);
    assert_false(bsim_value_has_position(world.value));
    world_dispose(&world);
}

/* Between neighbours, which have the same number. */
static double agreed(int rank, int ranks, int side, double size) {
    (void)side;
    return size * (0.5 + (rank / 2 + 0.5) / (ranks / 2.0));
}

static void what_ranks_may_have_to_agree_on_has_no_position(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    for (int ranks = 4; ranks <= 16; ranks *= 2)
        add_run(&world, ranks, 1000, agreed);
    fit(&world);
    assert_false(bsim_value_has_position(world.value));
    assert_true(predicted(&world, 0, 32, 0, 1000) == predicted(&world, 7, 32, 0, 1000));
    world_dispose(&world);
}

static void one_number_of_ranks_tells_no_position(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    for (int size = 1000; size <= 8000; size *= 2)
        add_run(&world, 4, size, in_the_slab);
    fit(&world);
    assert_false(bsim_value_has_position(world.value));
    world_dispose(&world);
}

/* Floating-point numbers, such as time steps, are the same everywhere. */
static void only_whole_numbers_have_a_position(void **state) {
    (void)state;
    struct world world;
    world_init(&world);
    world.region.value = VALUE_FLOATING;
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        add_run(&world, ranks, 1000, at_the_border);
    fit(&world);
    assert_false(bsim_value_has_position(world.value));
    world_dispose(&world);
}

/* ---- Files ---- */

static void check_damaged(const char *path, bool is_cut) {
    struct bsim_model *read = NULL;
    char text[512];
    int result = bsim_model_load(&read, path, NULL, text, sizeof text);
    assert_true(!is_cut || result != 0);
    if (result == 0 && bsim_model_value(read, 0) != NULL)
        assert_true(bsim_value_position(bsim_model_value(read, 0), (double[3]){0}, 3, 4) >= 0);
    bsim_model_free(read);
}

static void damaged_positions_are_refused_or_read(void **state) {
    (void)state;
    struct world world;
    train(&world, at_the_border);
    each_damaged("model.bsim", 4000, 5, check_damaged);
    world_dispose(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders_follow_the_density_of_the_box),
        cmocka_unit_test(the_ends_of_the_box_are_not_extrapolated),
        cmocka_unit_test(slabs_have_their_share),
        cmocka_unit_test(what_scatters_has_no_position),
        cmocka_unit_test(what_ranks_may_have_to_agree_on_has_no_position),
        cmocka_unit_test(one_number_of_ranks_tells_no_position),
        cmocka_unit_test(only_whole_numbers_have_a_position),
        cmocka_unit_test(damaged_positions_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, directory_setup, directory_teardown);
}
