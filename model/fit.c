/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice of terms; see fit.h. At most this many points of a region are used; where there are
 * more, every n-th of them in the order of their features.
 */
#include "model/fit.h"

#include "base/vec.h"
#include "model/centre.h"
#include "model/design.h"
#include "model/dictionary.h"
#include "model/doubts.h"
#include "model/normal_form.h"
#include "model/points.h"
#include "model/power_fit.h"
#include "model/ratio.h"
#include "model/refit.h"
#include "model/spread.h"
#include "model/step_fit.h"
#include "model/value_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 4096
#define AS_GOOD_FACTOR 1.1
#define AS_GOOD_SLACK 0.001 /* relative errors this close are the same */
/* Features are iteration counts, so that time is linear in them but for caches. Products and powers
 * have to halve the error of the best linear model, and that has to be bad: more so if there are
 * so few configurations that many a curve goes through them, or if the curve does not fit well
 * either. Then it is likely to follow the step from one cache to the next, and would go on rising
 * beyond it: one that went with n * rows came out ten times too high at sixteen times the size. */
#define NONLINEAR_FACTOR 0.5
#define LINEAR_ENOUGH 0.1
#define LINEAR_ENOUGH_OF_FEW 0.3
#define FEW_CONFIGURATIONS 4
#define CURVE_FITS 0.1
#define LINEAR_FOR_CACHES 1.0
/* A curve may also prove itself by extrapolation: fitted to the smaller points it has to tell the
 * largest ones much better than the best linear model, and about as well as it tells the others. A
 * curve that follows the step between caches does not. */
#define PROVEN_CONFIGURATIONS 7
#define PROVEN_FACTOR 0.5
#define PROVEN_LINEAR 0.08
#define PROVEN_EXTRAPOLATION 0.5
#define PROVEN_EXCESS 2.5
#define PROVEN_SLACK 0.02
#define COST_PENALTY 0.05 /* of the error, for each unit of cost */
/* A step rises no further beyond the samples, so that it needs less evidence. */
#define STEP_CONFIGURATIONS 5
#define STEP_FACTOR 0.7
#define LINEAR_WITHOUT_STEP 0.05

struct search {
    struct arena arena;
    const struct dictionary *dictionary;
    const struct design *design;
    candidate_list candidates;
};

/* ---- Families ---- */

static struct candidate *add_candidate(struct search *search, const size_t *columns, size_t count) {
    struct candidate candidate = {.count = count};
    candidate.columns = ARENA_ARRAY(&search->arena, size_t, count);
    if (count > 0)
        memcpy(candidate.columns, columns, count * sizeof *columns);
    design_test(&candidate, &search->arena, search->design, search->dictionary);
    vec_push(&search->candidates, candidate);
    return &search->candidates.items[search->candidates.count - 1];
}

/* Without column number `but` of the candidate's. */
static struct candidate *add_without(struct search *search, const struct candidate *candidate,
                                     size_t but) {
    size_t count = 0;
    size_t *columns = ARENA_ARRAY(&search->arena, size_t, candidate->count);
    for (size_t k = 0; k < candidate->count; k++)
        if (k != but)
            columns[count++] = candidate->columns[k];
    return add_candidate(search, columns, count);
}

static struct candidate *add_used(struct search *search, const struct candidate *candidate) {
    size_t count = 0;
    size_t *columns = ARENA_ARRAY(&search->arena, size_t, candidate->count);
    for (size_t k = 0; k < candidate->count; k++)
        if (candidate->coefficients[k] > 0)
            columns[count++] = candidate->columns[k];
    return add_candidate(search, columns, count);
}

static bool in_family(const struct monomial *monomial, bool products, bool squares) {
    switch (monomial->kind) {
    case MONOMIAL_CONSTANT:
    case MONOMIAL_LINEAR:
        return true;
    case MONOMIAL_PRODUCT:
        return products;
    case MONOMIAL_POWER:
        return squares && monomial->factors[0].exponent == 2;
    case MONOMIAL_NORMAL_FORM:
        return false;
    }
    return false;
}

