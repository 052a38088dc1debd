/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that scatter are drawn: with the spread that was planted, also where the mean is another
 * one, and with the right sums; ranks that agreed draw alike. What does not scatter, or comes back
 * at another rank, has its mean. All the way to what the skeleton reads.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_draw.h"
#include "model/eval/eval_value.h"
#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 200

struct world {
    struct arena arena;
    struct region region;
    VEC(struct run) runs;
    VEC(struct sample) items;
    struct models models;
    struct bsim_model *read;
    const struct bsim_draws *draws;
};

/* The number in a step on a rank, about `mean`. */
typedef double law(int rank, int step, double mean);

static void add_rank(struct world *world, int rank, double mean, int as, law *value) {
    double *features = ARENA_ARRAY(&world->arena, double, 1);
    struct repeat *sequence = ARENA_ARRAY(&world->arena, struct repeat, STEPS);
    struct sample sample = {.run = (int)world->runs.count - 1,
                            .rank = rank,
                            .features = features,
                            .feature_count = 1,
                            .count = STEPS,
                            .timed = STEPS,
                            .sequence = sequence,
                            .repeat_count = STEPS};
    features[0] = mean;
    for (int step = 0; step < STEPS; step++) {
        double number = round(value(as, step, floor(mean / 10) * 10));
        sequence[step] = (struct repeat){number, 1};
        sample.seconds += number;
        sample.squares += number * number;
        sample.max = fmax(sample.max, number);
    }
    vec_push(&world->items, sample);
}

/* Also: with other features each rank has the numbers of the next one. */
static void train_both(struct world *world, law *value, bool also) {
    static const struct feature feature = {"n1", "", "", false};
    char text[512] = "";
    struct error error = {0};
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
    for (double mean = 50; mean <= 200; mean *= 2) {
        const char *arguments = arena_printf(&world->arena, "[\"%g\"]", mean);
        vec_push(&world->runs, (struct run){.id = "r", .ranks = 3, .arguments = arguments});
        for (int rank = 0; rank < 3; rank++)
            add_rank(world, rank, mean, rank, value);
        for (int rank = 0; rank < 3 && also; rank++)
            add_rank(world, rank, mean + 1, (rank + 1) % 3, value);
    }
    struct regions regions = {
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &world->region, .count = 1};
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .runs = world->runs.items,
                              .run_count = (int)world->runs.count};
    models_fit(&world->models, &samples, &regions, "default");
    assert_int_equal(models_write(&world->models, test_path("model.bsim"), &error), 0);
    if (bsim_model_load(&world->read, test_path("model.bsim"), TEST_BUNDLE, text, sizeof text) != 0)
        fail_msg("%s", text);
    world->draws = bsim_value_draws(bsim_model_value(world->read, 0));
}

static void train(struct world *world, law *value) {
    train_both(world, value, false);
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    vec_dispose(&world->runs);
    arena_dispose(&world->arena);
}

static double uniform(int rank, int step) {
    struct random random;
    random_seed(&random, (unsigned)(rank * 100003 + step * 17 + 1));
    random_uniform(&random);
    return random_uniform(&random);
}

/* Of 16,000 draws about the mean. */
static void assert_spread(const struct world *world, double mean, double deviation) {
    double sum = 0, squares = 0;
    int count = 16000;
    for (int i = 0; i < count; i++) {
        double number = bsim_draws_value(world->draws, 7, (uint64_t)i, mean);
        sum += number - mean;
        squares += (number - mean) * (number - mean);
    }
    if (!(fabs(sum) < 1e-6 * mean * count))
        fail_msg("the sum is off by %g", sum);
    double got = sqrt(squares / count);
    if (!(fabs(got - deviation) < 0.1 * deviation))
        fail_msg("a standard deviation of %g instead of %g", got, deviation);
}

/* ---- Drawn ---- */

static double by_a_share(int rank, int step, double mean) {
    return mean * (0.5 + uniform(rank, step));
}

static void shares_scatter_by_as_much_of_another_mean(void **state) {
    (void)state;
    struct world world;
    train(&world, by_a_share);
    assert_true(world.draws->level_count > 0);
    assert_true(world.draws->is_own);
    assert_true(world.draws->exponent == 1);
    assert_spread(&world, 1000, 1000 / sqrt(12));
    world_dispose(&world);
}

/* As counts of what comes by chance: the variance is the mean. */
static double by_chance(int rank, int step, double mean) {
    return mean + sqrt(12 * mean) * (uniform(rank, step) - 0.5);
}

static void counts_scatter_by_the_root_of_their_mean(void **state) {
    (void)state;
    struct world world;
    train(&world, by_chance);
    assert_true(world.draws->level_count > 0);
    assert_true(world.draws->exponent == 0.5);
    assert_spread(&world, 10000, 100);
    world_dispose(&world);
}

