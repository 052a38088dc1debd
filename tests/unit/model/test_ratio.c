/* SPDX-License-Identifier: Apache-2.0
 *
 * Ratios: planted effects of the first executions come back and predict runs of other lengths,
 * noise alone gives none, and what is written is what the skeleton's reader takes.
 */
#include "support.h"

#include "base/vec.h"
#include "model/eval/eval.h"
#include "model/eval/forest.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

#define SIZES 5

/* How long one execution takes. */
typedef double truth(double size, const struct bsim_context *context, struct random *noise);

struct world {
    struct arena arena;
    struct regions regions;
    struct region region;
    VEC(struct sample) items;
    struct random noise;
    struct models models;
    struct bsim_model *model;
};

static const struct feature features[] = {{"n1", "", "", false}, {"n2", "", "", false}};

static void world_init(struct world *world) {
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    random_seed(&world->noise, 7);
    world->region = (struct region){.id = "r",
                                    .function = "f",
                                    .file = "f.c",
                                    .summary = "",
                                    .features = features,
                                    .feature_count = 1};
    world->regions = (struct regions){
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = &world->region, .count = 1};
}

static void world_dispose(struct world *world) {
    bsim_model_free(world->model);
    models_dispose(&world->models);
    vec_dispose(&world->items);
    arena_dispose(&world->arena);
}

static struct sample_context *find_context(struct sample_context *contexts, size_t *count,
                                           const struct bsim_context *wanted) {
    int execution = bsim_bucket(wanted->execution), unchanged = bsim_bucket(wanted->unchanged);
    size_t at = 0;
    while (at < *count &&
           !(contexts[at].execution == execution && contexts[at].unchanged == unchanged &&
             contexts[at].before == wanted->before))
        at++;
    if (at == *count)
        contexts[(*count)++] = (struct sample_context){execution, unchanged, wanted->before, 0, 0};
    return &contexts[at];
}

/* A rank of a run that executes the region so often with one size, now behind one region and now
 * behind another. */
static void add_sample(struct world *world, int run, int rank, double size, int executions,
                       truth *latency_s) {
    double *copy = ARENA_ARRAY(&world->arena, double, 2);
    struct sample_context *contexts = ARENA_ARRAY(&world->arena, struct sample_context, 128);
    struct sample sample = {.run = run,
                            .rank = rank,
                            .features = copy,
                            .feature_count = world->region.feature_count,
                            .contexts = contexts,
                            .count = executions,
                            .timed = executions};
    copy[0] = copy[1] = size;
    for (int i = 1; i <= executions; i++) {
        struct bsim_context context = {(unsigned long)i, (unsigned long)i, i % 3 == 0 ? 5 : 8};
        struct sample_context *found = find_context(contexts, &sample.context_count, &context);
        double seconds = latency_s(size, &context, &world->noise);
        found->timed++;
        found->seconds += seconds;
        sample.seconds += seconds;
    }
    vec_push(&world->items, sample);
}

static void add_runs(struct world *world, int executions, truth *latency_s) {
    for (int run = 0; run < SIZES; run++)
        for (int rank = 0; rank < 2; rank++)
            add_sample(world, run, rank, 1000 * (1 << run), executions, latency_s);
}

static const struct latency_model *fit_world(struct world *world, bool without_ratio) {
    struct error error = {0};
    char text[512];
    struct samples samples = {.items = world->items.items,
                              .count = world->items.count,
                              .run_count = SIZES,
                              .without_ratio = without_ratio};
    models_fit(&world->models, &samples, &world->regions, "m");
    assert_int_equal(models_write(&world->models, test_path("model.bsim"), &error), 0);
    if (bsim_model_load(&world->model, test_path("model.bsim"), NULL, text, sizeof text) != 0)
        fail_msg("%s", text);
    return &world->models.items[0];
}

