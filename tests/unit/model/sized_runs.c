/* SPDX-License-Identifier: Apache-2.0 */
#include "sized_runs.h"

#include "support.h"

#include "model/eval/eval.h"

#include <math.h>
#include <string.h>

void world_init(struct world *world, enum value_kind kind) {
    static const struct feature n = {"n1", "", "", false};
    const struct region plain = {
        .id = "r", .function = "f", .file = "f.c", .summary = "", .code = ""};
    memset(world, 0, sizeof *world);
    arena_init(&world->arena);
    world->items[SWEEP] = world->items[VALUE] = plain;
    world->items[SWEEP].features = &n;
    world->items[SWEEP].feature_count = 1;
    world->items[VALUE].id = "v";
    world->items[VALUE].index = VALUE;
    world->items[VALUE].value = kind;
    world->regions = (struct regions){
        .bundle = TEST_BUNDLE, .program = "p", .root = "/", .items = world->items, .count = 2};
}

void world_add_sample(struct world *world, int region, const double *of, const double *numbers,
                      size_t count) {
    int feature_count = world->items[region].feature_count;
    double *features = ARENA_ARRAY(&world->arena, double, (size_t)feature_count + 1);
    struct repeat *sequence = ARENA_ARRAY(&world->arena, struct repeat, count);
    struct sample sample = {.region = region,
                            .run = (int)world->runs.count - 1,
                            .features = features,
                            .feature_count = feature_count,
                            .count = (double)count,
                            .timed = (double)count,
                            .min = INFINITY,
                            .sequence = sequence,
                            .repeat_count = region == VALUE ? count : 0};
    for (int j = 0; j < feature_count; j++)
        features[j] = of[j];
    for (size_t i = 0; i < count; i++) {
        sequence[i] = (struct repeat){numbers[i], 1};
        sample.seconds += numbers[i];
        sample.min = fmin(sample.min, numbers[i]);
    }
    vec_push(&world->samples, sample);
}

void world_add_run(struct world *world, const char *arguments, double n, bool sweeps_first,
                   const double *numbers, size_t count) {
    const double second = 1e-9 * n;
    vec_push(&world->runs, (struct run){.id = "r", .ranks = 4, .arguments = arguments});
    if (sweeps_first)
        world_add_sample(world, SWEEP, &n, &second, 1);
    world_add_sample(world, VALUE, NULL, numbers, count);
    if (!sweeps_first)
        world_add_sample(world, SWEEP, &n, &second, 1);
}

void world_fit(struct world *world) {
    struct samples samples = {.items = world->samples.items,
                              .count = world->samples.count,
                              .runs = world->runs.items,
                              .run_count = (int)world->runs.count};
    fit_and_read(&world->models, &world->read, &samples, &world->regions);
    world->value = bsim_model_value(world->read, VALUE);
    assert_non_null(world->value);
}

void world_dispose(struct world *world) {
    bsim_model_free(world->read);
    models_dispose(&world->models);
    vec_dispose(&world->samples);
    vec_dispose(&world->runs);
    arena_dispose(&world->arena);
}

void assert_near(double found, double wanted) {
    if (!(fabs(found - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.17g instead of %.17g", found, wanted);
}
