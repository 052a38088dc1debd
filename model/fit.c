/* SPDX-License-Identifier: Apache-2.0
 *
 * Region by region; see fit.h. At most POINTS_MAX points of a region are used; where there are
 * more, every n-th of them in the order of their features.
 */
#include "model/fit.h"

#include "base/error.h"
#include "base/vec.h"
#include "model/fit_check.h"
#include "model/latency/centre.h"
#include "model/latency/choice.h"
#include "model/latency/design.h"
#include "model/latency/dictionary.h"
#include "model/latency/doubts.h"
#include "model/latency/ratio.h"
#include "model/latency/refit.h"
#include "model/latency/residual.h"
#include "model/latency/run_factor.h"
#include "model/latency/spread.h"
#include "model/samples/call_gaps.h"
#include "model/samples/points.h"
#include "model/values/value_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 4096
/* A factor by the run is tried where the error is that large, and taken if it leaves that part. */
#define SCALED_FROM 0.15
#define SCALED_LEAVES 0.6

/* ---- One region ---- */

static struct term make_term(struct arena *arena, const struct monomial *monomial,
                             double coefficient_s, int feature_count) {
    double *exponents = ARENA_ARRAY(arena, double, (size_t)feature_count);
    int *logs = ARENA_ARRAY(arena, int, (size_t)feature_count);
    for (int i = 0; i < monomial->factor_count; i++) {
        exponents[monomial->factors[i].feature] += monomial->factors[i].exponent;
        logs[monomial->factors[i].feature] += monomial->factors[i].log;
    }
    return (struct term){coefficient_s, exponents, logs};
}

struct weighted {
    const struct monomial *monomial;
    double coefficient_s;
};

/* The constant first, then as the features are ordered, for people. */
static int compare_weighted(const void *left, const void *right) {
    const struct monomial *l = ((const struct weighted *)left)->monomial;
    const struct monomial *r = ((const struct weighted *)right)->monomial;
    if (l->kind != r->kind)
        return l->kind < r->kind ? -1 : 1;
    for (int i = 0; i < l->factor_count && i < r->factor_count; i++) {
        const struct monomial_factor *a = &l->factors[i], *b = &r->factors[i];
        if (a->feature != b->feature)
            return a->feature < b->feature ? -1 : 1;
        if (a->exponent != b->exponent)
            return a->exponent < b->exponent ? -1 : 1;
    }
    return l->factor_count - r->factor_count;
}

static void take_monomials(struct latency_model *out, struct arena *arena,
                           const struct candidate *chosen, const struct dictionary *dictionary) {
    VEC(struct weighted) used = {0};
    for (size_t k = 0; k < chosen->count; k++)
        if (chosen->coefficients[k] > 0 && isfinite(chosen->coefficients[k]))
            vec_push(&used, (struct weighted){.monomial = &dictionary->items[chosen->columns[k]],
                                              .coefficient_s = chosen->coefficients[k]});
    if (used.count > 0)
        qsort(used.items, used.count, sizeof *used.items, compare_weighted);
    struct term *terms = ARENA_ARRAY(arena, struct term, used.count);
    for (size_t k = 0; k < used.count; k++)
        terms[k] = make_term(arena, used.items[k].monomial, used.items[k].coefficient_s,
                             out->feature_count);
    out->terms = terms;
    out->term_count = (int)used.count;
    vec_dispose(&used);
}

static void take_powers(struct latency_model *out, struct arena *arena,
                        const struct candidate *chosen) {
    struct term *term = ARENA_NEW(arena, struct term);
    double *exponents = ARENA_ARRAY(arena, double, (size_t)out->feature_count);
    for (int j = 0; j < out->feature_count; j++)
        exponents[j] = chosen->powers[j];
    *term = (struct term){chosen->coefficients[0], exponents,
                          ARENA_ARRAY(arena, int, (size_t)out->feature_count)};
    out->terms = term;
    out->term_count = 1;
}