/* What a skeleton charges for so many executions. */
static double predict_s(const struct world *world, double size, int executions) {
    const struct bsim_region_model *region = bsim_model_region(world->model, 0);
    const struct bsim_ratio *ratio = bsim_region_ratio(region);
    double sum_s = 0;
    for (int i = 1; i <= executions; i++) {
        struct bsim_context context = {(unsigned long)i, (unsigned long)i, i % 3 == 0 ? 5 : 8};
        unsigned long good_for = 0;
        double factor = ratio != NULL ? bsim_ratio(&good_for, ratio, &size, &context) : 1;
        sum_s += factor * bsim_region_latency_s(region, &size);
    }
    return sum_s;
}

static double truth_s(double size, int executions, truth *latency_s) {
    struct random silent = {1};
    double sum_s = 0;
    for (int i = 1; i <= executions; i++) {
        struct bsim_context context = {(unsigned long)i, (unsigned long)i, i % 3 == 0 ? 5 : 8};
        sum_s += latency_s(size, &context, &silent);
    }
    return sum_s;
}

static double error_of(const struct world *world, double size, int executions, truth *latency_s) {
    double wanted_s = truth_s(size, executions, latency_s);
    return fabs(predict_s(world, size, executions) - wanted_s) / wanted_s;
}

/* Fresh pages: 6 ns per cell at first, 2.1 ns later. */
static double fresh_pages(double size, const struct bsim_context *context, struct random *noise) {
    double cell_s = context->execution == 1 ? 6e-9 : 2.1e-9;
    return cell_s * size * (1 + 0.02 * random_normal(noise));
}

TEST(first_executions_are_told_from_later_ones) {
    static const int steps[] = {1, 5, 20, 100};
    struct world with, without;
    world_init(&with);
    world_init(&without);
    add_runs(&with, 20, fresh_pages);
    add_runs(&without, 20, fresh_pages);
    const struct latency_model *model = fit_world(&with, false);
    assert_contains(model->lines, "ratio table");
    assert_contains(model->note, "ratio 2.");
    fit_world(&without, true);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        assert_true(error_of(&with, 3000, steps[i], fresh_pages) < 0.03);
    assert_true(error_of(&without, 3000, 5, fresh_pages) > 0.15);
    assert_true(error_of(&without, 3000, 100, fresh_pages) > 0.05);
    world_dispose(&with);
    world_dispose(&without);
}

/* Runs of different lengths: the average of each is another, the ratio is the same. */
TEST(runs_of_different_lengths_have_one_ratio) {
    struct world world;
    world_init(&world);
    for (int run = 0; run < SIZES; run++)
        for (int rank = 0; rank < 2; rank++)
            add_sample(&world, run, rank, 1000 * (1 << run), run % 2 == 0 ? 3 : 50, fresh_pages);
    fit_world(&world, false);
    assert_true(error_of(&world, 3000, 1, fresh_pages) < 0.03);
    assert_true(error_of(&world, 3000, 200, fresh_pages) < 0.03);
    world_dispose(&world);
}

/* The run as it was trained takes as long as it was measured. */
TEST(the_average_stays_what_was_measured) {
    struct world world;
    world_init(&world);
    add_runs(&world, 20, fresh_pages);
    fit_world(&world, false);
    for (size_t i = 0; i < world.items.count; i++) {
        const struct sample *sample = &world.items.items[i];
        double found_s = predict_s(&world, sample->features[0], 20);
        assert_true(fabs(found_s - sample->seconds) < 0.03 * sample->seconds);
    }
    world_dispose(&world);
}

static double constant(double size, const struct bsim_context *context, struct random *noise) {
    (void)context;
    return 2e-9 * size * exp(0.2 * random_normal(noise));
}

TEST(noise_is_no_ratio) {
    for (unsigned long long seed = 1; seed <= 20; seed++) {
        struct world world;
        world_init(&world);
        random_seed(&world.noise, seed);
        add_runs(&world, 20, constant);
        const struct latency_model *model = fit_world(&world, false);
        if (strstr(model->lines, "ratio") != NULL)
            fail_msg("seed %llu: %s", seed, model->note);
        world_dispose(&world);
    }
}

