/* SPDX-License-Identifier: Apache-2.0
 *
 * Families, and what is asked of each form; see choice.h.
 */
#include "model/latency/choice.h"

#include "base/vec.h"
#include "model/latency/normal_form.h"
#include "model/latency/power_fit.h"
#include "model/latency/step_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
#define PROVEN_WITHOUT_CACHES 5
#define PROVEN_FACTOR 0.5
#define PROVEN_LINEAR 0.08
#define PROVEN_EXTRAPOLATION 0.5
#define PROVEN_EXCESS 2.5
#define PROVEN_SLACK 0.02
#define NOISE_FACTOR 2.0
#define POWER_FACTOR 0.7
#define COST_PENALTY 0.05 /* of the error, for each unit of cost */
/* A step rises no further beyond the samples, so that it needs less evidence. */
#define STEP_CONFIGURATIONS 5
#define STEP_FACTOR 0.7
#define LINEAR_WITHOUT_STEP 0.05

struct choice_search {
    struct arena *arena;
    const struct dictionary *dictionary;
    const struct design *design;
    candidate_list candidates;
};

/* ---- Families ---- */

static struct candidate *add_candidate(struct choice_search *search, const size_t *columns,
                                       size_t count) {
    struct candidate candidate = {.count = count};
    candidate.columns = ARENA_ARRAY(search->arena, size_t, count);
    if (count > 0)
        memcpy(candidate.columns, columns, count * sizeof *columns);
    design_test(&candidate, search->arena, search->design);
    vec_push(&search->candidates, candidate);
    return &search->candidates.items[search->candidates.count - 1];
}

/* Without column number `but` of the candidate's. */
static struct candidate *add_without(struct choice_search *search,
                                     const struct candidate *candidate, size_t but) {
    size_t count = 0;
    size_t *columns = ARENA_ARRAY(search->arena, size_t, candidate->count);
    for (size_t k = 0; k < candidate->count; k++)
        if (k != but)
            columns[count++] = candidate->columns[k];
    return add_candidate(search, columns, count);
}