static void take_terms(struct latency_model *out, struct arena *arena,
                       const struct candidate *chosen, const struct dictionary *dictionary) {
    if (chosen->powers != NULL)
        take_powers(out, arena, chosen);
    else
        take_monomials(out, arena, chosen, dictionary);
}

/* A model of points; its parts point to each other. */
struct fit_attempt {
    struct points used;
    struct dictionary dictionary;
    struct design design;
    struct candidate chosen;
    struct bsim_rest rest;
    bool has_rest;
    double error, form_error; /* that of the form alone, which says whether features tell enough */
};

static void take_step(struct latency_model *out, struct arena *arena,
                      const struct fit_attempt *attempt) {
    struct bsim_step *step = ARENA_NEW(arena, struct bsim_step);
    struct bsim_rest *rest = ARENA_NEW(arena, struct bsim_rest);
    *step = attempt->chosen.step;
    *rest = attempt->rest;
    out->steps = step;
    out->step_count = attempt->chosen.has_step;
    out->rest = attempt->has_rest ? rest : NULL;
}

static void scale_coefficients(struct candidate *chosen, struct arena *arena, double factor) {
    double *coefficients = ARENA_ARRAY(arena, double, chosen->count);
    for (size_t k = 0; k < chosen->count; k++)
        coefficients[k] = factor * chosen->coefficients[k];
    chosen->coefficients = coefficients;
}

static void take_ranges(struct latency_model *out, struct arena *arena,
                        const struct points *points) {
    double *min = ARENA_ARRAY(arena, double, (size_t)out->feature_count);
    double *max = ARENA_ARRAY(arena, double, (size_t)out->feature_count);
    for (int j = 0; j < out->feature_count; j++) {
        min[j] = INFINITY;
        max[j] = -INFINITY;
        for (size_t i = 0; i < points->count; i++) {
            min[j] = fmin(min[j], points->items[i].features[j]);
            max[j] = fmax(max[j], points->items[i].features[j]);
        }
    }
    out->min = min;
    out->max = max;
}

static struct points thin_out(struct arena *arena, const struct points *points) {
    if (points->count <= POINTS_MAX)
        return *points;
    struct points thin = *points;
    thin.items = ARENA_ARRAY(arena, struct point, POINTS_MAX);
    thin.count = POINTS_MAX;
    for (size_t i = 0; i < POINTS_MAX; i++)
        thin.items[i] = points->items[i * (points->count - 1) / (POINTS_MAX - 1)];
    return thin;
}

/* The samples of one region. */
struct measured {
    struct sample *samples;
    size_t count;
    const struct run_context *context;
    struct run_errors *runs;
};

static void take_spread(struct latency_model *out, const struct design *design,
                        const struct candidate *chosen, const struct measured *measured) {
    struct refit refit = {.design = design, .candidate = chosen};
    bool has_shape = chosen->powers != NULL || chosen->has_step; /* refit leaves it as it is */
    struct spread_question question = {.points = design->points,
                                       .configuration = design->fold,
                                       .configuration_count = design->fold_count,
                                       .feature_count = out->feature_count,
                                       .refit = refit_latency,
                                       .context = &refit,
                                       .least_error = has_shape ? chosen->time_error : 0,
                                       .runs = measured->runs};
    out->has_spread = spread_of_region(&out->spread, &question, measured->samples, measured->count);
}

static void take_note(struct latency_model *out, struct arena *arena, const char *const *beginning,
                      size_t count, const struct design *design, const struct measured *measured) {
    struct str note = {0};
    for (size_t i = 0; i < count; i++)
        str_printf(&note, "%s%s", note.length > 0 && beginning[i][0] != '\0' ? "; " : "",
                   beginning[i]);
    doubts_add(&note, measured->samples, measured->count, design->fold_count,
               design->validation == VALIDATION_RUNS ? "configurations" : "feature vectors");
    out->note = arena_strdup(arena, str_text(&note));
    str_dispose(&note);
}

