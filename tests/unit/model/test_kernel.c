/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of kernels: calls of one function share a model, also those that were never executed; a
 * call that behaves otherwise keeps its own; kernels measured alone stand in for what was never
 * executed; their files come back as they were, and no file does any harm.
 */
#include "support.h"

#include "base/file.h"
#include "base/vec.h"
#include "model/fit.h"
#include "model/kernel.h"

#include <math.h>
#include <string.h>

#define REGIONS 4

static const struct feature operations[REGIONS][1] = {
    {{"n1", "", "operations of cblas_dgemm at line 1", false}},
    {{"n1", "", "operations of cblas_dgemm at line 22", false}},
    {{"n1", "", "operations of cblas_dgemm at line 3", false}},
    {{"n1", "", "iterations of the loop over i at line 9", false}}};

struct world {
    struct arena arena;
    struct region items[REGIONS];
    struct regions regions;
    VEC(struct sample) samples;
    struct models models;
};

/* Regions 0 to 2 are calls of dgemm, region 3 is one of a function of the program's own. */
static void world_init(struct world *world) {
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    for (int i = 0; i < REGIONS; i++)
        world->items[i] = (struct region){.index = i,
                                          .id = arena_printf(&world->arena, "id%d", i),
                                          .function = "f",
                                          .file = "f.c",
                                          .summary = "",
                                          .kernel = i < 3 ? "cblas_dgemm" : "f.c:work",
                                          .features = operations[i],
                                          .feature_count = 1};
    world->regions = (struct regions){.bundle = TEST_BUNDLE,
                                      .program = "p",
                                      .root = "/",
                                      .items = world->items,
                                      .count = REGIONS};
}

static void world_dispose(struct world *world) {
    models_dispose(&world->models);
    vec_dispose(&world->samples);
    arena_dispose(&world->arena);
}

static void add(struct world *world, int region, int run, double size, double latency_s) {
    double *features = ARENA_ARRAY(&world->arena, double, 1);
    *features = size;
    vec_push(&world->samples, (struct sample){.region = region,
                                              .run = run,
                                              .features = features,
                                              .feature_count = 1,
                                              .count = 10,
                                              .timed = 10,
                                              .seconds = 10 * latency_s});
}

static void fit_world(struct world *world, const struct calibration *calibration) {
    struct samples samples = {
        .items = world->samples.items, .count = world->samples.count, .run_count = 4};
    models_fit(&world->models, &samples, &world->regions, "m");
    kernels_share(&world->models, &samples, &world->regions, calibration);
}

static double latency_s(const struct world *world, int region, double size) {
    assert_true(world->models.items[region].fitted);
    return latency_evaluate(&world->models.items[region], &size);
}

TEST(a_call_that_was_never_executed_has_a_model) {
    struct world world;
    world_init(&world);
    for (int run = 0; run < 4; run++)
        add(&world, 0, run, 1e6 * (run + 1), 1e-3 * (run + 1));
    fit_world(&world, NULL);
    assert_true(fabs(latency_s(&world, 1, 3e6) - 3e-3) < 1e-5);
    assert_contains(world.models.items[1].note,
                    "shares the model of cblas_dgemm with regions 0, 2");
    assert_contains(world.models.items[1].lines, "region 1 id1 features 1");
    assert_true(world.models.items[1].total_s == 0);
    assert_true(world.models.items[0].share == 1);
    assert_false(world.models.items[3].fitted);
    world_dispose(&world);
}

/* Each call has one size only: alone they would tell nothing of others. */
TEST(calls_with_one_size_each_learn_from_each_other) {
    struct world world;
    world_init(&world);
    for (int run = 0; run < 4; run++) {
        add(&world, 0, run, 1e6, 1e-4 + 1e-3);
        add(&world, 1, run, 4e6, 1e-4 + 4e-3);
        add(&world, 2, run, 9e6, 1e-4 + 9e-3);
    }
    fit_world(&world, NULL);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(latency_s(&world, i, 6e6) - 6.1e-3) < 0.1e-3);
    world_dispose(&world);
}

TEST(a_call_that_is_unlike_the_others_keeps_its_model) {
    struct world world;
    world_init(&world);
    for (int run = 0; run < 4; run++) {
        add(&world, 0, run, 1e6 * (run + 1), 1e-3 * (run + 1));
        add(&world, 1, run, 1e6 * (run + 1), 5e-3 * (run + 1));
    }
    fit_world(&world, NULL);
    assert_true(fabs(latency_s(&world, 0, 3e6) - 3e-3) < 1e-5);
    assert_true(fabs(latency_s(&world, 1, 3e6) - 15e-3) < 1e-4);
    assert_contains(world.models.items[0].note, "unlike other calls of cblas_dgemm");
    world_dispose(&world);
}

/* ---- Measured alone ---- */

static struct calibrated_call calls[] = {{{10, 20, 30}, 12000, 1.2e-6, 3e-6},
                                         {{20, 20, 30}, 24000, 2.4e-6, 6e-6},
                                         {{40, 20, 30}, 48000, 4.8e-6, 12e-6},
                                         {{80, 20, 30}, 96000, 9.6e-6, 24e-6}};
