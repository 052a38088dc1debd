/* SPDX-License-Identifier: Apache-2.0
 *
 * The spread of a model: planted errors of configurations, runs, ranks and executions come back,
 * few configurations make it wide; its line in model.bsim is read back, or refused.
 */
#include "support.h"

#include "base/arena.h"
#include "model/latency/latency.h"
#include "model/latency/spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 400

/* Points with one feature, one per configuration; what a refit says is `model` of the feature. */
struct world {
    struct point items[POINTS];
    double features[POINTS];
    int configuration[POINTS];
    struct points points;
    double (*model)(const struct world *world, double feature, const bool *left_out);
    struct bsim_spread spread;
    bool known;
    double least_error;
    struct run_errors *runs;
};

static void refit(double *out_s, const bool *left_out, const void *context) {
    const struct world *world = context;
    for (size_t i = 0; i < world->points.count; i++)
        if (left_out[world->configuration[i]])
            out_s[i] = world->model(world, world->features[i], left_out);
}

static void add_point(struct world *world, double feature, double latency_s) {
    size_t i = world->points.count++;
    world->features[i] = feature;
    world->configuration[i] = (int)i;
    world->items[i] = (struct point){
        .run = (int)i, .features = &world->features[i], .latency_s = latency_s, .total_s = 1};
    world->points.items = world->items;
}

/* Configurations are numbered in the order of the points. */
static void measure(struct world *world, const struct sample *samples, size_t count) {
    struct spread_question question = {.points = &world->points,
                                       .configuration = world->configuration,
                                       .configuration_count =
                                           world->configuration[world->points.count - 1] + 1,
                                       .feature_count = 1,
                                       .refit = refit,
                                       .context = world,
                                       .least_error = world->least_error,
                                       .runs = world->runs};
    world->known = spread_of_region(&world->spread, &question, samples, count);
}

static double truth(const struct world *world, double feature, const bool *left_out) {
    (void)world, (void)left_out;
    return 1e-6 * feature;
}

/* Proportional to the feature, through the largest one that is left in. */
static double line(const struct world *world, double feature, const bool *left_out) {
    double largest = 0, latency_s = 0;
    for (size_t i = 0; i < world->points.count; i++) {
        if (left_out[world->configuration[i]] || world->features[i] < largest)
            continue;
        largest = world->features[i];
        latency_s = world->items[i].latency_s;
    }
    return latency_s * feature / largest;
}

TEST(planted_errors_come_back) {
    struct world world = {.model = truth};
    struct random random;
    random_seed(&random, 7);
    for (int i = 0; i < POINTS; i++)
        add_point(&world, 1000 + i, 1e-6 * (1000 + i) * exp(0.08 * random_normal(&random)));
    measure(&world, NULL, 0);
    assert_true(world.known);
    assert_within(world.spread.model, 0.08, 0.1);
    assert_true(world.spread.rank == 0 && world.spread.execution == 0);
}

/* Errors of +-5 % in three configurations: Student's quantile for two degrees is 4.30. */
TEST(few_configurations_make_it_wide) {
    struct world world = {.model = truth};
    add_point(&world, 1, 1e-6 * exp(0.05));
    add_point(&world, 1, 1e-6 * exp(-0.05));
    add_point(&world, 1, 1e-6 * exp(0.05));
    measure(&world, NULL, 0);
    assert_within(world.spread.model, 0.05 * 4.3027 / 1.959964, 1e-4);
    struct world two = {.model = truth};
    add_point(&two, 1, 1e-6 * exp(0.05));
    add_point(&two, 1, 1e-6 * exp(-0.05));
    measure(&two, NULL, 0);
    assert_within(two.spread.model, 0.05 * 12.7062 / 1.959964, 1e-4);
}

/* One is a fifth above, the other one a fifth below what any formula of the features can say. */
TEST(runs_with_the_same_features_do_not_make_up_for_each_other) {
    struct world world = {.model = truth};
    for (int i = 0; i < 8; i++) {
        add_point(&world, 1000 + i / 2, 1e-6 * (1000 + i / 2) * exp(i % 2 == 0 ? 0.2 : -0.2));
        world.configuration[i] = i / 2;
    }
    measure(&world, NULL, 0);
    assert_within(world.spread.model, 0.2 * 3.1824 / 1.959964, 0.01);
}

