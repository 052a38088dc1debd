/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges, and correlations of logarithms; see reached.h.
 */
#include "simulator/experiments/reached.h"

#include "base/str.h"
#include "model/eval/eval_run_factor.h"
#include "model/samples/points.h"
#include "model/samples/run_context.h"

#include <math.h>
#include <stdlib.h>

#define FEATURES_PAIRED 16 /* of a region, at most, are compared with each other */
#define TOGETHER 0.9995    /* correlation from which on two features cannot be told apart */

/* ---- Samples ---- */

static const struct bsim_scale *scale_of(const struct bsim_model *model, int region) {
    const struct bsim_region_model *fitted =
        model != NULL ? bsim_model_region(model, region) : NULL;
    return fitted != NULL ? bsim_region_scale(fitted) : NULL;
}

/* False: the run has not all of the numbers. */
static bool find_numbers(double *out, const struct samples *samples, int run,
                         const struct bsim_scale *scale) {
    for (int i = 0; i < bsim_scale_count(scale); i++)
        if (!run_context_find(&out[i], samples, run, bsim_scale_name(scale, i)))
            return false;
    return true;
}

static void add_numbers(struct sample *sample, struct arena *arena, const double *numbers,
                        int count) {
    double *joined = ARENA_ARRAY(arena, double, (size_t)(sample->feature_count + count));
    for (int i = 0; i < sample->feature_count; i++)
        joined[i] = sample->features[i];
    for (int i = 0; i < count; i++)
        joined[sample->feature_count + i] = numbers[i];
    sample->features = joined;
    sample->feature_count += count;
}

struct samples planned_samples(struct arena *arena, const struct samples *samples,
                               const struct bsim_model *model) {
    struct samples out = *samples;
    double numbers[BSIM_SCALE_NUMBERS_MAX];
    int run = -1, region = -1;
    bool found = false;
    out.items = ARENA_ARRAY(arena, struct sample, samples->count);
    out.count = 0;
    for (size_t i = 0; i < samples->count; i++) {
        struct sample sample = samples->items[i];
        const struct bsim_scale *scale = scale_of(model, sample.region);
        if (scale != NULL && (sample.run != run || sample.region != region)) {
            run = sample.run;
            region = sample.region;
            found = find_numbers(numbers, samples, run, scale);
        }
        if (scale != NULL && !found)
            continue;
        if (scale != NULL)
            add_numbers(&sample, arena, numbers, bsim_scale_count(scale));
        out.items[out.count++] = sample;
    }
    return out;
}

/* ---- What they reach ---- */

struct vectors {
    const struct sample **items;
    size_t count;
};

static int compare_vectors(const void *left, const void *right) {
    const struct sample *l = *(const struct sample *const *)left;
    const struct sample *r = *(const struct sample *const *)right;
    return features_compare(l->features, r->features, l->feature_count);
}

const struct sample **vectors_find(size_t *out_count, struct arena *arena,
                                   const struct samples *samples, int region) {
    const struct sample **found = ARENA_ARRAY(arena, const struct sample *, samples->count);
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < samples->count; i++)
        if (samples->items[i].region == region && samples->items[i].timed > 0)
            found[count++] = &samples->items[i];
    if (count > 0)
        qsort(found, count, sizeof *found, compare_vectors);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_vectors(&found[kept - 1], &found[i]) != 0)
            found[kept++] = found[i];
    *out_count = kept;
    return found;
}

static void take_ranges(struct reached_range *out, struct arena *arena,
                        const struct vectors *vectors, int feature_count) {
    double *min = ARENA_ARRAY(arena, double, (size_t)feature_count);
    double *max = ARENA_ARRAY(arena, double, (size_t)feature_count);
    for (int j = 0; j < feature_count; j++) {
        min[j] = INFINITY;
        max[j] = -INFINITY;
        for (size_t i = 0; i < vectors->count; i++) {
            min[j] = fmin(min[j], vectors->items[i]->features[j]);
            max[j] = fmax(max[j], vectors->items[i]->features[j]);
        }
    }
    out->min = min;
    out->max = max;
}