static void centre(struct candidate *chosen, struct arena *arena, const struct design *design) {
    scale_coefficients(chosen, arena, centre_factor(design, chosen, chosen->coefficients, NULL));
}

/* Forms with fitted powers or steps were tested whole; refitting would take those as given. */
static double error_of(const struct candidate *chosen, const struct design *design,
                       bool without_residual) {
    struct refit refit = {
        .design = design, .candidate = chosen, .without_residual = without_residual};
    return chosen->powers == NULL && !chosen->has_step && design->fold_count > 1
               ? refit_error(&refit)
               : chosen->time_error;
}

static struct fit_attempt *attempt_make(struct arena *arena, const struct points *points,
                                        const struct region *region, int run_count,
                                        const struct run_context *context) {
    struct fit_attempt *out = ARENA_NEW(arena, struct fit_attempt);
    out->used = thin_out(arena, points);
    dictionary_make(&out->dictionary, arena, &out->used, region);
    design_make(&out->design, arena, &out->used, &out->dictionary, region->feature_count, run_count,
                context);
    out->chosen = choice_make(arena, &out->design);
    centre(&out->chosen, arena, &out->design);
    out->error = error_of(&out->chosen, &out->design, false);
    out->form_error = error_of(&out->chosen, &out->design, true);
    out->has_rest =
        residual_find(&out->rest, &out->design, &out->chosen, out->chosen.coefficients, NULL);
    return out;
}

/* With that factor by the run, if it is clearly better so; else NULL. */
static struct fit_attempt *attempt_scaled(struct run_scale *scale, struct arena *arena,
                                          const struct fit_attempt *plain,
                                          const struct points *points, const struct region *region,
                                          const struct measured *measured, int run_count) {
    if (plain->form_error < SCALED_FROM ||
        !run_scale_find(scale, arena, points, region, measured->context))
        return NULL;
    struct points divided = run_scale_divide(arena, points, scale);
    struct fit_attempt *scaled =
        attempt_make(arena, &divided, region, run_count, measured->context);
    bool is_better = scaled->form_error <= SCALED_LEAVES * plain->form_error &&
                     scaled->error <= SCALED_LEAVES * plain->error;
    return is_better ? scaled : NULL;
}

static void fit_region(struct latency_model *out, struct arena *arena, const struct points *points,
                       const struct region *region, const struct measured *measured,
                       int run_count) {
    struct arena scratch;
    struct run_scale scale;
    const char *scale_note = "";
    arena_init(&scratch);
    const struct fit_attempt *attempt =
        attempt_make(&scratch, points, region, run_count, measured->context);
    const struct fit_attempt *scaled =
        attempt_scaled(&scale, &scratch, attempt, points, region, measured, run_count);
    if (scaled != NULL) {
        attempt = scaled;
        out->scale_line = run_scale_line(arena, &scale);
        scale_note = run_scale_note(&scratch, &scale);
        run_scale_apply(&scale, measured->samples, measured->count);
    }
    take_terms(out, arena, &attempt->chosen, &attempt->dictionary);
    take_step(out, arena, attempt);
    take_ranges(out, arena, points);
    out->fitted = true;
    out->error =
        fmax(attempt->error, doubts_scatter(measured->samples, measured->count, run_count));
    out->validation = attempt->design.validation;
    out->point_count = points->count;
    out->run_count = points->run_count;
    const char *notes[] = {attempt->dictionary.note, out->ratio_note, scale_note};
    take_note(out, arena, notes, sizeof notes / sizeof notes[0], &attempt->design, measured);
    take_spread(out, &attempt->design, &attempt->chosen, measured);
    arena_dispose(&scratch);
}

/* What all regions have in common is known when all are fitted. */
/* Skeletons take no larger ones: such a latency may be anything. */
static void bound_spread(struct bsim_spread *spread) {
    double *const parts[] = {&spread->model, &spread->run, &spread->rank, &spread->execution,
                             &spread->beyond};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = fmin(*parts[i], BSIM_SPREAD_MAX);
}