TEST(errors_grow_out_of_the_range) {
    struct world wrong = {.model = line}, right = {.model = truth}, near = {.model = truth};
    for (int i = 0; i < 8; i++) {
        add_point(&wrong, pow(2, i), 1e-6 * pow(4, i)); /* it is a square, not a line */
        add_point(&right, pow(2, i), 1e-6 * pow(2, i) * exp(i % 2 == 0 ? 0.01 : -0.01));
        add_point(&near, 1000 + i, 1e-6 * (1000 + i) * exp(i % 2 == 0 ? 0.01 : -0.01));
    }
    measure(&wrong, NULL, 0);
    measure(&right, NULL, 0);
    measure(&near, NULL, 0);
    assert_true(wrong.spread.beyond > 0.9);
    assert_true(right.spread.beyond < 0.05);
    assert_true(right.spread.beyond >= right.spread.model);
    assert_true(near.spread.beyond >= 0.5); /* nothing tells how it goes on */
}

/* Each is 1.2 times the next: one left out tells nothing of what is beyond, half of them do. */
TEST(upper_half_tells_what_is_beyond) {
    struct world world = {.model = truth};
    for (int i = 0; i < 8; i++)
        add_point(&world, 1000 * pow(1.2, i), 1e-3 * pow(1.2, i) * exp(i % 2 ? 0.01 : -0.01));
    measure(&world, NULL, 0);
    assert_true(world.spread.beyond < 0.05);
}

/* Both had to be extrapolated to, by a factor e^2, when they were left out. */
TEST(extrapolated_errors_count_for_less) {
    struct world world = {.model = truth};
    add_point(&world, 100, 1e-4 * exp(0.1));
    add_point(&world, 100 * exp(2), 1e-4 * exp(2) * exp(0.1));
    measure(&world, NULL, 0);
    assert_within(world.spread.model, 0.1 / sqrt(1 + 2 * 2) * 12.7062 / 1.959964, 1e-4);
}

static struct sample sample(int run, int rank, double latency_s, double timed) {
    static const double feature = 1;
    return (struct sample){.run = run,
                           .rank = rank,
                           .features = &feature,
                           .feature_count = 1,
                           .count = timed,
                           .timed = timed,
                           .seconds = timed * latency_s,
                           .squares = timed * latency_s * latency_s};
}

TEST(one_configuration_is_judged_by_its_runs) {
    struct world world = {.model = truth};
    struct sample samples[] = {sample(0, 0, 1e-3 * exp(0.02), 1), sample(1, 0, 1e-3, 1),
                               sample(2, 0, 1e-3 * exp(-0.02), 1)};
    add_point(&world, 1, 1e-3);
    measure(&world, samples, 1);
    assert_false(world.known);
    measure(&world, samples, 3);
    assert_true(world.known);
    assert_within(world.spread.model, 0.02 * 4.3027 / 1.959964, 1e-4);
    assert_within(world.spread.beyond, 0.5, 1e-6);
}

/* Of the ranks' means most of the differences are chance. */
TEST(ranks_and_executions_are_told_apart) {
    enum { RUNS = 400, RANKS = 4, TIMED = 8 };
    static struct sample samples[RUNS * RANKS];
    struct world world = {.model = truth};
    struct random random;
    random_seed(&random, 3);
    for (int i = 0; i < RUNS * RANKS; i++) {
        double factor = exp(0.1 * random_normal(&random));
        samples[i] = sample(i / RANKS, i % RANKS, 0, TIMED);
        for (int k = 0; k < TIMED; k++) {
            double latency_s = 1e-3 * factor * exp(0.4 * random_normal(&random) - 0.08);
            samples[i].seconds += latency_s;
            samples[i].squares += latency_s * latency_s;
        }
    }
    add_point(&world, 1, 1e-3);
    measure(&world, samples, RUNS * RANKS);
    assert_within(world.spread.rank, 0.1, 0.2); /* with what is chance: 0.17 */
    assert_within(world.spread.execution, 0.4, 0.1);
}

/* The first of ten executions takes three times as long, and the model knows. */
TEST(what_a_ratio_explains_is_no_spread) {
    struct world world = {.model = truth};
    const struct sample_context contexts[] = {{.execution = 0, .timed = 1, .seconds = 3e-3},
                                              {.execution = 5, .timed = 9, .seconds = 9e-3}};
    struct sample samples[2] = {sample(0, 0, 1.2e-3, 10), sample(1, 0, 1.2e-3, 10)};
    for (int i = 0; i < 2; i++) {
        samples[i].squares = 9e-6 + 9e-6;
        samples[i].contexts = contexts;
        samples[i].context_count = 2;
    }
    add_point(&world, 1, 1.2e-3);
    measure(&world, samples, 2);
    assert_within(world.spread.execution, sqrt(log1p(0.4 / 1.44)), 1e-6);
    samples[0].ratio = samples[1].ratio = 1.2;
    measure(&world, samples, 2);
    assert_true(world.spread.execution < 1e-6);
}

