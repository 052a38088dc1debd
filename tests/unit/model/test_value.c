/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that the skeleton takes as given: what profiling runs have seen comes back in its order,
 * and planted laws are found for what they have not seen. All the way to what the skeleton reads.
 */
#include "support.h"

#include "base/file.h"
#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/eval_value.h"
#include "model/eval/program_numbers.h"
#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One value with two features, runs and samples that are added one by one. */
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

static void world_init(struct world *world, enum value_kind kind) {
    static const struct feature features[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    world->region = (struct region){.id = "v",
                                    .function = "f",
                                    .file = "f.c",
                                    .summary = "",
                                    .code = "",
                                    .value = kind,
                                    .features = features,
                                    .feature_count = 2};
    world->regions = (struct regions){
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &world->region, .count = 1};
}

static int add_run(struct world *world, int ranks, const char *arguments) {
    vec_push(&world->runs, (struct run){.id = "r", .ranks = ranks, .arguments = arguments});
    return (int)world->runs.count - 1;
}

/* `numbers`: as many as `count`, in their order. */
static void add(struct world *world, int run, int rank, double n1, double n2, const double *numbers,
                size_t count) {
    double *features = ARENA_ARRAY(&world->arena, double, 2);
    struct repeat *sequence = ARENA_ARRAY(&world->arena, struct repeat, count);
    struct sample sample = {.run = run,
                            .rank = rank,
                            .features = features,
                            .feature_count = 2,
                            .count = (double)count,
                            .timed = (double)count,
                            .min = INFINITY,
                            .sequence = sequence,
                            .repeat_count = count};
    features[0] = n1;
    features[1] = n2;
    for (size_t i = 0; i < count; i++) {
        sequence[i] = (struct repeat){numbers[i], 1};
        sample.seconds += numbers[i];
        sample.min = fmin(sample.min, numbers[i]);
    }
    vec_push(&world->items, sample);
}

static void add_one(struct world *world, int run, double n1, double n2, double number) {
    add(world, run, 0, n1, n2, &number, 1);
}

/* Fits, writes the model and reads it as a skeleton does. */
static void fit(struct world *world) {
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .runs = world->runs.items,
                              .run_count = (int)world->runs.count};
    fit_and_read(&world->models, &world->read, &samples, &world->regions);
    world->value = bsim_model_value(world->read, 0);
    assert_non_null(world->value);
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    vec_dispose(&world->runs);
    arena_dispose(&world->arena);
}

static void assert_formula(const struct world *world, const double *vector, double wanted) {
    double number = bsim_value_formula(world->value, vector);
    if (!(fabs(number - wanted) <= 0.001 * fabs(wanted)))
        fail_msg("%g instead of %g by %s", number, wanted, world->models.items[0].value_formula);
}

/* ---- Laws ---- */

TEST(counts_follow_their_features) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int i = 1; i <= 6; i++)
        add_one(&world, add_run(&world, 4, "[]"), i, 5, 56.0 * (3 * i + 20));
    fit(&world);
    assert_formula(&world, VECTOR(world.value, "n1 n2", 1000, 5), 56 * 3020);
    assert_true(bsim_value_least(world.value) == 0);
    world_dispose(&world);
}

/* Whether or not some runs never came to the value. */
TEST(directions_have_laws_of_their_own) {
    for (int others = 0; others < 2; others++) {
        struct world world;
        world_init(&world, VALUE_INTEGER);
        for (int i = 1; i <= 4; i++) {
            int run = add_run(&world, 4, "[]");
            add_one(&world, run, i * 10, 0, 700 * i);
            add_one(&world, run, i * 10, 2, 30 * i * i);
            add_one(&world, run, i * 10, 4, 11);
        }
        if (others > 0)
            add_run(&world, 1, "[]");
        fit(&world);
        assert_formula(&world, VECTOR(world.value, "n1 n2 ranks", 100, 0, 4), 7000);
        assert_formula(&world, VECTOR(world.value, "n1 n2 ranks", 100, 2, 4), 3000);
        assert_formula(&world, VECTOR(world.value, "n1 n2 ranks", 100, 4, 4), 11);
        world_dispose(&world);
    }
}

