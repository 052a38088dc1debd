/* SPDX-License-Identifier: Apache-2.0
 *
 * How long fitting takes: makes 500 regions with 200 samples each (ten runs of ten ranks, two
 * feature vectors per rank and run), 5 % noise, latencies of several forms (loops, nests,
 * x*log2(x), caches, sequences without any form), and fits them once. Prints one JSON object: the
 * seconds of models_fit, the mean error, and how many models have which form. Built and run by
 * bench/fit.
 */
#include "model/fit.h"
#include "base/clock.h"
#include "base/vec.h"
#include "model/eval/context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REGIONS 500
#define RUNS 10
#define RANKS 10
#define VARIANTS 2
#define FEATURES 3
#define EXECUTIONS 10

static unsigned long long state = 88172645463325252ULL;

static double uniform(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static double normal(void) {
    return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

static double latency_s(int form, const double *n) {
    switch (form) {
    case 0:
        return 1e-9 * n[2];
    case 1:
        return 2e-8 * n[1] + 1e-9 * n[2];
    case 2:
        return 1e-9 * n[1] * log2(n[1]);
    case 3:
        return 1e-9 * n[2] * (n[2] > 3e3 ? 3 : 1);
    default:
        return 1e-6 * (1 + 9 * uniform());
    }
}

/* Ten executions, of which every other one comes behind another region. In every third region the
 * first one takes three times as long, in every fifth those behind region 7 take twice as long. */
static void add_contexts(struct sample *sample, struct arena *arena, double latency_s) {
    struct sample_context *contexts = ARENA_ARRAY(arena, struct sample_context, EXECUTIONS);
    for (int i = 1; i <= EXECUTIONS; i++) {
        double factor = i == 1 && sample->region % 3 == 0       ? 3
                        : i % 2 == 0 && sample->region % 5 == 0 ? 2
                                                                : 1;
        double seconds = factor * latency_s * exp(0.05 * normal());
        contexts[i - 1] = (struct sample_context){.execution = bsim_bucket((unsigned long)i),
                                                  .unchanged = bsim_bucket((unsigned long)i),
                                                  .before = i % 2 == 0 ? 7 : 6,
                                                  .timed = 1,
                                                  .seconds = seconds};
        sample->seconds += seconds;
    }
    sample->contexts = contexts;
    sample->context_count = EXECUTIONS;
}

static void add_sample(struct samples *samples, struct arena *arena, int region, int run, int rank,
                       int variant) {
    double *n = ARENA_ARRAY(arena, double, FEATURES);
    n[0] = (double)(8 << (run % 5)) + variant;
    n[1] = n[0] * (double)(10 + 3 * run + rank % 3);
    n[2] = n[1] * (double)(4 + run * 7 % 5);
    struct sample *sample = &samples->items[samples->count++];
    *sample = (struct sample){.region = region,
                              .rank = rank,
                              .run = run,
                              .features = n,
                              .feature_count = FEATURES,
                              .count = EXECUTIONS,
                              .timed = EXECUTIONS};
    add_contexts(sample, arena, latency_s(region % 5, n) * exp(0.05 * normal()));
}

static void make_samples(struct samples *out, struct arena *arena) {
    size_t count = (size_t)REGIONS * RUNS * RANKS * VARIANTS;
    *out = (struct samples){.run_count = RUNS};
    out->items = ARENA_ARRAY(arena, struct sample, count);
    for (size_t i = 0; i < count; i++)
        add_sample(out, arena, (int)(i / (RUNS * RANKS * VARIANTS)),
                   (int)(i / (RANKS * VARIANTS) % RUNS), (int)(i / VARIANTS % RANKS),
                   (int)(i % VARIANTS));
}

static void print_result(const struct models *models, size_t samples, double seconds) {
    int steps = 0, curves = 0;
    for (int i = 0; i < models->count; i++) {
        const struct latency_model *model = &models->items[i];
        bool curved = false;
        for (int k = 0; k < model->term_count; k++)
            for (int j = 0; j < model->feature_count; j++)
                curved = curved || model->terms[k].logs[j] > 0 ||
                         (model->terms[k].exponents[j] != 0 && model->terms[k].exponents[j] != 1);
        steps += model->step_count > 0;
        curves += curved;
    }
    printf("{\"regions\":%d,\"samples\":%zu,\"fit_s\":%.3f,\"error\":%.4f,\"steps\":%d,"
           "\"curves\":%d}\n",
           models->count, samples, seconds, models->error, steps, curves);
}

int main(void) {
    static const struct feature features[FEATURES] = {
        {"n1", "", ""}, {"n2", "", ""}, {"n3", "", ""}};
    struct arena arena;
    struct samples samples;
    struct models models;
    arena_init(&arena);
    struct region *items = ARENA_ARRAY(&arena, struct region, REGIONS);
    for (int i = 0; i < REGIONS; i++)
        items[i] =
            (struct region){.index = i, .id = "r", .features = features, .feature_count = FEATURES};
    struct regions regions = {.bundle = "0123456789abcdef", .items = items, .count = REGIONS};
    make_samples(&samples, &arena);
    double start_s = clock_monotonic_s();
    models_fit(&models, &samples, &regions, "default");
    print_result(&models, samples.count, clock_monotonic_s() - start_s);
    models_dispose(&models);
    arena_dispose(&arena);
    return 0;
}