/* Drops the term that is missed least, again and again; each step is a candidate. */
static void eliminate(struct search *search, struct candidate current) {
    while (current.count > 1) {
        struct candidate best = {.error = INFINITY};
        for (size_t k = 0; k < current.count; k++) {
            const struct candidate *next = add_without(search, &current, k);
            if (next->error < best.error)
                best = *next;
        }
        if (!(best.error < INFINITY))
            return;
        current = best;
    }
}

static void add_family(struct search *search, bool products, bool squares) {
    size_t count = 0;
    size_t *columns = ARENA_ARRAY(&search->arena, size_t, search->dictionary->count);
    for (size_t j = 0; j < search->dictionary->count; j++)
        if (in_family(&search->dictionary->items[j], products, squares))
            columns[count++] = j;
    struct candidate whole = *add_candidate(search, columns, count);
    eliminate(search, *add_used(search, &whole));
}

/* Every monomial alone, and with the constant. */
static void add_singles(struct search *search) {
    const struct dictionary *dictionary = search->dictionary;
    size_t constant = dictionary->count;
    for (size_t j = 0; j < dictionary->count; j++)
        if (dictionary->items[j].kind == MONOMIAL_CONSTANT)
            constant = j;
    for (size_t j = 0; j < dictionary->count; j++) {
        add_candidate(search, &j, 1);
        if (j != constant && constant < dictionary->count)
            add_candidate(search, (size_t[]){j, constant}, 2);
    }
}

/* ---- Choice ---- */

enum shape { SHAPE_LINEAR, SHAPE_STEP, SHAPE_CURVE, SHAPE_NORMAL_FORM };

static enum shape shape_of(const struct candidate *candidate, const struct dictionary *dictionary) {
    enum shape shape = candidate->has_step ? SHAPE_STEP : SHAPE_LINEAR;
    if (candidate->powers != NULL)
        return SHAPE_NORMAL_FORM;
    for (size_t k = 0; k < candidate->count; k++) {
        enum monomial_kind kind = dictionary->items[candidate->columns[k]].kind;
        if (!(candidate->coefficients[k] > 0))
            continue;
        if (kind == MONOMIAL_NORMAL_FORM)
            return SHAPE_NORMAL_FORM;
        if (kind != MONOMIAL_CONSTANT && kind != MONOMIAL_LINEAR)
            shape = SHAPE_CURVE;
    }
    return shape;
}

static bool is_simpler(const struct candidate *left, const struct candidate *right) {
    if (left->cost != right->cost)
        return left->cost < right->cost;
    return left->error < right->error;
}

/* What is asked of others than linear candidates, given the best of those. */
static bool halves_a_bad_error(const struct search *search, const struct candidate *candidate,
                               const struct candidate *linear) {
    double enough = candidate->error > CURVE_FITS                     ? LINEAR_FOR_CACHES
                    : search->design->fold_count < FEW_CONFIGURATIONS ? LINEAR_ENOUGH_OF_FEW
                                                                      : LINEAR_ENOUGH;
    return candidate->error <= NONLINEAR_FACTOR * linear->error && linear->error >= enough;
}

static bool extrapolates(const struct search *search, const struct candidate *candidate,
                         const struct candidate *linear) {
    return search->design->has_held && search->design->fold_count >= PROVEN_CONFIGURATIONS &&
           linear->error >= PROVEN_LINEAR && candidate->error <= PROVEN_FACTOR * linear->error &&
           candidate->extrapolation <= PROVEN_EXTRAPOLATION * linear->extrapolation &&
           candidate->extrapolation <= PROVEN_EXCESS * candidate->error + PROVEN_SLACK;
}