TEST(iterations_follow_ranks_and_arguments) {
    static const struct {
        int ranks, n;
    } runs[] = {{1, 100}, {2, 100}, {4, 100}, {1, 400}, {4, 400}, {2, 900}};
    struct world world;
    world_init(&world, VALUE_TRIPS);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char *arguments = arena_printf(&world.arena, "[\"-n\",\"%d\",\"fast\"]", runs[i].n);
        int run = add_run(&world, runs[i].ranks, arguments);
        double decisions[2000];
        int trips = (int)(4 * sqrt(runs[i].n) * runs[i].ranks);
        for (int k = 0; k < trips; k++)
            decisions[k] = 1;
        decisions[trips] = 0;
        add(&world, run, 0, 7, 7, decisions, (size_t)trips + 1);
    }
    fit(&world);
    assert_int_equal(bsim_value_kind(world.value), BSIM_VALUE_KIND_TRIPS);
    assert_formula(&world, VECTOR(world.value, "n1 n2 ranks -n", 7, 7, 64, 10000), 4 * 100 * 64);
    world_dispose(&world);
}

/* As of builds with other constants: equal ranks and arguments, other features. What tells the
 * builds apart splits nothing. */
TEST(runs_with_other_features_are_other_configurations) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        for (int build = 0; build < 3; build++) {
            double keys = (1 << (16 + 3 * build)) / ranks;
            add_one(&world, add_run(&world, ranks, "[]"), keys, 2 + 4 * build, keys / ranks);
        }
    fit(&world);
    assert_int_equal(world.models.items[0].run_count, 9);
    assert_formula(&world, VECTOR(world.value, "n1 n2 ranks", 1 << 21, 11, 16), 1 << 17);
    world_dispose(&world);
}

/* With one number of ranks an argument's share per rank is not known. */
TEST(features_are_preferred_to_arguments) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int i = 1; i <= 5; i++) {
        char *arguments = arena_printf(&world.arena, "[\"%d\"]", 1000 * i);
        add_one(&world, add_run(&world, 4, arguments), 250 * i + 20 * (i % 2), 1, 2500 * i);
    }
    fit(&world);
    assert_contains(world.models.items[0].value_formula, "*n1");
    assert_null(strstr(world.models.items[0].value_formula, "arg1"));
    world_dispose(&world);
}

/* Two numbers of ranks tell no slope that could be followed to 64. */
TEST(two_numbers_of_ranks_are_not_extrapolated) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int i = 0; i < 6; i++) {
        int ranks = i % 2 == 0 ? 2 : 4, n = 10 << i / 2;
        char *arguments = arena_printf(&world.arena, "[\"%d\"]", n);
        add_one(&world, add_run(&world, ranks, arguments), 1, 1, (ranks == 2 ? 3.1 : 2.9) * n);
    }
    fit(&world);
    double number =
        bsim_value_formula(world.value, VECTOR(world.value, "n1 n2 ranks arg1", 1, 1, 64, 100));
    if (!(number > 270 && number < 330))
        fail_msg("%g instead of 300 by %s", number, world.models.items[0].value_formula);
    world_dispose(&world);
}

/* A per cent less on four ranks than on one would be nothing at all on 64. */
TEST(a_trend_over_ranks_that_may_be_noise_is_not_followed) {
    static const double noise[] = {0.012, -0.009, 0.006, -0.006, 0.003, -0.012, 0.009, 0, -0.003};
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int i = 0; i < 9; i++) {
        int ranks = 1 << i % 3, n = 1000 << i / 3;
        char *arguments = arena_printf(&world.arena, "[\"%d\"]", n);
        add_one(&world, add_run(&world, ranks, arguments), 1, 1,
                round((1.55 - 0.011 * ranks + noise[i]) * n));
    }
    fit(&world);
    double number =
        bsim_value_formula(world.value, VECTOR(world.value, "n1 n2 ranks arg1", 1, 1, 64, 10000));
    if (!(number > 14500 && number < 16000))
        fail_msg("%g instead of 15200 by %s", number, world.models.items[0].value_formula);
    world_dispose(&world);
}