double reached_factor(const struct reached_range *reached, const struct feature_box *box,
                      int feature) {
    double below = 1, above = 1;
    if (reached->vector_count == 0)
        return INFINITY;
    if (box->max[feature] > reached->max[feature])
        above = reached->max[feature] > 0 ? box->max[feature] / reached->max[feature] : INFINITY;
    if (box->min[feature] < reached->min[feature])
        below = box->min[feature] > 0 ? reached->min[feature] / box->min[feature] : INFINITY;
    return fmax(below, above);
}

static double correlation(const struct vectors *vectors, int one, int other) {
    double mean[2] = {0}, squares[2] = {0}, product = 0;
    for (size_t i = 0; i < vectors->count; i++) {
        mean[0] += coverage_log(vectors->items[i]->features[one]) / (double)vectors->count;
        mean[1] += coverage_log(vectors->items[i]->features[other]) / (double)vectors->count;
    }
    for (size_t i = 0; i < vectors->count; i++) {
        double x = coverage_log(vectors->items[i]->features[one]) - mean[0];
        double y = coverage_log(vectors->items[i]->features[other]) - mean[1];
        squares[0] += x * x;
        squares[1] += y * y;
        product += x * y;
    }
    return squares[0] > 0 && squares[1] > 0 ? product / sqrt(squares[0] * squares[1]) : 0;
}

static bool never_varied(const struct reached_range *reached, int feature) {
    return reached->min[feature] == reached->max[feature];
}

/* The first feature that this one varied with; -1: none. */
static int find_companion(const struct reached_range *reached, const struct vectors *vectors,
                          int feature) {
    for (int j = 0; j < feature; j++)
        if (!never_varied(reached, j) && fabs(correlation(vectors, j, feature)) >= TOGETHER)
            return j;
    return -1;
}

static const char *make_note(struct arena *arena, const struct reached_range *reached,
                             const struct vectors *vectors, int feature_count) {
    struct str note = {0};
    for (int j = 0; j < feature_count && j < FEATURES_PAIRED; j++) {
        const char *name = reached->names[j], *comma = note.length > 0 ? ", " : "";
        int companion = never_varied(reached, j) ? -1 : find_companion(reached, vectors, j);
        if (never_varied(reached, j))
            str_printf(&note, "%s%s never varied", comma, name);
        else if (companion >= 0)
            str_printf(&note, "%s%s varied with %s", comma, name, reached->names[companion]);
    }
    return str_into(arena, &note);
}

static const char *const *find_names(struct arena *arena, const struct feature_box *box,
                                     const struct region *region, const struct bsim_scale *scale) {
    const char **names = ARENA_ARRAY(arena, const char *, (size_t)box->feature_count);
    for (int j = 0; j < box->feature_count; j++)
        names[j] = j < region->feature_count ? region->features[j].name
                                             : bsim_scale_name(scale, j - region->feature_count);
    return names;
}

static void find_one(struct reached_range *out, struct arena *arena, const struct feature_box *box,
                     const struct samples *samples, const struct region *region,
                     const struct bsim_scale *scale) {
    struct vectors vectors;
    struct arena scratch;
    arena_init(&scratch);
    vectors.items = vectors_find(&vectors.count, &scratch, samples, box->region);
    *out = (struct reached_range){.vector_count = vectors.count,
                                  .names = find_names(arena, box, region, scale),
                                  .factor = 1,
                                  .note = ""};
    if (vectors.count == 0)
        out->factor = INFINITY;
    take_ranges(out, arena, &vectors, box->feature_count);
    for (int j = 0; j < box->feature_count; j++)
        out->factor = fmax(out->factor, reached_factor(out, box, j));
    if (vectors.count > 0)
        out->note = make_note(arena, out, &vectors, box->feature_count);
    arena_dispose(&scratch);
}

struct reached_range *reached_find(struct arena *arena, const struct coverage_target *targets,
                                   size_t count, const struct samples *samples,
                                   const struct regions *regions, const struct bsim_model *model) {
    struct reached_range *found = ARENA_ARRAY(arena, struct reached_range, count);
    for (size_t i = 0; i < count; i++)
        find_one(&found[i], arena, &targets[i].box, samples, &regions->items[targets[i].box.region],
                 scale_of(model, targets[i].box.region));
    return found;
}