/* Slow behind region 5, and more so where the size is large: several parameters matter. */
static double after_another(double size, const struct bsim_context *context, struct random *noise) {
    double factor = context->before == 5 ? (size > 5000 ? 4 : 2) : 1;
    return 1e-9 * size * factor * (1 + 0.02 * random_normal(noise));
}

static double slower_behind_5(const struct world *world, double size) {
    const struct bsim_ratio *ratio = bsim_region_ratio(bsim_model_region(world->model, 0));
    struct bsim_context slow = {40, 40, 5}, fast = {40, 40, 8};
    unsigned long good_for = 0;
    return bsim_ratio(&good_for, ratio, &size, &slow) / bsim_ratio(&good_for, ratio, &size, &fast);
}

TEST(a_forest_is_taken_where_several_parameters_matter) {
    struct world world;
    world_init(&world);
    add_runs(&world, 30, after_another);
    const struct latency_model *model = fit_world(&world, false);
    assert_contains(model->lines, "ratio forest");
    assert_contains(model->lines, "input before 2 8 5");
    assert_contains(model->note, "before");
    assert_true(fabs(slower_behind_5(&world, 1000) - 2) < 0.1);
    assert_true(fabs(slower_behind_5(&world, 16000) - 4) < 0.3);
    world_dispose(&world);
}

TEST(features_of_a_forest_are_named_once) {
    struct world world;
    world_init(&world);
    world.region.feature_count = 2;
    add_runs(&world, 30, after_another);
    assert_contains(fit_world(&world, false)->note, "ratio of execution, features, before: error");
    world_dispose(&world);
}

/* One configuration: ranks are left out instead, which is said; one rank of it tells nothing. */
TEST(one_configuration_is_judged_by_ranks) {
    struct world world;
    world_init(&world);
    for (int rank = 0; rank < 4; rank++)
        add_sample(&world, 0, rank, 1000, 20, fresh_pages);
    assert_contains(fit_world(&world, false)->note, "(of ranks left out)");
    world_dispose(&world);
    world_init(&world);
    add_sample(&world, 0, 0, 1000, 20, fresh_pages);
    assert_null(strstr(fit_world(&world, false)->lines, "ratio"));
    world_dispose(&world);
}

static double nothing(double size, const struct bsim_context *context, struct random *noise) {
    (void)size, (void)context, (void)noise;
    return 0;
}

TEST(zero_times_have_no_ratio) {
    struct world world;
    world_init(&world);
    add_runs(&world, 20, nothing);
    assert_null(strstr(fit_world(&world, false)->lines, "ratio"));
    world_dispose(&world);
}

static double enormous(double size, const struct bsim_context *context, struct random *noise) {
    (void)noise;
    return context->execution == 1 ? 1e90 : 1e-9 * size;
}

/* Whatever was measured, the file is one that can be read. */
TEST(enormous_ratios_can_be_read) {
    struct world world;
    world_init(&world);
    add_runs(&world, 20, enormous);
    assert_contains(fit_world(&world, false)->lines, "ratio");
    assert_true(predict_s(&world, 1000, 20) > 0);
    world_dispose(&world);
}

/* Old samples files have no contexts. */
TEST(samples_without_contexts_are_fitted) {
    struct world world;
    world_init(&world);
    add_runs(&world, 20, fresh_pages);
    for (size_t i = 0; i < world.items.count; i++)
        world.items.items[i].context_count = 0;
    assert_null(strstr(fit_world(&world, false)->lines, "ratio"));
    assert_true(error_of(&world, 3000, 20, fresh_pages) < 0.05);
    world_dispose(&world);
}

TEST(equal_samples_give_equal_forests) {
    struct world first, second;
    world_init(&first);
    world_init(&second);
    add_runs(&first, 30, after_another);
    add_runs(&second, 30, after_another);
    const char *lines = fit_world(&first, false)->lines;
    assert_string_equal(lines, fit_world(&second, false)->lines);
    world_dispose(&first);
    world_dispose(&second);
}

FIXTURE(directory_setup, directory_teardown)
