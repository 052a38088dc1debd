/* SPDX-License-Identifier: Apache-2.0
 *
 * What repeated runs differ by: planted noise comes back, a disturbed run does not decide, and what
 * measuring is off by is no error of a model.
 */
#include "support.h"

#include "model/latency/repeated_times.h"
#include "model/latency/spread.h"

#include <math.h>
#include <stdlib.h>

#define CONFIGURATIONS 200
#define REPETITIONS 2
#define RUNS (CONFIGURATIONS * REPETITIONS)

static struct repeated_variance of(double deviation, bool is_disturbed) {
    static struct repeated_time times[RUNS];
    struct random random;
    random_seed(&random, 4);
    for (int i = 0; i < RUNS; i++)
        times[i] = (struct repeated_time){.group = (i * 7) % CONFIGURATIONS,
                                          .logarithm = (i * 7) % CONFIGURATIONS +
                                                       deviation * random_normal(&random)};
    for (int i = 0; i < RUNS && is_disturbed; i += 51)
        times[i].logarithm += 1;
    return repeated_times_variance(times, RUNS);
}

TEST(planted_noise_comes_back) {
    struct repeated_variance found = of(0.05, false);
    assert_within(sqrt(found.variance), 0.05, 0.1);
    assert_within(found.of_mean, found.variance / REPETITIONS, 1e-9);
    assert_true(found.degrees == RUNS - CONFIGURATIONS);
}

TEST(disturbed_runs_do_not_decide) {
    assert_within(sqrt(of(0.05, true).variance), 0.05, 0.3); /* all of it: 0.15 */
}

TEST(what_is_not_repeated_tells_nothing) {
    struct repeated_time times[] = {{1, 0.5}, {2, 0.7}};
    struct repeated_variance found = repeated_times_variance(times, 2);
    assert_true(found.variance == 0 && found.degrees == 0 && found.of_mean == 0);
    found = repeated_times_variance(times, 0);
    assert_true(found.degrees == 0);
}

/* ---- In the spread of a model ---- */

struct world {
    struct point items[CONFIGURATIONS];
    double features[CONFIGURATIONS];
    int numbers[CONFIGURATIONS], configuration[RUNS];
    struct points points;
    struct sample samples[RUNS];
    struct run_errors runs;
};

static void refit(double *out_s, const bool *left_out, const void *context) {
    const struct world *world = context;
    for (size_t i = 0; i < world->points.count; i++)
        if (left_out[i])
            out_s[i] = 1e-6 * world->features[i];
}

/* The model is off by `wrong` in each configuration, and each run by `noise`. */
static double model_spread(double wrong, double noise) {
    static struct world world;
    struct random random;
    struct bsim_spread spread;
    random_seed(&random, 9);
    run_errors_init(&world.runs, &(struct samples){.run_count = RUNS}, NULL);
    for (int k = 0; k < CONFIGURATIONS; k++) {
        double latency_s = 1e-3 * exp(wrong * random_normal(&random)), mean_s = 0;
        world.features[k] = 1000;
        world.numbers[k] = k;
        for (int i = 0; i < REPETITIONS; i++) {
            int run = k * REPETITIONS + i;
            double run_s = latency_s * exp(noise * random_normal(&random));
            world.runs.configuration[run] = k * REPETITIONS;
            world.samples[run] = (struct sample){.run = run,
                                                 .features = &world.features[k],
                                                 .feature_count = 1,
                                                 .count = 1,
                                                 .timed = 1,
                                                 .seconds = run_s,
                                                 .squares = run_s * run_s};
            mean_s += run_s / REPETITIONS;
        }
        world.items[k] = (struct point){.run = k * REPETITIONS,
                                        .features = &world.features[k],
                                        .latency_s = mean_s,
                                        .total_s = REPETITIONS * mean_s};
    }
    world.points = (struct points){.items = world.items, .count = CONFIGURATIONS};
    struct spread_question question = {.points = &world.points,
                                       .configuration = world.numbers,
                                       .configuration_count = CONFIGURATIONS,
                                       .feature_count = 1,
                                       .refit = refit,
                                       .context = &world,
                                       .runs = &world.runs};
    assert_true(spread_of_region(&spread, &question, world.samples, RUNS));
    run_errors_dispose(&world.runs);
    return spread.model;
}

TEST(measuring_is_no_error_of_the_model) {
    assert_within(model_spread(0.05, 0), 0.05, 0.15);
    assert_within(model_spread(0.05, 0.05), 0.05, 0.15); /* means are off by 0.061 */
    assert_true(model_spread(0, 0.05) < 0.02);
}