/* Time steps of five meshes, each of which was profiled on another number of ranks: a parabola in
 * these goes through the numbers, and up again behind them. */
TEST(formulas_do_not_turn_over_ranks) {
    static const struct {
        int ranks;
        size_t steps;
        double step;
    } runs[] = {{1, 26, 0.0027}, {2, 26, 0.00173}, {4, 34, 0.00132}, {8, 17, 0.0026}};
    struct world world;
    world_init(&world, VALUE_FLOATING);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        double steps[34];
        for (size_t k = 0; k < runs[i].steps; k++)
            steps[k] = runs[i].step;
        add(&world, add_run(&world, runs[i].ranks, "[]"), 0, 1, 1, steps, runs[i].steps);
    }
    fit(&world);
    double number = bsim_value_formula(world.value, VECTOR(world.value, "n1 n2 ranks", 1, 1, 64));
    if (!(number >= 0.001 && number <= 0.007))
        fail_msg("%g by %s", number, world.models.items[0].value_formula);
    world_dispose(&world);
}

/* Keys of all ranks in as many buckets, of which there are two numbers only. */
TEST(products_and_quotients_of_three_are_found) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int ranks = 1; ranks <= 4; ranks *= 2)
        for (int build = 0; build < 3; build++) {
            double keys = 1 << (16 + 3 * build), buckets = build == 0 ? 512 : 1024;
            add_one(&world, add_run(&world, ranks, "[]"), keys / ranks, buckets, keys / buckets);
        }
    fit(&world);
    assert_formula(&world, VECTOR(world.value, "n1 n2 ranks", 1 << 21, 4096, 16), 1 << 13);
    world_dispose(&world);
}

/* 2^26 keys in n2 buckets, where another loop goes through five more. */
TEST(what_is_told_exactly_is_not_told_nearly) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int buckets = 4096; buckets <= 32768; buckets *= 2)
        add_one(&world, add_run(&world, 4, "[]"), buckets + 5, buckets, 67108864. / buckets);
    fit(&world);
    double number = bsim_value_formula(world.value, VECTOR(world.value, "n1 n2", 1029, 1024));
    if (!(fabs(number / 65536 - 1) <= 1e-9))
        fail_msg("%.17g by %s", number, world.models.items[0].value_formula);
    world_dispose(&world);
}

/* Two sizes, each with its numbers of buckets, of which there are two: any product of these that
 * happens to have two right numbers would do. It is the keys of all ranks over the buckets. */
TEST(sizes_that_vary_together_are_no_product) {
    static const struct feature features[] = {
        {"n1", "", "", false}, {"n2", "", "", false}, {"n3", "", "", false}};
    struct world world;
    world_init(&world, VALUE_INTEGER);
    world.region.features = features;
    world.region.feature_count = 3;
    for (int size = 0; size < 2; size++)
        for (int ranks = 1; ranks <= 4; ranks *= 2) {
            double buckets = size ? 1024 : 512, keys = size ? 1048576 : 65536;
            double vector[] = {keys / ranks, buckets, size ? 2048.5 : 512};
            double number = keys / buckets;
            add_one(&world, add_run(&world, ranks, "[]"), 0, 0, number);
            struct sample *sample = &world.items.items[world.items.count - 1];
            sample->features = memcpy(ARENA_ARRAY(&world.arena, double, 3), vector, sizeof vector);
            sample->feature_count = 3;
        }
    fit(&world);
    assert_formula(&world, VECTOR(world.value, "n1 n2 n3 ranks", 8388608. / 16, 1024, 2048.5, 16),
                   8192);
    world_dispose(&world);
}