static double agreed(int rank, int step, double mean) {
    (void)rank;
    return by_a_share(0, step, mean);
}

static void ranks_that_agreed_draw_alike(void **state) {
    (void)state;
    struct world world;
    train(&world, agreed);
    assert_true(world.draws->level_count > 0);
    assert_false(world.draws->is_own);
    world_dispose(&world);
}

static void each_level_comes_once_in_a_block(void **state) {
    (void)state;
    struct bsim_draws draws = {.kind = BSIM_DRAWS_LEVELS, .level_count = 16, .exponent = 1};
    for (int i = 0; i < 16; i++)
        draws.levels[i] = i;
    for (uint64_t key = 0; key < 50; key++) {
        int seen[16] = {0}, same = 0;
        for (uint64_t i = 0; i < 16; i++) {
            int level = (int)bsim_draws_value(&draws, key, i, 1) - 1;
            seen[level]++;
            same += level == (int)bsim_draws_value(&draws, key, i + 16, 1) - 1;
        }
        for (int i = 0; i < 16; i++)
            assert_int_equal(seen[i], 1);
        assert_true(same < 8); /* the next block has another order */
    }
}

/* ---- Not drawn ---- */

static void assert_mean(law *value) {
    struct world world;
    train(&world, value);
    assert_int_equal(world.draws->level_count, 0);
    assert_true(bsim_draws_value(world.draws, 7, 3, 12.5) == 12.5);
    world_dispose(&world);
}

static double steady(int rank, int step, double mean) {
    return mean + (uniform(rank, step) < 0.5);
}

static void what_hardly_scatters_has_its_mean(void **state) {
    (void)state;
    assert_mean(steady);
}

/* Ranks 1 and 2 had the same. */
static double agreed_by_some(int rank, int step, double mean) {
    return by_a_share(rank > 0, step, mean);
}

static void what_some_ranks_agreed_on_has_its_mean(void **state) {
    (void)state;
    assert_mean(agreed_by_some);
}

/* One side of a message has what the other one sends. */
static void what_comes_back_at_another_rank_has_its_mean(void **state) {
    (void)state;
    struct world world;
    train_both(&world, by_a_share, true);
    assert_int_equal(world.draws->level_count, 0);
    world_dispose(&world);
}

/* A larger problem scatters less, then more. */
static double in_every_way(int rank, int step, double mean) {
    double width = mean == 50 ? 0 : mean == 100 ? 1.9 : 0.02;
    return mean * (1 + width * (uniform(rank, step) - 0.5)) + (rank == step % 3);
}

static void what_scatters_otherwise_in_each_run_has_its_mean(void **state) {
    (void)state;
    assert_mean(in_every_way);
}

/* ---- Files ---- */

static void check_damaged(law *value, const char *beginning) {
    struct world world;
    struct random random;
    static char bytes[65536], copy[65600];
    char text[512];
    train(&world, value);
    FILE *file = fopen(test_path("model.bsim"), "rb");
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(length < sizeof bytes);
    const char *line = strstr(bytes, beginning);
    assert_non_null(line);
    size_t first = (size_t)(line - bytes);
    random_seed(&random, 5);
    for (int i = 0; i < 2000; i++) {
        struct bsim_model *read = NULL;
        bool cut = first + (size_t)i < length;
        size_t changed = cut ? first + (size_t)i : length;
        memcpy(copy, bytes, changed);
        if (!cut) { /* in the line of draws */
            size_t tail = length - first;
            damage(copy + first, &tail, &random);
            changed = first + tail;
        }
        write_bytes(test_path("damaged.bsim"), copy, changed);
        int result = bsim_model_load(&read, test_path("damaged.bsim"), NULL, text, sizeof text);
        assert_true(!cut || changed >= length - 1 || result != 0);
        if (result == 0 && bsim_model_value(read, 0) != NULL)
            bsim_draws_value(bsim_value_draws(bsim_model_value(read, 0)), 1, 2, 3);
        bsim_model_free(read);
    }
    world_dispose(&world);
}

static void damaged_draws_are_refused_or_read(void **state) {
    (void)state;
    check_damaged(by_a_share, "\nscatter levels own 1 16 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_scatter_by_as_much_of_another_mean),
        cmocka_unit_test(counts_scatter_by_the_root_of_their_mean),
        cmocka_unit_test(ranks_that_agreed_draw_alike),
        cmocka_unit_test(each_level_comes_once_in_a_block),
        cmocka_unit_test(what_hardly_scatters_has_its_mean),
        cmocka_unit_test(what_some_ranks_agreed_on_has_its_mean),
        cmocka_unit_test(what_comes_back_at_another_rank_has_its_mean),
        cmocka_unit_test(what_scatters_otherwise_in_each_run_has_its_mean),
        cmocka_unit_test(damaged_draws_are_refused_or_read),
    };
    return cmocka_run_group_tests(tests, directory_setup, directory_teardown);
}
