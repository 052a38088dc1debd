/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools samples and fits them as if they were of one region; see kernel.h.
 */
#include "model/kernel.h"

#include "base/str.h"
#include "base/vec.h"
#include "model/fit.h"

#include <math.h>
#include <string.h>

/* Of its own samples' error with a model of its own; the second is added. */
#define AS_GOOD_FACTOR 1.25
#define AS_GOOD_SLACK 0.02

#define LOOP "iterations of "
#define OPERATIONS "operations of "

typedef VEC(struct sample) sample_list;

/* Regions that share a model; `fitted` has one region, number 0. */
struct kernel_pool {
    const struct regions *regions;
    const char *machine;
    struct models fitted;
    sample_list samples;
};

/* ---- Which regions belong together ---- */

/* "operations of dgemm at line 12" and "m*n of dgemm at line 12" are the same features at another
 * line; loops' lines are those of the function, and tell two functions of that name apart. */
static size_t compared_length(const char *meaning) {
    const char *line = strstr(meaning, " at line ");
    return !text_has_prefix(meaning, LOOP) && line != NULL ? (size_t)(line - meaning)
                                                           : strlen(meaning);
}

static bool same_meaning(const char *left, const char *right) {
    size_t length = compared_length(left);
    return length == compared_length(right) && strncmp(left, right, length) == 0;
}

static bool is_kernel(const struct region *region) {
    return region->value == VALUE_NONE && region->kernel != NULL && region->kernel[0] != '\0';
}

static bool same_kernel(const struct region *left, const struct region *right) {
    if (!is_kernel(left) || !is_kernel(right) || strcmp(left->kernel, right->kernel) != 0 ||
        left->feature_count != right->feature_count)
        return false;
    for (int i = 0; i < left->feature_count; i++)
        if (!same_meaning(left->features[i].meaning, right->features[i].meaning))
            return false;
    return true;
}

static bool is_first_of_its_kind(const struct regions *regions, int region) {
    for (int i = 0; i < region; i++)
        if (same_kernel(&regions->items[i], &regions->items[region]))
            return false;
    return is_kernel(&regions->items[region]);
}

/* ---- Fitting ---- */

static void pool_fit(struct kernel_pool *pool, const struct samples *like,
                     const struct region *region) {
    struct region one = *region;
    one.index = 0;
    struct regions regions = *pool->regions;
    regions.items = &one;
    regions.count = 1;
    struct samples samples = *like;
    samples.items = pool->samples.items;
    samples.count = pool->samples.count;
    models_fit(&pool->fitted, &samples, &regions, pool->machine);
}

static void pool_dispose(struct kernel_pool *pool) {
    if (pool->fitted.items != NULL)
        models_dispose(&pool->fitted);
    vec_dispose(&pool->samples);
}

/* Of the region's own samples, weighted by time; 0: it has none. */
static double error_on(const struct kernel_pool *pool, int region) {
    const struct latency_model *model = &pool->fitted.items[0];
    double error_s = 0, total_s = 0;
    for (size_t i = 0; i < pool->samples.count; i++) {
        const struct sample *sample = &pool->samples.items[i];
        if (sample->called_by != region || !(sample->timed > 0))
            continue;
        double found_s =
            sample->timed * sample_ratio(sample) * latency_evaluate(model, sample->features);
        error_s += fabs(found_s - sample->seconds);
        total_s += sample->seconds;
    }
    return total_s > 0 ? error_s / total_s : 0;
}

/* ---- Taking the shared model ---- */

/* What differs between runs is common to all regions: short calls alone would tell of more. */
static double run_spread(const struct models *models) {
    for (int i = 0; i < models->count; i++)
        if (models->items[i].has_spread)
            return models->items[i].spread.run;
    return 0;
}

static const char *join(struct arena *arena, const char *note, const char *more) {
    return arena_printf(arena, "%s%s%s", note, note[0] != '\0' ? "; " : "", more);
}