TEST(negative_numbers_have_laws) {
    struct world world;
    world_init(&world, VALUE_FLOATING);
    for (int i = 1; i <= 4; i++)
        add_one(&world, add_run(&world, 2, "[]"), i, 3, 1 - 0.5 * i);
    fit(&world);
    assert_formula(&world, VECTOR(world.value, "n1 n2", 100, 3), -49);
    world_dispose(&world);
}

/* Small ones among values that spread do not draw the sum down. */
TEST(sums_are_right_where_values_spread) {
    struct world world;
    double sum = 0, predicted = 0;
    world_init(&world, VALUE_INTEGER);
    for (int i = 1; i <= 24; i++) {
        char *arguments = arena_printf(&world.arena, "[\"%d\"]", i);
        double n = 100 + 40 * i;
        add_one(&world, add_run(&world, 2, arguments), n, 0, (i % 4 == 0 ? 2.5 : 0.5) * n);
    }
    fit(&world);
    for (size_t i = 0; i < world.items.count; i++) {
        sum += world.items.items[i].seconds;
        predicted += bsim_value_formula(
            world.value, VECTOR(world.value, "n1 n2 arg1", world.items.items[i].features[0],
                                world.items.items[i].features[1], (double)i + 1));
    }
    if (!(fabs(predicted - sum) < 0.1 * sum))
        fail_msg("%g instead of %g in all by %s", predicted, sum,
                 world.models.items[0].value_formula);
    world_dispose(&world);
}

/* ---- What was seen ---- */

TEST(patterns_come_back_in_their_order) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    int run = add_run(&world, 2, "[]");
    add(&world, run, 0, 1, 1, (double[]){8, 4, 4, 16}, 4);
    add(&world, run, 1, 1, 1, (double[]){8, 4, 4, 16}, 4);
    fit(&world);
    const struct bsim_value_seen *seen =
        bsim_value_recall(world.value, VECTOR(world.value, "n1 n2", 1, 1));
    assert_non_null(seen);
    assert_int_equal(seen->repeat_count, 3);
    assert_true(seen->repeats[1].number == 4 && seen->repeats[1].times == 2);
    assert_true(seen->mean == 8);
    assert_null(bsim_value_recall(world.value, VECTOR(world.value, "n1 n2", 1, 2)));
    world_dispose(&world);
}

/* One run goes on where the other one ends: they are the same as far as both go. */
TEST(sequences_of_longer_runs_are_kept) {
    struct world world;
    world_init(&world, VALUE_FLOATING);
    for (int turn = 1; turn <= 2; turn++) {
        int brief = add_run(&world, 1, arena_printf(&world.arena, "[\"%d\", \"2\"]", turn));
        int longer = add_run(&world, 1, arena_printf(&world.arena, "[\"%d\", \"4\"]", turn));
        add(&world, brief, 0, 1, 1, (double[]){turn, 0.75}, 2);
        add(&world, longer, 0, 1, 1, (double[]){turn, 0.75, 2.5, 3}, 4);
    }
    fit(&world);
    const struct bsim_value_seen *seen =
        bsim_value_recall(world.value, VECTOR(world.value, "n1 n2 arg1 arg2", 1, 1, 1, 3));
    assert_non_null(seen);
    assert_int_equal(seen->repeat_count, 4);
    assert_true(seen->repeats[0].number == 1 && seen->repeats[3].number == 3);
    world_dispose(&world);
}