/* The second of two executions takes three times as long: in every run, so that it is no spread, or
 * in every other run. */
TEST(executions_are_compared_with_those_of_repeated_runs) {
    enum { RUNS = 4 };
    struct sample samples[RUNS];
    struct sample_context contexts[RUNS][2];
    int configuration[RUNS] = {0, 0, 0, 0};
    struct run_errors runs = {0};
    for (int same = 1; same >= 0; same--) {
        struct world world = {.model = truth};
        for (int i = 0; i < RUNS; i++) {
            double second_s = same || i % 2 == 0 ? 3e-3 : 1e-3;
            samples[i] = sample(i, 0, 1e-3, 2);
            samples[i].seconds = 1e-3 + second_s;
            samples[i].squares = 1e-6 + second_s * second_s;
            contexts[i][0] = (struct sample_context){.timed = 1, .seconds = 1e-3};
            contexts[i][1] =
                (struct sample_context){.execution = 1, .timed = 1, .seconds = second_s};
            samples[i].contexts = contexts[i];
            samples[i].context_count = 2;
        }
        add_point(&world, 1, 1e-3);
        world.runs = NULL;
        measure(&world, samples, RUNS);
        assert_true(world.spread.execution > 0.3); /* nobody tells which runs repeat each other */
        world.runs = &runs;
        run_errors_init(&runs, &(struct samples){.run_count = RUNS}, NULL);
        free(runs.configuration);
        runs.configuration = configuration;
        measure(&world, samples, RUNS);
        if (same)
            assert_true(world.spread.execution < 1e-9);
        else
            assert_within(world.spread.execution, log(3) / sqrt(6), 1e-6);
        runs.configuration = NULL;
        run_errors_dispose(&runs);
    }
}

static double spread_between_runs(const struct samples *samples, const struct regions *regions) {
    struct works works;
    struct run_errors errors = {0};
    works_init(&works, samples, regions);
    double spread = spread_of_runs(samples, &works, &errors);
    works_dispose(&works);
    return spread;
}

TEST(repeated_runs_have_a_common_spread) {
    static const double factors[] = {1, 2, 3, 1, 1}; /* the last two are not repeated */
    struct run runs[5];
    struct sample items[5];
    struct region region = {.value = VALUE_NONE};
    struct regions regions = {.items = &region, .count = 1};
    for (int i = 0; i < 5; i++) {
        runs[i] = (struct run){
            .arguments = i < 4 ? "[\"64\"]" : "[\"65\"]", .ranks = 2, .host = "", .complete = true};
        items[i] = sample(i, 0, 1e-3 * factors[i], 100);
    }
    runs[3].complete = false;
    struct samples samples = {.runs = runs, .run_count = 5, .items = items, .count = 5};
    double mean = log(6) / 3;
    double squares = mean * mean + pow(log(2) - mean, 2) + pow(log(3) - mean, 2);
    assert_within(spread_between_runs(&samples, &regions), sqrt(squares / 2) * 4.3027 / 1.959964,
                  1e-4);
    samples.run_count = 1;
    samples.count = 1;
    assert_true(spread_between_runs(&samples, &regions) == 0);
}

/* Two regions of 400 runs that are off by 8 %, together or each by itself. */
static double common_spread(bool together) {
    struct samples samples = {.run_count = POINTS};
    struct run_errors runs;
    struct world worlds[2] = {{.model = truth, .runs = &runs}, {.model = truth, .runs = &runs}};
    struct random random;
    random_seed(&random, 11);
    run_errors_init(&runs, &samples, NULL);
    for (int i = 0; i < POINTS; i++) {
        double one = 0.08 * random_normal(&random), other = 0.08 * random_normal(&random);
        add_point(&worlds[0], 1000, 1e-3 * exp(one));
        add_point(&worlds[1], 1000, 1e-3 * exp(together ? one : other));
    }
    measure(&worlds[0], NULL, 0);
    measure(&worlds[1], NULL, 0);
    double common = spread_of_runs(&samples, NULL, &runs);
    run_errors_dispose(&runs);
    return common;
}