static struct calibrated_kernel dgemm = {"dgemm", 3, {"m", "n", "k"}, calls, 4};
static struct calibration calibration = {.machine = "here",
                                         .host = "node",
                                         .cpu = "cpu",
                                         .compiler = "cc",
                                         .library = "-lblas",
                                         .kernels = &dgemm,
                                         .kernel_count = 1};

/* Calls of dgemm take twice as long in the second run, but they are a thousandth of its time. */
TEST(what_differs_between_runs_is_that_of_all_regions) {
    struct run run = {.arguments = "[]", .ranks = 1, .host = "", .complete = true};
    struct run runs[] = {run, run};
    struct world world;
    world_init(&world);
    for (int i = 0; i < 2; i++) {
        add(&world, 0, i, 1000, 1e-6 * (i + 1));
        add(&world, 1, i, 2000, 2e-6 * (i + 1));
        add(&world, 3, i, 5, 1e-3);
    }
    struct samples samples = {
        .runs = runs, .run_count = 2, .items = world.samples.items, .count = world.samples.count};
    models_fit(&world.models, &samples, &world.regions, "m");
    kernels_share(&world.models, &samples, &world.regions, NULL);
    assert_contains(world.models.items[2].note, "shares the model");
    for (int i = 0; i < REGIONS; i++)
        assert_true(world.models.items[i].spread.run < 0.05);
    world_dispose(&world);
}

TEST(a_calibrated_kernel_stands_in) {
    struct world world;
    world_init(&world);
    add(&world, 3, 0, 5, 1e-3);
    calibration.cold = false;
    fit_world(&world, &calibration);
    assert_true(fabs(latency_s(&world, 0, 60000) - 6e-6) < 1e-8);
    assert_contains(world.models.items[0].note, "dgemm as calibrated alone, warm caches");
    world_dispose(&world);
    world_init(&world);
    add(&world, 3, 0, 5, 1e-3);
    calibration.cold = true;
    fit_world(&world, &calibration);
    assert_true(fabs(latency_s(&world, 0, 60000) - 15e-6) < 1e-8);
    world_dispose(&world);
}

/* Faces of the calibration's sizes: 2*m*n*k, then m*n. */
TEST(sizes_of_calibrated_kernels_are_features) {
    static struct feature sized[] = {{"n1", "", "operations of cblas_dgemm at line 1", false},
                                     {"n2", "", "m*n of cblas_dgemm at line 1", false}};
    static struct calibrated_call sized_calls[] = {{{100, 100, 100}, 2e6, 2e-4 + 1e-4, 1},
                                                   {{100, 100, 1}, 2e4, 2e-6 + 1e-4, 1},
                                                   {{10, 10, 100}, 2e4, 2e-6 + 1e-6, 1},
                                                   {{200, 50, 10}, 2e5, 2e-5 + 1e-4, 1},
                                                   {{400, 100, 50}, 4e6, 4e-4 + 4e-4, 1}};
    static const struct calibrated_kernel with_faces = {
        "dgemm", 3, {"m", "n", "k"}, sized_calls, 5};
    struct calibration alone = calibration;
    struct calibrated_kernel kernels[] = {with_faces};
    struct world world;
    world_init(&world);
    alone.kernels = kernels;
    alone.cold = false;
    world.items[0].features = sized;
    world.items[0].feature_count = 2;
    add(&world, 3, 0, 5, 1e-3);
    fit_world(&world, &alone);
    assert_true(world.models.items[0].fitted);
    double panel[] = {2e5, 1e5}; /* 1000 x 100 x 1 */
    assert_true(fabs(latency_evaluate(&world.models.items[0], panel) - (2e-5 + 1e-3)) < 1e-5);
    world_dispose(&world);
    /* k*l is nothing that a call of dgemm has. */
    sized[1].meaning = "k*l of cblas_dgemm at line 1";
    world_init(&world);
    world.items[0].features = sized;
    world.items[0].feature_count = 2;
    add(&world, 3, 0, 5, 1e-3);
    fit_world(&world, &alone);
    assert_false(world.models.items[0].fitted);
    world_dispose(&world);
}

/* A triangle on the right (n*n), measured on the left: m and n change places. */
TEST(a_triangle_on_the_right_is_one_on_the_left) {
    static const struct feature sized[] = {{"n1", "", "operations of cblas_dtrsm at line 1", false},
                                           {"n2", "", "n*n of cblas_dtrsm at line 1", false}};
    static struct calibrated_call triangles[] = {{{100, 10}, 1e5, 1e-5 + 1e-4, 1},
                                                 {{10, 100}, 1e4, 1e-6 + 1e-6, 1},
                                                 {{50, 50}, 125e3, 125e-7 + 25e-6, 1},
                                                 {{200, 20}, 8e5, 8e-5 + 4e-4, 1}};
    struct calibrated_kernel kernels[] = {{"dtrsm", 2, {"m", "n"}, triangles, 4}};
    struct calibration alone = calibration;
    struct world world;
    world_init(&world);
    alone.kernels = kernels;
    alone.cold = false;
    world.items[0].kernel = "cblas_dtrsm";
    world.items[0].features = sized;
    world.items[0].feature_count = 2;
    add(&world, 3, 0, 5, 1e-3);
    fit_world(&world, &alone);
    assert_true(world.models.items[0].fitted);
    double call[] = {1e6, 1e4};
    assert_true(fabs(latency_evaluate(&world.models.items[0], call) - (1e-4 + 1e-4)) < 1e-5);
    world_dispose(&world);
}