static void write_lines(struct models *models, const struct regions *regions, double run_spread) {
    for (int i = 0; i < models->count; i++) {
        struct latency_model *model = &models->items[i];
        if (!model->fitted || regions->items[i].value != VALUE_NONE)
            continue;
        model->spread.run = run_spread;
        bound_spread(&model->spread);
        latency_write_lines(model, &models->arena, &regions->items[i]);
    }
}

void models_sum_up(struct models *models) {
    double error_s = 0;
    models->total_s = 0;
    for (int i = 0; i < models->count; i++) {
        models->total_s += models->items[i].total_s;
        error_s += models->items[i].total_s * models->items[i].error;
    }
    for (int i = 0; i < models->count; i++)
        models->items[i].share =
            models->total_s > 0 ? models->items[i].total_s / models->total_s : 0;
    models->error = models->total_s > 0 ? error_s / models->total_s : 0;
}

static void fit_regions(struct models *out, struct samples *samples, const struct regions *regions,
                        const char *machine, bool only_values) {
    *out = (struct models){.count = regions->count, .statistic = samples->statistic};
    arena_init(&out->arena);
    out->bundle = arena_strdup(&out->arena, regions->bundle);
    out->machine = arena_strdup(&out->arena, machine);
    out->items = ARENA_ARRAY(&out->arena, struct latency_model, (size_t)regions->count);
    out->gaps = call_gaps_lines(&out->arena, samples->runs,
                                samples->runs != NULL ? (size_t)samples->run_count : 0, regions);
    struct arena scratch;
    arena_init(&scratch);
    struct run_context context = {0};
    if (samples->run_count > 0 && samples->runs != NULL) {
        run_context_make(&context, &scratch, samples);
        run_context_add_features(&context, &scratch, samples, regions);
    }
    struct ratio *ratios = ratios_learn(&out->arena, samples, regions); /* changes their order */
    struct points *points = points_of_regions(&scratch, samples, regions->count,
                                              context.numbers != NULL ? &context : NULL);
    struct works works;
    struct run_errors runs;
    works_init(&works, samples, regions);
    run_errors_init(&runs, samples, &works);
    struct sample *sample = samples->items, *end = sample + samples->count;
    for (int i = 0; i < regions->count; i++) {
        const struct region *region = &regions->items[i];
        struct latency_model *model = &out->items[i];
        struct sample *first = sample; /* they are sorted by region now */
        while (sample < end && sample->region == i)
            sample++;
        *model = (struct latency_model){.region = i,
                                        .feature_count = region->feature_count,
                                        .note = "",
                                        .ratio_lines = ratios[i].lines,
                                        .ratio_note = ratios[i].note};
        if (region->value != VALUE_NONE) {
            value_fit(model, &out->arena, samples, first, (size_t)(sample - first), region,
                      &context);
            continue;
        }
        model->total_s = points[i].total_s;
        struct measured measured = {first, (size_t)(sample - first), &context, &runs};
        if (points[i].count > 0 && !only_values)
            fit_region(model, &out->arena, &points[i], region, &measured, samples->run_count);
    }
    arena_dispose(&scratch);
    write_lines(out, regions, spread_of_runs(samples, &works, &runs));
    run_errors_dispose(&runs);
    works_dispose(&works);
    models_sum_up(out);
    struct error error = {0};
    if (invariants_are_checked())
        invariant_require("fit_check", fit_check(out, &error), &error);
}

void models_fit(struct models *out, struct samples *samples, const struct regions *regions,
                const char *machine) {
    fit_regions(out, samples, regions, machine, false);
}

void models_fit_values(struct models *out, struct samples *samples, const struct regions *regions,
                       const char *machine) {
    fit_regions(out, samples, regions, machine, true);
}
