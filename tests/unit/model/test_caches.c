/* SPDX-License-Identifier: Apache-2.0
 *
 * Time per element that rises from one cache to the next, which is what real samples look like most
 * often: two rises at random sizes, by random factors, over random widths, nine configurations over
 * a factor of 256, 3 % noise. What is predicted at 16 times the largest size must not run away, as
 * a curve would that goes on rising, and has to be nearer than the best straight line.
 */
#include "support.h"

#include "model/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEEDS 200
#define CONFIGURATIONS 9
#define VARIANTS 3
#define POINTS (CONFIGURATIONS * VARIANTS)
#define NOISE 0.03

struct cache {
    double size, factor, width;
};

static double rise(const struct cache *cache, double size) {
    double way = log(size / cache->size) / log(cache->width);
    return pow(cache->factor, fmin(fmax(way, 0), 1));
}

static double latency_s(const struct cache *caches, double size) {
    return 1e-9 * size * rise(&caches[0], size) * rise(&caches[1], size);
}

static void make_caches(struct cache *out, struct random *random) {
    out[0].size = 1e4 * pow(10, 3 * random_uniform(random));
    out[1].size = out[0].size * pow(10, 0.5 + 1.5 * random_uniform(random));
    for (int i = 0; i < 2; i++) {
        out[i].factor = 1.2 + 1.8 * random_uniform(random);
        out[i].width = 2 + 14 * random_uniform(random);
    }
}

struct outcome {
    double error, line_error; /* |ln(predicted / true)| at 16 times the largest size */
};

static struct outcome try_seed(unsigned long long seed) {
    static const struct feature names[] = {{"n1", "", "", false}, {"n2", "", "", false}};
    struct region region = {
        .id = "r", .file = "f.c", .summary = "", .features = names, .feature_count = 2};
    struct regions regions = {.bundle = TEST_BUNDLE, .items = &region, .count = 1};
    struct sample items[POINTS];
    double features[POINTS][2], inverse = 0, squares = 0;
    struct cache caches[2];
    struct random random;
    struct models models;
    random_seed(&random, seed);
    make_caches(caches, &random);
    double least = pow(10, 4 + random_uniform(&random));
    for (int i = 0; i < POINTS; i++) {
        double size = least * pow(2, i / VARIANTS) * (1 + 0.02 * (i % VARIANTS));
        features[i][0] = sqrt(size) * (i / VARIANTS % 2 == 0 ? 1 : 2);
        features[i][1] = size;
        double measured_s = latency_s(caches, size) * exp(NOISE * random_normal(&random));
        items[i] = (struct sample){.run = i / VARIANTS,
                                   .features = features[i],
                                   .feature_count = 2,
                                   .count = 10,
                                   .timed = 10,
                                   .seconds = 10 * measured_s};
        inverse += size / measured_s;
        squares += size / measured_s * (size / measured_s);
    }
    struct samples samples = {.items = items, .count = POINTS, .run_count = CONFIGURATIONS};
    models_fit(&models, &samples, &regions, "default");
    double size = 16 * 256 * least, truth_s = latency_s(caches, size);
    double at_s = latency_evaluate(&models.items[0], (double[]){sqrt(size), size});
    models_dispose(&models);
    return (struct outcome){fabs(log(at_s / truth_s)),
                            fabs(log(inverse / squares * size / truth_s))};
}

TEST(rising_latencies_do_not_run_away) {
    double sum = 0, line_sum = 0, worst = 0;
    for (unsigned long long seed = 1; seed <= SEEDS; seed++) {
        struct outcome outcome = try_seed(seed);
        sum += outcome.error;
        line_sum += outcome.line_error;
        worst = fmax(worst, outcome.error);
    }
    print_message("mean |ln| %.2f, of straight lines %.2f; worst %.2f\n", sum / SEEDS,
                  line_sum / SEEDS, worst);
    assert_true(sum < 0.65 * line_sum);
    assert_true(worst < 2.1);
}