TEST(regions_that_are_wrong_together_are_noticed) {
    assert_within(common_spread(true), 0.08 * sqrt(0.5), 0.1); /* half is explained by themselves */
    assert_true(common_spread(false) < 0.02);
}

/* What a search over shapes was off by counts if that is more than fitting the last one anew is. */
TEST(error_is_not_below_what_the_search_was_off_by) {
    struct world world = {.model = truth, .least_error = 0.1};
    for (int i = 0; i < POINTS; i++)
        add_point(&world, 1000, 1e-3);
    measure(&world, NULL, 0);
    assert_within(world.spread.model, 0.1253, 0.01);
}

/* ---- model.bsim ---- */

#define HEAD                                                                                       \
    "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine default\n"                                   \
    "region 0 a features 0 terms 1 range\nterm 1\n"
#define VALUE "value 3 v integer features 0 context 0 answers 0 key 0\n"

static int load(struct bsim_model **out, const char *text, char *error, size_t size) {
    const char *path = test_path("model.bsim");
    write_text(path, text);
    return bsim_model_load(out, path, TEST_BUNDLE, error, size);
}

TEST(the_line_is_read_back) {
    struct bsim_model *model = NULL;
    char error[512] = "";
    if (load(&model,
             HEAD "spread 0.05 0.01 0.02 0.3 0.5\nregion 40 b features 0 terms 0 range\nend 2\n",
             error, sizeof error) != 0)
        fail_msg("%s", error);
    const struct bsim_spread *spread = bsim_region_spread(bsim_model_region(model, 0));
    assert_non_null(spread);
    assert_true(spread->model == 0.05 && spread->run == 0.01 && spread->rank == 0.02);
    assert_true(spread->execution == 0.3 && spread->beyond == 0.5);
    assert_null(bsim_region_spread(bsim_model_region(model, 40)));
    bsim_model_free(model);
}

/* The store keeps a model as its lines. */
TEST(a_models_lines_keep_its_spread) {
    struct arena arena;
    struct region region = {.id = "r"};
    struct latency_model model = {.has_spread = true, .spread = {0.25, 0.125, 0.1, 0.5, 2}};
    struct latency_model other = {0};
    arena_init(&arena);
    latency_write_lines(&model, &arena, &region);
    assert_contains(model.lines, "\nspread 0.25 0.125 0.1");
    assert_int_equal(latency_read_lines(&other, &arena, model.lines), 0);
    assert_true(other.has_spread && other.spread.beyond == 2 && other.spread.rank == 0.1);
    model.has_spread = false;
    latency_write_lines(&model, &arena, &region);
    assert_int_equal(latency_read_lines(&other, &arena, model.lines), 0);
    assert_false(other.has_spread);
    assert_int_equal(
        latency_read_lines(&other, &arena, "region 0 r features 0 terms 0 range\nspread x\n"), -1);
    arena_dispose(&arena);
}

/* Also just out of the range, where the logarithm of the factor is small. */
TEST(deviations_grow_from_the_range_on) {
    const struct bsim_spread spread = {.model = 0.03, .beyond = 0.4 / log(1.5)};
    (void)state;
    assert_within(bsim_spread_deviation(&spread, 1, 0), 0.03, 1e-12);
    assert_within(bsim_spread_deviation(&spread, 0.5, 0), 0.03, 1e-12);
    assert_within(bsim_spread_deviation(&spread, 1.5, 0), sqrt(0.03 * 0.03 + 0.4 * 0.4), 1e-12);
}