static void take(struct models *models, const struct latency_model *shared,
                 const struct region *region, const char *note) {
    struct latency_model *out = &models->items[region->index];
    struct latency_model before = *out;
    double run = run_spread(models);
    *out = *shared;
    out->region = before.region;
    out->total_s = before.total_s;
    out->share = before.share;
    out->spread.run = run;
    latency_write_lines(out, &models->arena, region);
    out->scale_line = out->ratio_lines = NULL;
    out->ratio_note = "";
    out->note = join(&models->arena, shared->note, note);
    /* Never -1: they have just been written. */
    latency_read_lines(out, &models->arena, out->lines);
}

static const char *describe_others(struct arena *arena, const struct kernel_pool *pool,
                                   int region) {
    const struct regions *regions = pool->regions;
    struct str text = {0};
    str_printf(&text, "shares the model of %s with region", regions->items[region].kernel);
    int count = 0;
    for (int i = 0; i < regions->count; i++)
        count += i != region && same_kernel(&regions->items[i], &regions->items[region]);
    str_add(&text, count > 1 ? "s" : "");
    for (int i = 0, said = 0; i < regions->count; i++)
        if (i != region && same_kernel(&regions->items[i], &regions->items[region]))
            str_printf(&text, "%s %d", said++ > 0 ? "," : "", i);
    const char *copy = arena_strdup(arena, text.text);
    str_dispose(&text);
    return copy;
}

static void offer(struct models *models, const struct kernel_pool *pool, int region) {
    struct latency_model *own = &models->items[region];
    double error = error_on(pool, region);
    if (own->fitted && error > AS_GOOD_FACTOR * own->error + AS_GOOD_SLACK) {
        own->note = join(&models->arena, own->note,
                         arena_printf(&models->arena, "unlike other calls of %s",
                                      pool->regions->items[region].kernel));
        return;
    }
    bool was_fitted = own->fitted;
    take(models, &pool->fitted.items[0], &pool->regions->items[region],
         describe_others(&models->arena, pool, region));
    if (was_fitted)
        models->items[region].error = error;
}

/* The samples of all regions that are calls of the same function as this one. */
static int gather(struct kernel_pool *pool, const struct samples *samples, int region) {
    int members = 0;
    for (int i = 0; i < pool->regions->count; i++)
        members += same_kernel(&pool->regions->items[i], &pool->regions->items[region]);
    for (size_t i = 0; members > 1 && i < samples->count; i++) {
        struct sample sample = samples->items[i];
        if (!same_kernel(&pool->regions->items[sample.region], &pool->regions->items[region]))
            continue;
        sample.called_by = sample.region;
        sample.region = 0;
        vec_push(&pool->samples, sample);
    }
    return members;
}

static void share(struct models *models, const struct samples *samples,
                  const struct regions *regions, int region) {
    struct kernel_pool pool = {.regions = regions, .machine = models->machine};
    if (gather(&pool, samples, region) > 1 && pool.samples.count > 0) {
        pool_fit(&pool, samples, &regions->items[region]);
        for (int i = 0; pool.fitted.items[0].fitted && i < regions->count; i++)
            if (same_kernel(&regions->items[i], &regions->items[region]))
                offer(models, &pool, i);
    }
    pool_dispose(&pool);
}

/* ---- Kernels measured alone ---- */

/* The product of sizes "m*n" before " of dgemm"; NaN: something in it is no size of the kernel. */
static double face_of(const char *meaning, const struct calibrated_kernel *kernel,
                      const double *sizes) {
    double product = 1;
    for (const char *at = meaning; *at != '\0'; at++) {
        size_t length = strcspn(at, "* ");
        double size = NAN;
        for (int i = 0; i < kernel->size_count; i++)
            if (strlen(kernel->size_names[i]) == length &&
                strncmp(kernel->size_names[i], at, length) == 0)
                size = sizes[i];
        product *= size;
        at += length;
        if (*at != '*')
            return *at == ' ' ? product : NAN;
    }
    return NAN;
}

