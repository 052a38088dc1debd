/* SPDX-License-Identifier: Apache-2.0
 *
 * Region by region; see fit.h. At most POINTS_MAX points of a region are used; where there are
 * more, every n-th of them in the order of their features.
 */
#include "model/fit.h"

#include "base/error.h"
#include "model/fit_check.h"
#include "model/fit_dump.h"
#include "model/fit_terms.h"
#include "model/latency/centre.h"
#include "model/latency/choice.h"
#include "model/latency/design.h"
#include "model/latency/dictionary.h"
#include "model/latency/doubts.h"
#include "model/latency/ratio.h"
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
#define PLAIN_EXACT 0.01  /* errors below are less than what caches add */
#define PARTS_AS_GOOD 1.1 /* left-out configurations tell little of what is farther out */
#define SCALED_FROM 0.15
#define SCALED_LEAVES 0.6

/* ---- One region ---- */

/* A model of points; its parts point to each other. */
struct fit_attempt {
    struct points used;
    struct dictionary dictionary;
    struct design design;
    struct candidate chosen;
    struct bsim_rest rest;
    bool has_rest;
    double error, form_error; /* that of the form alone, which says whether features tell enough */
    /* Of the part of times that does not wait for caches and memory, where this is one of the part
     * that does; NULL: this is of whole times. */
    const struct fit_attempt *plain;
    const struct points *whole; /* that both are parts of */
    const struct region *region;
    const struct run_scale *scale; /* that the points are divided by; NULL: none */
};

static void take_terms(struct latency_model *out, struct arena *arena,
                       const struct fit_attempt *attempt) {
    term_list list = {0};
    if (attempt->plain != NULL)
        terms_add(&list, arena, &attempt->plain->chosen, &attempt->plain->dictionary);
    out->plain_count = (int)list.count;
    terms_add(&list, arena, &attempt->chosen, &attempt->dictionary);
    struct term *terms = ARENA_ARRAY(arena, struct term, list.count);
    for (size_t i = 0; i < list.count; i++)
        terms[i] = list.items[i];
    out->terms = terms;
    out->term_count = (int)list.count;
    vec_dispose(&list);
}

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

/* Of formulas that are sums. */
static void take_shares(struct latency_model *out, struct arena *arena,
                        const struct points *points) {
    if (out->term_count < 2)
        return;
    double *shares = ARENA_ARRAY(arena, double, (size_t)out->term_count);
    for (int i = 0; i < out->term_count; i++) {
        shares[i] = 0;
        for (size_t k = 0; k < points->count; k++)
            shares[i] = fmax(shares[i], latency_share(out, i, points->items[k].features));
    }
    out->shares = shares;
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
    int run_count; /* of the machine */
    unsigned dumps;
};

/* ---- An attempt without some configurations ---- */

/* What the others alone say: the form with its coefficients, centred as the model itself is, and
 * the factor by which a fitted power of a run's number is off. */
struct refitted {
    struct design design; /* of points that are divided by that factor */
    struct points points;
    struct candidate form;
    struct run_scale scale;
    bool has_scale;
};

static void take_scale(struct refitted *out, struct arena *arena, const struct fit_attempt *attempt,
                       const bool *left_out) {
    const struct points *points = attempt->design.points;
    bool *points_out = ARENA_ARRAY(arena, bool, points->count);
    for (size_t i = 0; i < points->count; i++)
        points_out[i] = left_out[attempt->design.fold[i]];
    out->has_scale =
        attempt->scale != NULL && run_scale_refit(&out->scale, attempt->scale, points, points_out);
    out->points = out->has_scale ? run_scale_divide(arena, points, &out->scale) : *points;
    out->design = attempt->design;
    out->design.points = &out->points;
}

static void refitted_make(struct refitted *out, struct arena *arena,
                          const struct fit_attempt *attempt, const bool *left_out) {
    struct candidate *form = &out->form;
    take_scale(out, arena, attempt, left_out);
    *form = attempt->chosen;
    form->coefficients = ARENA_ARRAY(arena, double, form->count);
    design_solve(form->coefficients, &out->design, form, left_out);
    scale_coefficients(form, arena,
                       centre_factor(&out->design, form, form->coefficients, left_out));
}

static double formula_s(const void *context, const double *features) {
    const struct refitted *refitted = context;
    const struct candidate *form = &refitted->form;
    return design_formula_s(&refitted->design, form, form->coefficients, features);
}