TEST(wrong_lines_are_refused) {
    static const struct {
        const char *text, *error;
    } refused[] = {
        {HEAD "spread\n", ":6: error: the line ends where a spread should be"},
        {HEAD "spread 0 0 0 0\nend 1\n", ":6: error: the line ends where a spread should be"},
        {HEAD "spread 0 0 0 0 0 0\nend 1\n", ":6: error: '0' after the end"},
        {HEAD "spread -1 0 0 0 0\nend 1\n", ":6: error: -1 is out of range"},
        {HEAD "spread nan 0 0 0 0\nend 1\n", ":6: error: nan is out of range"},
        {HEAD "spread 0 0 0 0 inf\nend 1\n", ":6: error: inf is out of range"},
        {HEAD "spread 0 x 0 0 0\nend 1\n", ":6: error: 'x' is not a number"},
        {HEAD "spread 0 0 0 0 0\nspread 0 0 0 0 0\nend 1\n", ":7: error: two spreads of a region"},
        {HEAD VALUE "spread 0 0 0 0 0\nend 2\n", ":7: error: a 'spread' that follows no region"},
        {"mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine default\nspread 0 0 0 0 0\nend 0\n",
         ":4: error: a 'spread' that follows no region"},
        {HEAD "spread 0 0 0 0 0\nend 2\n", ":7: error: the file has 1 regions"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct bsim_model *model = NULL;
        char error[512] = "";
        assert_int_equal(load(&model, refused[i].text, error, sizeof error), -1);
        assert_contains(error, refused[i].error);
    }
}

TEST(damaged_lines_do_no_harm) {
    static const char good[] = HEAD "spread 0.05 0.01 0.02 0.3 0.5\nend 1\n";
    struct random random;
    random_seed(&random, 2);
    for (int round = 0; round < 2000; round++) {
        char bytes[sizeof good + 16], error[512] = "";
        size_t length = sizeof good - 1;
        struct bsim_model *model = NULL;
        memcpy(bytes, good, sizeof good);
        damage(bytes, &length, &random);
        write_bytes(test_path("model.bsim"), bytes, length);
        if (bsim_model_load(&model, test_path("model.bsim"), NULL, error, sizeof error) != 0) {
            assert_contains(error, "mpiskel fit");
            continue;
        }
        const struct bsim_region_model *region = bsim_model_region(model, 0);
        const struct bsim_spread *spread = region != NULL ? bsim_region_spread(region) : NULL;
        assert_true(spread == NULL || (spread->beyond >= 0 && spread->beyond <= BSIM_SPREAD_MAX));
        bsim_model_free(model);
    }
}

/* Run 1 was made when the program had other regions: most of its samples are gone. */
TEST(runs_of_an_older_program_are_no_repetitions) {
    struct run run = {.arguments = "[]", .ranks = 1, .host = "", .complete = true};
    struct run runs[] = {run, run, run};
    struct sample items[] = {sample(0, 0, 1e-3, 100), sample(0, 0, 1e-5, 100),
                             sample(1, 0, 1e-5, 100), sample(2, 0, 2e-3, 100),
                             sample(2, 0, 1e-5, 100)};
    struct region region[2] = {{.value = VALUE_NONE}, {.value = VALUE_NONE}};
    struct regions regions = {.items = region, .count = 2};
    items[1].region = items[2].region = items[4].region = 1;
    struct samples samples = {.runs = runs, .run_count = 3, .items = items, .count = 5};
    double apart = log(2.01 / 1.01);
    assert_within(spread_between_runs(&samples, &regions), apart / sqrt(2) * 12.7062 / 1.959964,
                  1e-4);
}

/* What a run works on came from a file: the same arguments, other features. Who of the ranks did
 * what does not matter. */
TEST(runs_with_other_input_are_no_repetitions) {
    static const double small[] = {100}, large[] = {800};
    struct run run = {.arguments = "[]", .ranks = 2, .host = "", .complete = true};
    struct run runs[] = {run, run, run, run};
    struct sample items[] = {sample(0, 0, 1e-3, 100), sample(1, 1, 2e-3, 100),
                             sample(2, 0, 9e-2, 100), sample(3, 0, 9e-2, 100)};
    for (int i = 0; i < 4; i++) {
        items[i].features = i < 2 ? small : large;
        items[i].feature_count = 1;
    }
    struct region region = {.value = VALUE_NONE};
    struct regions regions = {.items = &region, .count = 1};
    struct samples samples = {.runs = runs, .run_count = 4, .items = items, .count = 4};
    struct works works;
    struct run_errors errors;
    works_init(&works, &samples, &regions);
    /* Two pairs: one differs by a factor of two, one by nothing. */
    assert_within(spread_of_runs(&samples, &works, &(struct run_errors){0}),
                  log(2) / 2 * 4.3027 / 1.959964, 1e-4);
    run_errors_init(&errors, &samples, &works);
    assert_int_equal(errors.configuration[1], 0);
    assert_int_equal(errors.configuration[2], 2);
    assert_int_equal(errors.configuration[3], 2);
    run_errors_dispose(&errors);
    works_dispose(&works);
}

FIXTURE(directory_setup, directory_teardown)