/* dtrsm is measured with the triangle (m*m) on the left; on the right m and n change places. */
static bool is_on_the_right(const struct region *region, const struct calibrated_kernel *kernel) {
    bool found = false;
    for (int j = 0; j < region->feature_count; j++)
        found = found || text_has_prefix(region->features[j].meaning, "n*n of ");
    return found && kernel->size_count == 2 && strcmp(kernel->size_names[0], "m") == 0;
}

/* What the region's features are of such a call: its operations first, then their faces. */
static void features_of(double *out, const struct region *region,
                        const struct calibrated_kernel *kernel,
                        const struct calibrated_call *call) {
    bool swapped = is_on_the_right(region, kernel);
    double sizes[CALIBRATION_SIZES_MAX];
    for (int i = 0; i < kernel->size_count; i++)
        sizes[i] = call->sizes[swapped ? 1 - i : i];
    out[0] = call->operations;
    for (int j = 1; j < region->feature_count; j++)
        out[j] = face_of(region->features[j].meaning, kernel, sizes);
}

/* All that the region's features tell is known of calls that were measured alone. */
static bool has_features_of(const struct region *region, const struct calibrated_kernel *kernel) {
    static const struct calibrated_call call = {.sizes = {1, 1, 1}, .operations = 1};
    double features[BSIM_FEATURES_MAX] = {0};
    if (region->feature_count < 1 || region->feature_count > BSIM_FEATURES_MAX ||
        !text_has_prefix(region->features[0].meaning, OPERATIONS))
        return false;
    features_of(features, region, kernel, &call);
    for (int j = 0; j < region->feature_count; j++)
        if (!(features[j] > 0))
            return false;
    return true;
}

void kernel_fit(struct models *out, const struct calibrated_kernel *kernel, bool cold,
                const struct region *as, const char *machine) {
    struct region one = *as;
    struct regions regions = {.bundle = "", .items = &one, .count = 1};
    sample_list samples = {0};
    struct arena arena;
    arena_init(&arena);
    one.index = 0;
    for (size_t i = 0; i < kernel->call_count; i++) {
        const struct calibrated_call *call = &kernel->calls[i];
        double *features = ARENA_ARRAY(&arena, double, (size_t)as->feature_count);
        features_of(features, as, kernel, call);
        vec_push(&samples, (struct sample){.run = (int)i,
                                           .features = features,
                                           .feature_count = as->feature_count,
                                           .count = 1,
                                           .timed = 1,
                                           .seconds = cold ? call->cold_s : call->warm_s});
    }
    models_fit(out,
               &(struct samples){.items = samples.items,
                                 .count = samples.count,
                                 .run_count = (int)kernel->call_count},
               &regions, machine);
    vec_dispose(&samples);
    arena_dispose(&arena);
}

static void stand_in(struct models *models, const struct regions *regions,
                     const struct calibration *calibration, int region) {
    const struct region *to = &regions->items[region];
    const struct calibrated_kernel *kernel =
        is_kernel(to) ? calibration_find(calibration, to->kernel) : NULL;
    if (models->items[region].fitted || kernel == NULL || !has_features_of(to, kernel))
        return;
    struct models alone;
    kernel_fit(&alone, kernel, calibration->cold, to, models->machine);
    take(models, &alone.items[0], to,
         arena_printf(&models->arena, "no samples: %s as calibrated alone, %s caches", kernel->name,
                      calibration->cold ? "cold" : "warm"));
    models_dispose(&alone);
}

void kernels_share(struct models *models, const struct samples *samples,
                   const struct regions *regions, const struct calibration *calibration) {
    for (int i = 0; i < regions->count; i++)
        if (is_first_of_its_kind(regions, i))
            share(models, samples, regions, i);
    for (int i = 0; i < regions->count; i++)
        stand_in(models, regions, calibration, i);
    models_sum_up(models);
}