static bool shows_a_step(const struct search *search, const struct candidate *candidate,
                         const struct candidate *linear) {
    return linear->error >= LINEAR_WITHOUT_STEP &&
           search->design->fold_count >= STEP_CONFIGURATIONS &&
           candidate->error <= STEP_FACTOR * linear->error &&
           !(candidate->extrapolation > linear->extrapolation);
}

static bool is_admissible(const struct search *search, const struct candidate *candidate,
                          const struct candidate *linear) {
    switch (shape_of(candidate, search->dictionary)) {
    case SHAPE_LINEAR:
        return true;
    case SHAPE_STEP:
        return shows_a_step(search, candidate, linear);
    case SHAPE_CURVE:
        return halves_a_bad_error(search, candidate, linear) ||
               extrapolates(search, candidate, linear);
    case SHAPE_NORMAL_FORM:
        return extrapolates(search, candidate, linear);
    }
    return false;
}

/* What the choice between forms goes by: the error, of extrapolation too, with a penalty for what
 * is not simple. */
static double score(const struct candidate *candidate, bool linear_only) {
    if (linear_only)
        return candidate->error;
    double extrapolation =
        candidate->extrapolation < INFINITY ? candidate->extrapolation : candidate->error;
    return (candidate->error + extrapolation) / 2 * (1 + COST_PENALTY * candidate->cost);
}

/* The simplest of the admissible ones that are about as good as the best. `linear` NULL: only
 * linear ones are. */
static const struct candidate *choose_among(const struct search *search,
                                            const struct candidate *linear) {
    const struct candidate *chosen = NULL;
    size_t count = search->candidates.count;
    bool *admissible = xmalloc((count + 1) * sizeof *admissible);
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *candidate = &search->candidates.items[i];
        admissible[i] = linear == NULL ? shape_of(candidate, search->dictionary) == SHAPE_LINEAR
                                       : is_admissible(search, candidate, linear);
        if (admissible[i])
            least = fmin(least, score(candidate, linear == NULL));
    }
    double limit = least * AS_GOOD_FACTOR + AS_GOOD_SLACK;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *candidate = &search->candidates.items[i];
        if (admissible[i] && score(candidate, linear == NULL) <= limit &&
            (chosen == NULL || is_simpler(candidate, chosen)))
            chosen = candidate;
    }
    free(admissible);
    return chosen;
}

static const struct candidate *choose(struct search *search) {
    struct candidate linear = *choose_among(search, NULL);
    if (linear.error >= LINEAR_WITHOUT_STEP && search->design->fold_count >= STEP_CONFIGURATIONS) {
        normal_form_add(&search->candidates, &search->arena, search->design, search->dictionary,
                        PROVEN_FACTOR * linear.error);
        step_fit_add(&search->candidates, &search->arena, search->design, search->dictionary);
        power_fit_add(&search->candidates, &search->arena, search->design, search->dictionary);
    }
    const struct candidate *best = choose_among(search, &linear);
    return shape_of(best, search->dictionary) == SHAPE_LINEAR ? choose_among(search, NULL) : best;
}

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
    if (!chosen->has_step)
        return;
    struct bsim_step *step = ARENA_NEW(arena, struct bsim_step);
    *step = chosen->step;
    out->steps = step;
    out->step_count = 1;
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
    const struct sample *samples;
    size_t count;
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

static void take_note(struct latency_model *out, struct arena *arena, const char *beginning,
                      const struct design *design, const struct measured *measured) {
    struct str note = {0};
    str_add(&note, beginning);
    doubts_add(&note, measured->samples, measured->count, design->fold_count);
    out->note = arena_strdup(arena, str_text(&note));
    str_dispose(&note);
}

static void centre(struct candidate *chosen, struct arena *arena, const struct design *design) {
    double factor = centre_factor(design, chosen, chosen->coefficients, NULL);
    double *coefficients = ARENA_ARRAY(arena, double, chosen->count);
    for (size_t k = 0; k < chosen->count; k++)
        coefficients[k] = factor * chosen->coefficients[k];
    chosen->coefficients = coefficients;
}