/* Runs with the same features, and as much on average. */
TEST(runs_have_their_own_numbers_first) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int turn = 1; turn <= 2; turn++) {
        int run = add_run(&world, 1, arena_printf(&world.arena, "[\"%d\"]", turn));
        add(&world, run, 0, 1, 1, turn == 1 ? (double[]){4, 6, 8} : (double[]){8, 6, 4}, 3);
    }
    fit(&world);
    for (int turn = 1; turn <= 2; turn++) {
        const struct bsim_value_seen *seen =
            bsim_value_recall(world.value, VECTOR(world.value, "n1 n2 arg1", 1, 1, turn));
        assert_non_null(seen);
        assert_true(seen->repeats[0].number == 4 * turn &&
                    seen->repeats[2].number == 12 - 4 * turn);
    }
    world_dispose(&world);
}

TEST(ranks_that_differ_have_the_mean_of_each_execution) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    int run = add_run(&world, 2, "[]");
    add(&world, run, 0, 1, 1, (double[]){10, 20, 30}, 3);
    add(&world, run, 1, 1, 1, (double[]){20, 20, 50}, 3);
    add(&world, run, 0, 2, 1, (double[]){10, 20}, 2);
    add(&world, run, 1, 2, 1, (double[]){30}, 1);
    fit(&world);
    const struct bsim_value_seen *seen =
        bsim_value_recall(world.value, VECTOR(world.value, "n1 n2", 1, 1));
    assert_int_equal(seen->repeat_count, 3);
    assert_true(seen->repeats[0].number == 15 && seen->repeats[2].number == 40);
    seen = bsim_value_recall(world.value, VECTOR(world.value, "n1 n2", 2, 1));
    assert_int_equal(seen->repeat_count, 0);
    assert_true(seen->mean == 20);
    world_dispose(&world);
}

TEST(loops_iterate_as_often_as_they_did) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    add(&world, add_run(&world, 1, "[]"), 0, 1, 1, (double[]){1, 1, 0, 0, 1, 1, 1, 0}, 8);
    fit(&world);
    const struct bsim_value_seen *seen =
        bsim_value_recall(world.value, VECTOR(world.value, "n1 n2", 1, 1));
    assert_int_equal(seen->repeat_count, 3);
    assert_true(seen->repeats[0].number == 2 && seen->repeats[1].number == 0);
    assert_true(seen->repeats[2].number == 3);
    world_dispose(&world);
}

/* What ended it, a break or another condition, is decided elsewhere. */
TEST(loops_that_the_value_did_not_end_go_on) {
    struct world world;
    world_init(&world, VALUE_TRIPS);
    add(&world, add_run(&world, 1, "[]"), 0, 1, 1, (double[]){1, 1, 0, 1, 1, 1}, 6);
    fit(&world);
    const struct bsim_value_seen *seen =
        bsim_value_recall(world.value, VECTOR(world.value, "n1 n2", 1, 1));
    assert_int_equal(seen->repeat_count, 2);
    assert_true(seen->repeats[0].number == 2);
    assert_true(seen->repeats[1].number > 1e9);
    world_dispose(&world);
}

/* ---- Files and arguments ---- */

static void check_damaged(const char *path, bool is_cut) {
    struct bsim_model *read = NULL;
    char text[512];
    int result = bsim_model_load(&read, path, NULL, text, sizeof text);
    assert_true(!is_cut || result != 0);
    assert_true(result == 0 || strstr(text, "mpiskel fit") != NULL);
    bsim_model_free(read);
}

TEST(damaged_models_are_refused_or_read) {
    struct world world;
    world_init(&world, VALUE_INTEGER);
    for (int i = 1; i <= 3; i++) {
        char *arguments = arena_printf(&world.arena, "[\"%d\"]", 10 * i);
        int run = add_run(&world, i, arguments);
        add(&world, run, 0, 3, 3, (double[]){20.0 * i, 30.0 * i}, 2);
    }
    fit(&world);
    each_damaged("model.bsim", 3000, 5, check_damaged);
    world_dispose(&world);
}