static struct candidate *add_used(struct choice_search *search, const struct candidate *candidate) {
    size_t count = 0;
    size_t *columns = ARENA_ARRAY(search->arena, size_t, candidate->count);
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
static void eliminate(struct choice_search *search, struct candidate current) {
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

static void add_family(struct choice_search *search, bool products, bool squares) {
    size_t count = 0;
    size_t *columns = ARENA_ARRAY(search->arena, size_t, search->dictionary->count);
    for (size_t j = 0; j < search->dictionary->count; j++)
        if (in_family(&search->dictionary->items[j], products, squares))
            columns[count++] = j;
    struct candidate whole = *add_candidate(search, columns, count);
    eliminate(search, *add_used(search, &whole));
}

/* Every monomial alone, and with the constant. */
static void add_singles(struct choice_search *search) {
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

enum choice_shape { SHAPE_LINEAR, SHAPE_STEP, SHAPE_CURVE, SHAPE_NORMAL_FORM };

static enum choice_shape shape_of(const struct candidate *candidate,
                                  const struct dictionary *dictionary) {
    enum choice_shape shape = candidate->has_step ? SHAPE_STEP : SHAPE_LINEAR;
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
static bool halves_a_bad_error(const struct choice_search *search,
                               const struct candidate *candidate, const struct candidate *linear) {
    double enough = candidate->error > CURVE_FITS                     ? LINEAR_FOR_CACHES
                    : search->design->fold_count < FEW_CONFIGURATIONS ? LINEAR_ENOUGH_OF_FEW
                                                                      : LINEAR_ENOUGH;
    return candidate->error <= NONLINEAR_FACTOR * linear->error && linear->error >= enough;
}

/* Is what it leaves little, or just noise? */
static bool fits(const struct choice_search *search, const struct candidate *candidate) {
    return candidate->error <= fmax(CURVE_FITS, NOISE_FACTOR * search->design->noise);
}

/* A power between 1 and 2 is what the way through the caches looks like. */
static bool beats_steps(const struct choice_search *search, const struct candidate *candidate) {
    for (size_t i = 0; i < search->candidates.count; i++) {
        const struct candidate *other = &search->candidates.items[i];
        if (other->has_step && candidate->error > POWER_FACTOR * other->error)
            return false;
    }
    return true;
}

/* Without caches no curve is the way through them, and no time is off by chance. */
static int proven_configurations(const struct design *design) {
    return design->points->has_caches ? PROVEN_CONFIGURATIONS : PROVEN_WITHOUT_CACHES;
}

/* Exact times through caches make a curve out of any step. */
static bool shows_caches(const struct points *points) {
    return points->are_exact && points->has_caches;
}

static bool extrapolates(const struct choice_search *search, const struct candidate *candidate,
                         const struct candidate *linear) {
    return search->design->has_held_out &&
           search->design->fold_count >= proven_configurations(search->design) &&
           fits(search, candidate) && linear->error >= PROVEN_LINEAR &&
           candidate->error <= PROVEN_FACTOR * linear->error &&
           candidate->extrapolation <= PROVEN_EXTRAPOLATION * linear->extrapolation &&
           candidate->extrapolation <= PROVEN_EXCESS * candidate->error + PROVEN_SLACK;
}

static bool shows_a_step(const struct choice_search *search, const struct candidate *candidate,
                         const struct candidate *linear) {
    return linear->error >= LINEAR_WITHOUT_STEP &&
           search->design->fold_count >= STEP_CONFIGURATIONS &&
           candidate->error <= STEP_FACTOR * linear->error &&
           !(candidate->extrapolation > linear->extrapolation);
}

static bool has_linear(const struct candidate *candidate, const struct dictionary *dictionary,
                       int feature) {
    for (size_t k = 0; k < candidate->count; k++) {
        const struct monomial *monomial = &dictionary->items[candidate->columns[k]];
        if (candidate->coefficients[k] > 0 && monomial->kind == MONOMIAL_LINEAR &&
            monomial->factors[0].feature == feature)
            return true;
    }
    return false;
}

/* Linear in a feature and, for large ones, more than linear in the same. */
static bool bends_upwards(const struct candidate *candidate, const struct dictionary *dictionary) {
    for (size_t k = 0; candidate->powers == NULL && k < candidate->count; k++) {
        const struct monomial *monomial = &dictionary->items[candidate->columns[k]];
        for (int i = 0; candidate->coefficients[k] > 0 && i < monomial->factor_count; i++) {
            const struct monomial_factor *factor = &monomial->factors[i];
            if ((factor->exponent > 1 || (factor->exponent == 1 && factor->log > 0)) &&
                has_linear(candidate, dictionary, factor->feature))
                return true;
        }
    }
    return false;
}

static bool is_admissible(const struct choice_search *search, const struct candidate *candidate,
                          const struct candidate *linear) {
    if (bends_upwards(candidate, search->dictionary))
        return false;
    if (search->design->points->are_waits) /* an access waits for the memory at most */
        return shape_of(candidate, search->dictionary) == SHAPE_LINEAR;
    switch (shape_of(candidate, search->dictionary)) {
    case SHAPE_LINEAR:
        return true;
    case SHAPE_STEP:
        return shows_a_step(search, candidate, linear);
    case SHAPE_CURVE:
        return halves_a_bad_error(search, candidate, linear) ||
               extrapolates(search, candidate, linear);
    case SHAPE_NORMAL_FORM:
        return extrapolates(search, candidate, linear) &&
               ((candidate->powers == NULL && !shows_caches(search->design->points)) ||
                beats_steps(search, candidate));
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
static const struct candidate *choose_among(const struct choice_search *search,
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

static const struct candidate *choose(struct choice_search *search) {
    struct candidate linear = *choose_among(search, NULL);
    if (linear.error >= LINEAR_WITHOUT_STEP && search->design->fold_count >= STEP_CONFIGURATIONS) {
        normal_form_add(&search->candidates, search->arena, search->design,
                        PROVEN_FACTOR * linear.error);
        step_fit_add(&search->candidates, search->arena, search->design);
        power_fit_add(&search->candidates, search->arena, search->design);
    }
    const struct candidate *best = choose_among(search, &linear);
    return shape_of(best, search->dictionary) == SHAPE_LINEAR ? choose_among(search, NULL) : best;
}

struct candidate choice_make(candidate_list *all, struct arena *arena,
                             const struct design *design) {
    struct choice_search search = {
        .arena = arena, .design = design, .dictionary = design->dictionary};
    add_singles(&search);
    add_family(&search, false, false);
    add_family(&search, true, false);
    add_family(&search, false, true);
    add_family(&search, true, true);
    struct candidate chosen = *choose(&search);
    *all = search.candidates;
    return chosen;
}