TEST(samples_go_before_calibration) {
    struct world world;
    world_init(&world);
    for (int run = 0; run < 4; run++)
        add(&world, 2, run, 1e6 * (run + 1), 1e-3 * (run + 1));
    fit_world(&world, &calibration);
    assert_true(fabs(latency_s(&world, 0, 3e6) - 3e-3) < 1e-5);
    world_dispose(&world);
}

TEST(names_of_kernels_are_found) {
    assert_non_null(calibration_find(&calibration, "cblas_dgemm"));
    assert_non_null(calibration_find(&calibration, "dgemm_"));
    assert_non_null(calibration_find(&calibration, "dgemm"));
    assert_null(calibration_find(&calibration, "sgemm_"));
    assert_null(calibration_find(&calibration, "dgemmt"));
    assert_null(calibration_find(&calibration, "_"));
    assert_null(calibration_find(NULL, "dgemm"));
}

TEST(files_come_back_as_they_were) {
    struct error error = {0};
    struct calibration found;
    calibration.cold = true;
    assert_int_equal(calibration_write(&calibration, test_path("k"), &error), 0);
    assert_int_equal(calibration_read(&found, test_path("k"), &error), 0);
    assert_true(found.cold);
    assert_string_equal(found.machine, "here");
    assert_string_equal(found.library, "-lblas");
    assert_int_equal(found.kernel_count, 1);
    assert_string_equal(found.kernels[0].name, "dgemm");
    assert_string_equal(found.kernels[0].size_names[2], "k");
    assert_int_equal(found.kernels[0].call_count, 4);
    assert_true(found.kernels[0].calls[2].sizes[0] == 40);
    assert_true(found.kernels[0].calls[2].cold_s == 12e-6);
    calibration_dispose(&found);
}

#define KERNELS(kernels)                                                                           \
    "{\"format\":\"mpiskel-kernels\",\"version\":1,\"cache\":\"warm\",\"kernels\":[" kernels "]}"
#define KERNEL(calls) "{\"name\":\"daxpy\",\"sizes\":[\"n\"],\"calls\":[" calls "]}"

static const struct {
    const char *text, *error;
} refused[] = {
    {"", "k:1:"},
    {"[]", "this is no file of kernels"},
    {"{\"format\":\"mpiskel-kernels\",\"version\":2}", "this version of the format is unknown"},
    {"{\"format\":\"mpiskel-kernels\",\"version\":1}", "'cache' is neither warm nor cold"},
    {KERNELS(""), "there is no kernel in it"},
    {KERNELS("1"), "a kernel has no name"},
    {KERNELS("{\"name\":\"x\"}"), "'sizes' of a kernel are not one to three names"},
    {KERNELS("{\"name\":\"x\",\"sizes\":[1]}"), "'sizes' of a kernel are not one to three names"},
    {KERNELS(KERNEL("")), "a kernel has no calls"},
    {KERNELS(KERNEL("[1,2,3]")), "not as many numbers"},
    {KERNELS(KERNEL("[1,2,3,4,5]")), "not as many numbers"},
    {KERNELS(KERNEL("[1,2,3,0]")), "missing or not above 0"},
    {KERNELS(KERNEL("[1,2,-3,1]")), "missing or not above 0"},
    {KERNELS(KERNEL("[1,2,3,1e200]")), "missing or not above 0"},
    {KERNELS(KERNEL("[1,2,3,null]")), "missing or not above 0"},
};

TEST(wrong_files_are_refused) {
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct error error = {0};
        struct calibration found;
        write_text(test_path("k"), refused[i].text);
        assert_int_equal(calibration_read(&found, test_path("k"), &error), -1);
        assert_contains(error.text, refused[i].error);
    }
}

TEST(damaged_files_do_no_harm) {
    struct random random;
    struct error error = {0};
    char *good = NULL;
    size_t length = 0;
    assert_int_equal(calibration_write(&calibration, test_path("good"), &error), 0);
    assert_int_equal(file_read(&good, &length, test_path("good"), &error), 0);
    random_seed(&random, 5);
    for (int round = 0; round < 3000; round++) {
        char bytes[4096];
        size_t now = length;
        struct calibration found;
        struct error ignored = {0};
        memcpy(bytes, good, length);
        damage(bytes, &now, &random);
        write_bytes(test_path("k"), bytes, now);
        if (calibration_read(&found, test_path("k"), &ignored) == 0)
            calibration_dispose(&found);
    }
    free(good);
}

FIXTURE(directory_setup, directory_teardown)