/* Not half understood: what comes behind the context was another list. */
TEST(values_of_older_versions_are_refused_with_what_to_do) {
    struct bsim_model *read = NULL;
    char text[512];
    write_text(test_path("old.bsim"),
               "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine m\n"
               "value 0 v integer features 1 context 0 unit 1 least 0 split -1 formulas 0 seen 0\n"
               "end 1\n");
    assert_int_not_equal(
        bsim_model_load(&read, test_path("old.bsim"), TEST_BUNDLE, text, sizeof text), 0);
    assert_contains(text, "old.bsim:4");
    assert_contains(text, "written by an older mpiskel: run `mpiskel fit`");
}

TEST(draws_of_older_versions_are_refused_with_what_to_do) {
    struct world world;
    struct bsim_model *read = NULL;
    struct error error = {0};
    char text[512], *model = NULL;
    world_init(&world, VALUE_INTEGER);
    for (int i = 1; i <= 3; i++)
        add(&world, add_run(&world, i, "[]"), 0, 3, 3, (double[]){20.0 * i, 30.0 * i}, 2);
    fit(&world);
    assert_int_equal(file_read(&model, NULL, test_path("model.bsim"), &error), 0);
    char *answer = strstr(model, "\nrecall ");
    assert_non_null(answer);
    memcpy(answer, "\nrange 0", strlen("\nrange 0"));
    write_text(test_path("old.bsim"), model);
    assert_int_not_equal(
        bsim_model_load(&read, test_path("old.bsim"), TEST_BUNDLE, text, sizeof text), 0);
    assert_contains(text, "written by an older mpiskel: run `mpiskel fit`");
    free(model);
    world_dispose(&world);
}

/* A loop that goes on while it is 1 would never end. */
TEST(shares_of_ones_stay_within_those_of_runs) {
    static const struct {
        const char *second;
        double told;
    } table[] = {{"2 1 4 0 1", 0.8}, {"2 2 4 0 1", 4}}; /* 2, 2, 2, 2, 0: no flag */
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct bsim_model *read = NULL;
        char text[512], why[512];
        snprintf(text, sizeof text,
                 "mpiskel-model 1\nbundle " TEST_BUNDLE "\nmachine m\n"
                 "value 0 v integer features 1 context 0 answers 2 key 1 0\nrecall 2\n"
                 "seen 100 mean 0.5 pattern 2 1 1 0 1\nseen 200 mean 0.8 pattern %s\n"
                 "formula -1 1\ncase 0 terms 1\nterm 0.004 1\nend 1\n",
                 table[i].second);
        write_text(test_path("flag.bsim"), text);
        assert_int_equal(
            bsim_model_load(&read, test_path("flag.bsim"), TEST_BUNDLE, why, sizeof why), 0);
        double vector = 1000;
        double told = bsim_value_formula(bsim_model_value(read, 0), &vector);
        assert_true(fabs(told - table[i].told) < 1e-12);
        bsim_model_free(read);
    }
}

TEST(numbers_among_arguments_have_names) {
    static const char *const words[] = {"-n",   "100", "-v",   "--size=2.5", "input.txt", "0x10",
                                        "7",    "-k3", "N=12", "-n",         "-200",      "-5",
                                        "nine", "1e3", "",     "1.5e100"};
    static const struct {
        const char *name;
        double number;
    } wanted[] = {{"-n", 100}, {"--size", 2.5}, {"arg2", 16}, {"arg3", 7},   {"-k", 3},
                  {"N", 12},   {"-n#2", -200},  {"arg4", -5}, {"arg6", 1000}};
    struct bsim_argument found[BSIM_ARGUMENTS_MAX];
    int count = bsim_arguments_find(found, BSIM_ARGUMENTS_MAX, words, 16);
    assert_int_equal(count, 9);
    for (int i = 0; i < count; i++) {
        assert_string_equal(found[i].name, wanted[i].name);
        assert_true(found[i].number == wanted[i].number);
    }
}

FIXTURE(directory_setup, directory_teardown)