/* What the others say of the points that are left out; only these of `out_s` are set. */
static void refit_form(double *out_s, const bool *left_out, const struct fit_attempt *attempt,
                       bool without_rest) {
    int feature_count = attempt->region->feature_count;
    struct arena arena;
    struct refitted others;
    struct bsim_rest rest;
    arena_init(&arena);
    refitted_make(&others, &arena, attempt, left_out);
    bool has_rest = !without_rest && residual_find(&rest, &others.design, &others.form,
                                                   others.form.coefficients, left_out);
    for (size_t i = 0; i < others.points.count; i++) {
        const struct point *point = &others.points.items[i];
        if (!left_out[others.design.fold[i]])
            continue;
        out_s[i] = has_rest ? bsim_rest_latency_s(&rest, formula_s, &others, point->features,
                                                  feature_count)
                            : formula_s(&others, point->features);
        if (others.has_scale)
            out_s[i] *= run_scale_factor(&others.scale, point->run);
    }
    arena_dispose(&arena);
}

/* Of both parts, if there are two. */
static void refit(double *out_s, const bool *left_out, const void *context) {
    const struct fit_attempt *attempt = context;
    size_t rows = attempt->design.rows;
    refit_form(out_s, left_out, attempt, false);
    if (attempt->plain == NULL)
        return;
    double *plain_s = xmalloc((rows + 1) * sizeof *plain_s);
    refit_form(plain_s, left_out, attempt->plain, false);
    for (size_t i = 0; i < rows; i++)
        if (left_out[attempt->design.fold[i]])
            out_s[i] += plain_s[i];
    free(plain_s);
}

static bool has_shape(const struct candidate *chosen) {
    return chosen->powers != NULL || chosen->has_step;
}

/* Where each fold in turn is left out, by time. Forms with fitted powers or steps were tested
 * whole; refitting would take those as given. */
static double error_of(const struct fit_attempt *attempt, bool without_rest) {
    const struct design *design = &attempt->design;
    struct error_sums sums = {0};
    if (has_shape(&attempt->chosen) || design->fold_count < 2)
        return attempt->chosen.time_error;
    double *latency_s = xmalloc((design->rows + 1) * sizeof *latency_s);
    bool *left_out = xmalloc((size_t)design->fold_count * sizeof *left_out);
    for (int fold = 0; fold < design->fold_count; fold++) {
        for (int k = 0; k < design->fold_count; k++)
            left_out[k] = k == fold;
        refit_form(latency_s, left_out, attempt, without_rest);
    }
    for (size_t i = 0; i < design->rows; i++)
        design_add_error(&sums, design, i, latency_s[i]);
    free(latency_s);
    free(left_out);
    return sums.time_s > 0 ? sums.time_error / sums.time_s : 0;
}

/* ---- What a model has of an attempt ---- */