/* Forms with fitted powers or steps were tested whole; refitting would take those as given. */
static double error_of(const struct candidate *chosen, const struct design *design) {
    struct refit refit = {.design = design, .candidate = chosen};
    return chosen->powers == NULL && !chosen->has_step && design->fold_count > 1
               ? refit_error(&refit)
               : chosen->time_error;
}

static void fit_region(struct latency_model *out, struct arena *arena, const struct points *points,
                       const struct region *region, const struct measured *measured,
                       int run_count) {
    struct search search = {0};
    struct dictionary dictionary;
    struct design design;
    arena_init(&search.arena);
    struct points used = thin_out(&search.arena, points);
    dictionary_make(&dictionary, &search.arena, &used, region);
    design_make(&design, &search.arena, &used, &dictionary, region->feature_count, run_count);
    search.dictionary = &dictionary;
    search.design = &design;
    add_singles(&search);
    add_family(&search, false, false);
    add_family(&search, true, false);
    add_family(&search, false, true);
    add_family(&search, true, true);
    struct candidate chosen = *choose(&search);
    centre(&chosen, &search.arena, &design);
    take_terms(out, arena, &chosen, &dictionary);
    take_ranges(out, arena, points);
    out->fitted = true;
    out->error = error_of(&chosen, &design);
    out->validation = design.validation;
    out->point_count = points->count;
    out->run_count = points->run_count;
    const char *both = dictionary.note[0] != '\0' && out->ratio_note[0] != '\0' ? "; " : "";
    take_note(out, arena, arena_printf(arena, "%s%s%s", dictionary.note, both, out->ratio_note),
              &design, measured);
    take_spread(out, &design, &chosen, measured);
    vec_dispose(&search.candidates);
    arena_dispose(&search.arena);
}

/* What all regions have in common is known when all are fitted. */
static void write_lines(struct models *models, const struct regions *regions, double run_spread) {
    for (int i = 0; i < models->count; i++) {
        struct latency_model *model = &models->items[i];
        if (!model->fitted || regions->items[i].value != VALUE_NONE)
            continue;
        model->spread.run = run_spread;
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

void models_fit(struct models *out, struct samples *samples, const struct regions *regions,
                const char *machine) {
    *out = (struct models){.count = regions->count, .statistic = samples->statistic};
    arena_init(&out->arena);
    out->bundle = arena_strdup(&out->arena, regions->bundle);
    out->machine = arena_strdup(&out->arena, machine);
    out->items = ARENA_ARRAY(&out->arena, struct latency_model, (size_t)regions->count);
    struct arena scratch;
    arena_init(&scratch);
    struct ratio *ratios = ratios_learn(&out->arena, samples, regions);
    struct points *points = points_of_regions(&scratch, samples, regions->count);
    struct run_errors runs;
    run_errors_init(&runs, samples);
    const struct sample *sample = samples->items, *end = sample + samples->count;
    for (int i = 0; i < regions->count; i++) {
        const struct region *region = &regions->items[i];
        struct latency_model *model = &out->items[i];
        const struct sample *first = sample; /* they are sorted by region now */
        while (sample < end && sample->region == i)
            sample++;
        *model = (struct latency_model){.region = i,
                                        .feature_count = region->feature_count,
                                        .note = "",
                                        .ratio_lines = ratios[i].lines,
                                        .ratio_note = ratios[i].note};
        if (region->value != VALUE_NONE) {
            value_fit(model, &out->arena, samples, first, (size_t)(sample - first), region);
            continue;
        }
        model->total_s = points[i].total_s;
        struct measured measured = {first, (size_t)(sample - first), &runs};
        if (points[i].count > 0)
            fit_region(model, &out->arena, &points[i], region, &measured, samples->run_count);
    }
    arena_dispose(&scratch);
    write_lines(out, regions, fmax(spread_of_runs(samples, regions), run_errors_common(&runs)));
    run_errors_dispose(&runs);
    models_sum_up(out);
}