static void take_spread(struct latency_model *out, const struct fit_attempt *attempt,
                        const struct measured *measured) {
    struct spread_question question = {
        .points = attempt->whole,
        .configuration = attempt->design.fold,
        .configuration_count = attempt->design.fold_count,
        .feature_count = out->feature_count,
        .scale = attempt->scale,
        .refit = refit,
        .context = attempt,
        .least_error = has_shape(&attempt->chosen) ? attempt->error : 0, /* refit leaves it be */
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
    out->note = str_into(arena, &note);
}

static struct fit_attempt *attempt_make(struct arena *arena, const char *what,
                                        const struct points *points, const struct region *region,
                                        const struct run_scale *scale,
                                        const struct measured *measured) {
    struct fit_attempt *out = ARENA_NEW(arena, struct fit_attempt);
    out->used = thin_out(arena, points);
    out->whole = &out->used;
    out->region = region;
    out->scale = scale;
    dictionary_make(&out->dictionary, arena, &out->used, region);
    design_make(&out->design, arena, &out->used, &out->dictionary, region->feature_count,
                measured->run_count, measured->context, scale != NULL);
    candidate_list all = {0};
    out->chosen = choice_make(&all, arena, &out->design);
    if ((measured->dumps >> FIT_DESIGN & 1) != 0)
        fit_dump_design(stdout, what, &out->design, region);
    if ((measured->dumps >> FIT_CHOICE & 1) != 0)
        fit_dump_choice(stdout, what, &out->design, region, &all, &out->chosen);
    vec_dispose(&all);
    scale_coefficients(&out->chosen, arena,
                       centre_factor(&out->design, &out->chosen, out->chosen.coefficients, NULL));
    out->error = error_of(out, false);
    out->form_error = error_of(out, true);
    out->has_rest =
        residual_find(&out->rest, &out->design, &out->chosen, out->chosen.coefficients, NULL);
    return out;
}

/* The part of each time that waits for caches and memory, or the other one. */
static struct points part_of(struct arena *arena, const struct points *points, bool is_plain) {
    struct points part = *points;
    part.has_caches = !is_plain;
    part.are_waits = !is_plain;
    part.total_s = 0;
    part.items = ARENA_ARRAY(arena, struct point, points->count);
    for (size_t i = 0; i < points->count; i++) {
        const struct point *whole = &points->items[i];
        struct point *item = &part.items[i];
        *item = *whole;
        item->latency_s = is_plain ? whole->plain_s : whole->latency_s - whole->plain_s;
        if (whole->latency_s > 0)
            item->total_s *= item->latency_s / whole->latency_s;
        part.total_s += item->total_s;
    }
    return part;
}

/* What is executed goes by the features exactly, and caches hide it: both are fitted apart, where
 * that is so. NULL: it is not. */
static struct fit_attempt *attempt_parts(struct arena *arena, const struct fit_attempt *whole,
                                         const struct points *points, const struct region *region,
                                         const struct measured *measured) {
    if (!points->are_exact || !points->has_caches || !(whole->error > PLAIN_EXACT))
        return NULL;
    struct points plain_points = part_of(arena, points, true);
    struct points wait_points = part_of(arena, points, false);
    if (wait_points.total_s <= 0)
        return NULL;
    struct fit_attempt *plain =
        attempt_make(arena, "the part without waits", &plain_points, region, NULL, measured);
    if (plain->has_rest || plain->chosen.has_step || plain->error > PLAIN_EXACT)
        return NULL;
    struct fit_attempt *waits =
        attempt_make(arena, "the part that waits for memory", &wait_points, region, NULL, measured);
    waits->plain = plain;
    waits->whole = &whole->used;
    waits->error = (plain->error * plain_points.total_s + waits->error * wait_points.total_s) /
                   points->total_s;
    return waits->error <= PARTS_AS_GOOD * whole->error ? waits : NULL;
}

/* With that factor by the run, if it is clearly better so; else NULL. */
static struct fit_attempt *attempt_scaled(struct run_scale *scale, struct arena *arena,
                                          const struct fit_attempt *plain,
                                          const struct points *points, const struct region *region,
                                          const struct measured *measured) {
    if (plain->form_error < SCALED_FROM ||
        !run_scale_find(scale, arena, points, region, measured->context))
        return NULL;
    struct points divided = run_scale_divide(arena, points, scale);
    struct fit_attempt *scaled =
        attempt_make(arena, "divided by a factor of the run", &divided, region, scale, measured);
    bool is_better = scaled->form_error <= SCALED_LEAVES * plain->form_error &&
                     scaled->error <= SCALED_LEAVES * plain->error;
    return is_better ? scaled : NULL;
}

static void fit_region(struct latency_model *out, struct arena *arena, const struct points *points,
                       const struct region *region, const struct measured *measured) {
    struct arena scratch;
    struct run_scale scale;
    const char *scale_note = "";
    arena_init(&scratch);
    const struct fit_attempt *attempt =
        attempt_make(&scratch, "whole times", points, region, NULL, measured);
    const struct fit_attempt *scaled =
        attempt_scaled(&scale, &scratch, attempt, points, region, measured);
    if (scaled != NULL) {
        attempt = scaled;
        out->scale_line = run_scale_line(arena, &scale);
        scale_note = run_scale_note(&scratch, &scale);
        run_scale_apply(&scale, measured->samples, measured->count);
    }
    const struct fit_attempt *parts =
        scaled != NULL ? NULL : attempt_parts(&scratch, attempt, points, region, measured);
    if (parts != NULL)
        attempt = parts;
    take_terms(out, arena, attempt);
    take_step(out, arena, attempt);
    take_ranges(out, arena, points);
    take_shares(out, arena, points);
    out->fitted = true;
    out->error = fmax(attempt->error,
                      doubts_scatter(measured->samples, measured->count, measured->run_count));
    out->validation = attempt->design.validation;
    out->point_count = points->count;
    out->run_count = points->run_count;
    const char *notes[] = {attempt->dictionary.note, out->ratio_note, scale_note};
    take_note(out, arena, notes, sizeof notes / sizeof notes[0], &attempt->design, measured);
    take_spread(out, attempt, measured);
    arena_dispose(&scratch);
}

/* Skeletons take no larger ones: such a latency may be anything. */
static void bound_spread(struct bsim_spread *spread) {
    double *const parts[] = {&spread->model, &spread->run, &spread->rank, &spread->execution,
                             &spread->beyond};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = fmin(*parts[i], BSIM_SPREAD_MAX);
}

/* What all regions have in common is known when all are fitted. */
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
            if ((samples->dumps >> FIT_VALUES & 1) != 0)
                fit_dump_value(stdout, model, region, first, (size_t)(sample - first));
            continue;
        }
        model->total_s = points[i].total_s;
        struct measured measured = {first, (size_t)(sample - first), &context,
                                    &runs, samples->run_count,       samples->dumps};
        if (points[i].count > 0 && !only_values)
            fit_region(model, &out->arena, &points[i], region, &measured);
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
