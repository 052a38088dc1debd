/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks points, tries each form on held-out ones, and asks the chosen curve; see scaling.h.
 */
#include "model/scaling/scaling.h"

#include "model/solve/left_out.h"

#include <math.h>
#include <string.h>

#define FEW_POINTS 5
#define SMALLEST_PART 3    /* points that predict larger ones */
#define NEARLY_AS_GOOD 1.1 /* of the score */
#define ALSO_CREDIBLE 2    /* of the noise: what such forms say is in the band */
#define FITTED_WEIGHT 2    /* errors of points that were fitted understate */
#define EXACT 1e-3         /* errors below do not tell forms apart */
#define BAND_DEVIATIONS 2
#define NOISE_LEAST 5e-3 /* nobody knows a time better */
#define STEPS 4000       /* of the search for turns, in logarithms */

/* ---- Points ---- */

static int check_point(const struct scaling_point *point, struct error *error) {
    if (!(isfinite(point->ranks) && point->ranks >= 1 && point->ranks <= 1e9))
        return error_set(error, "a point has %g ranks; it takes 1 to 1e9", point->ranks);
    if (!(isfinite(point->time_s) && point->time_s > 0))
        return error_set(error, "the time on %g ranks is %g s; it has to be greater than 0",
                         point->ranks, point->time_s);
    if (!isnan(point->computation_s) &&
        !(point->computation_s >= 0 && point->computation_s <= point->time_s * (1 + 1e-9)))
        return error_set(error,
                         "the computation on %g ranks is %g s; it has to be between 0 and the "
                         "time, %g s",
                         point->ranks, point->computation_s, point->time_s);
    return 0;
}

static int compare_points(const void *left, const void *right) {
    const struct scaling_point *a = left, *b = right;
    if (a->ranks != b->ranks)
        return a->ranks < b->ranks ? -1 : 1;
    return (a->time_s > b->time_s) - (a->time_s < b->time_s);
}

static int take_points(struct scaling *out, const struct scaling_point *points, size_t count,
                       struct error *error) {
    for (size_t i = 0; i < count; i++) {
        if (check_point(&points[i], error) != 0)
            return -1;
        vec_push(&out->points, points[i]);
    }
    if (count > 0)
        qsort(out->points.items, count, sizeof *points, compare_points);
    size_t left = 0;
    for (size_t i = 0; i < count; i++)
        if (left == 0 || out->points.items[i].ranks != out->points.items[left - 1].ranks)
            out->points.items[left++] = out->points.items[i];
    out->points.count = left;
    if (left < 2)
        return error_set(error,
                         "a scaling curve needs points at two numbers of ranks at least (five or "
                         "more are better); there %s %zu",
                         left == 1 ? "is" : "are", left);
    return 0;
}

/* ---- One candidate ---- */

enum scaling_part { PART_WHOLE, PART_COMPUTATION, PART_COMMUNICATION };

static double part_of(const struct scaling_point *point, enum scaling_part part) {
    if (part == PART_WHOLE)
        return point->time_s;
    return part == PART_COMPUTATION ? fmin(point->computation_s, point->time_s)
                                    : fmax(0, point->time_s - point->computation_s);
}

/* All points but those in [hole_begin, hole_end). */
static bool fit_part(struct scaling_curve *out, const struct scaling_form *form,
                     enum scaling_part part, const struct scaling *scaling, size_t hole_begin,
                     size_t hole_end) {
    struct scaling_row *rows = xmalloc((scaling->points.count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < scaling->points.count; i++) {
        const struct scaling_point *point = &scaling->points.items[i];
        if (i >= hole_begin && i < hole_end)
            continue;
        rows[count++] = (struct scaling_row){point->ranks, part_of(point, part), point->time_s};
    }
    bool fine = scaling_curve_fit(out, form, rows, count);
    free(rows);
    return fine;
}

static bool fit_candidate(struct scaling_candidate *out, const struct scaling_candidate *forms,
                          const struct scaling *scaling, size_t hole_begin, size_t hole_end) {
    *out = *forms;
    if (!forms->separate)
        return fit_part(&out->whole, forms->whole.form, PART_WHOLE, scaling, hole_begin, hole_end);
    return fit_part(&out->computation, forms->computation.form, PART_COMPUTATION, scaling,
                    hole_begin, hole_end) &&
           fit_part(&out->communication, forms->communication.form, PART_COMMUNICATION, scaling,
                    hole_begin, hole_end);
}

static double scaling_candidate_s(const struct scaling_candidate *candidate, double ranks) {
    if (!candidate->separate)
        return scaling_curve_value(&candidate->whole, ranks);
    return scaling_curve_value(&candidate->computation, ranks) +
           scaling_curve_value(&candidate->communication, ranks);
}

/* ---- Held-back points ---- */

/* By what factor e the ranks lie beyond the points that are left. */
static double distance(const struct scaling *scaling, size_t hole_begin, size_t hole_end,
                       double ranks) {
    size_t last = scaling->points.count - 1;
    double low = scaling->points.items[hole_begin == 0 ? hole_end : 0].ranks;
    double high = scaling->points.items[hole_end == last + 1 ? hole_begin - 1 : last].ranks;
    return fmax(0, fmax(log(ranks / high), log(low / ranks)));
}

static size_t first_held_out(const struct scaling *scaling) {
    size_t half = (scaling->points.count + 1) / 2;
    if (scaling->leave_one_out)
        return 0;
    return half > SMALLEST_PART ? half : SMALLEST_PART;
}

struct held_out {
    const struct scaling_candidate *forms;
    const struct scaling *scaling;
    double inside, beyond, beyond_distance;
    size_t count, inside_count;
};

/* One point, or all behind it as well, which the candidate then has to extrapolate to. */
static size_t end_of_hole(const struct scaling *scaling, size_t hole_begin) {
    return scaling->leave_one_out ? hole_begin + 1 : scaling->points.count;
}

static bool fit_without(double *sum, void *candidate, int without) {
    struct held_out *out = candidate;
    const struct scaling *scaling = out->scaling;
    size_t begin = first_held_out(scaling) + (size_t)without, end = end_of_hole(scaling, begin);
    struct scaling_candidate fitted;
    if (!fit_candidate(&fitted, out->forms, scaling, begin, end))
        return false;
    for (size_t i = begin; i < end; i++) {
        const struct scaling_point *point = &scaling->points.items[i];
        double error = log(scaling_candidate_s(&fitted, point->ranks) / point->time_s);
        double beyond = distance(scaling, begin, end, point->ranks);
        if (!isfinite(error))
            return false;
        *sum += fabs(error);
        out->count++;
        if (beyond > 0) {
            out->beyond += error * error;
            out->beyond_distance += beyond * beyond;
        } else {
            out->inside += error * error;
            out->inside_count++;
        }
    }
    return true;
}

static int held_out_count(const struct scaling *scaling) {
    return (int)(scaling->points.count - first_held_out(scaling));
}

/* Of the fit to all points. */
static double residual(const struct scaling_candidate *candidate, const struct scaling *scaling,
                       size_t parameters) {
    size_t count = scaling->points.count;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct scaling_point *point = &scaling->points.items[i];
        double error = log(scaling_candidate_s(candidate, point->ranks) / point->time_s);
        sum += error * error;
    }
    return sqrt(sum / (double)(count > parameters ? count - parameters : 1));
}

/* Without its last term a sum is another form of the table. */
static bool is_simpler(const struct scaling_curve *curve) {
    return curve->form != NULL && strcmp(curve->form->name, "normal-form") == 0 &&
           !(curve->coefficients[2] > 0);
}

/* Fits the candidate and measures its errors; false: it cannot be fitted. */
static bool measure(struct scaling_candidate *candidate, const struct scaling *scaling) {
    struct scaling_candidate forms = *candidate;
    struct held_out sums = {.forms = &forms, .scaling = scaling};
    double error = left_out_error(held_out_count(scaling), fit_without, &sums);
    if (!fit_candidate(candidate, candidate, scaling, 0, 0) ||
        !isfinite(residual(candidate, scaling, 0)) || is_simpler(&candidate->whole))
        return false;
    candidate->error = error < INFINITY ? error / (double)sums.count : NAN;
    size_t parameters = candidate->separate ? candidate->computation.form->parameters +
                                                  candidate->communication.form->parameters
                                            : candidate->whole.form->parameters;
    candidate->residual = residual(candidate, scaling, parameters);
    candidate->noise = fmax(candidate->residual, NOISE_LEAST);
    candidate->score = hypot(candidate->error, FITTED_WEIGHT * candidate->residual);
    if (sums.inside_count > 0)
        candidate->noise = fmax(candidate->noise, sqrt(sums.inside / (double)sums.inside_count));
    if (sums.beyond_distance > 0)
        candidate->growth = sqrt(sums.beyond / sums.beyond_distance);
    return true;
}

/* ---- The choice ---- */

struct part_trial {
    const struct scaling_form *form;
    enum scaling_part part;
    const struct scaling *scaling;
    int tests;
};

/* Errors are those of the sum. */
static bool fit_part_without(double *sum, void *candidate, int without) {
    struct part_trial *trial = candidate;
    const struct scaling *scaling = trial->scaling;
    size_t begin = first_held_out(scaling) + (size_t)without, end = end_of_hole(scaling, begin);
    struct scaling_curve curve;
    if (!fit_part(&curve, trial->form, trial->part, scaling, begin, end))
        return false;
    for (size_t j = begin; j < end; j++, trial->tests++) {
        const struct scaling_point *point = &scaling->points.items[j];
        *sum += fabs(scaling_curve_value(&curve, point->ranks) - part_of(point, trial->part)) /
                point->time_s;
    }
    return true;
}

static double part_error(const struct scaling_form *form, enum scaling_part part,
                         const struct scaling *scaling) {
    struct part_trial trial = {form, part, scaling, 0};
    double error = left_out_error(held_out_count(scaling), fit_part_without, &trial);
    return error < INFINITY ? error / trial.tests : INFINITY;
}

/* The form that predicts held-out values of this part best. */
static const struct scaling_form *best_form(enum scaling_part part, const struct scaling *scaling) {
    double errors[64] = {0};
    for (size_t i = 0; i < scaling_form_count; i++)
        errors[i] = part_error(&scaling_forms[i], part, scaling);
    size_t chosen = left_out_choose(errors, scaling_form_count, NEARLY_AS_GOOD, EXACT);
    return chosen < scaling_form_count ? &scaling_forms[chosen] : NULL;
}

static void add_candidates(struct scaling *out) {
    bool parts_known = true;
    for (size_t i = 0; i < out->points.count; i++)
        parts_known &= !isnan(out->points.items[i].computation_s);
    for (size_t i = 0; i < scaling_form_count; i++) {
        struct scaling_candidate one = {.whole.form = &scaling_forms[i]};
        if (measure(&one, out))
            vec_push(&out->candidates, one);
    }
    if (!parts_known)
        return;
    struct scaling_candidate both = {.separate = true,
                                     .computation.form = best_form(PART_COMPUTATION, out),
                                     .communication.form = best_form(PART_COMMUNICATION, out)};
    if (both.computation.form != NULL && both.communication.form != NULL && measure(&both, out))
        vec_push(&out->candidates, both);
}

/* Where nothing could be held out: the power law, which two points decide. */
static void choose(struct scaling *out) {
    double least = INFINITY;
    for (size_t i = 0; i < out->candidates.count; i++)
        if (out->candidates.items[i].score < least)
            least = out->candidates.items[i].score;
    for (size_t i = 0; i < out->candidates.count && out->chosen == NULL; i++) {
        const struct scaling_candidate *one = &out->candidates.items[i];
        if (isfinite(least) ? one->score <= NEARLY_AS_GOOD * least + EXACT
                            : !one->separate && one->whole.form->logarithmic)
            out->chosen = one;
    }
}

int scaling_fit(struct scaling *out, const struct scaling_point *points, size_t count,
                struct error *error) {
    *out = (struct scaling){0};
    int result = take_points(out, points, count, error);
    if (result == 0) {
        out->leave_one_out = out->points.count < FEW_POINTS;
        add_candidates(out);
        choose(out);
        if (out->chosen == NULL)
            result = error_set(error, "no curve can be fitted to these times: they differ by too "
                                      "many orders of magnitude");
    }
    if (result != 0)
        scaling_dispose(out);
    return result;
}

void scaling_dispose(struct scaling *scaling) {
    vec_dispose(&scaling->points);
    vec_dispose(&scaling->candidates);
    scaling->chosen = NULL;
}

/* ---- What the curve says ---- */

double scaling_time_s(const struct scaling *scaling, double ranks) {
    return scaling_candidate_s(scaling->chosen, ranks);
}

/* It passes the points about as closely as the chosen one. */
static bool is_credible(const struct scaling *scaling, const struct scaling_candidate *candidate) {
    return candidate->residual <= ALSO_CREDIBLE * scaling->chosen->residual + EXACT;
}

bool scaling_band(double *out_low_s, double *out_high_s, const struct scaling *scaling,
                  double ranks) {
    const struct scaling_candidate *chosen = scaling->chosen;
    double time_s = scaling_time_s(scaling, ranks);
    double beyond = chosen->growth * distance(scaling, 0, 0, ranks);
    double width = exp(BAND_DEVIATIONS * hypot(chosen->noise, beyond));
    double within = exp(BAND_DEVIATIONS * chosen->noise);
    *out_low_s = time_s / width;
    *out_high_s = time_s * width;
    if (isnan(chosen->error))
        return false;
    for (size_t i = 0; i < scaling->candidates.count; i++) {
        const struct scaling_candidate *other = &scaling->candidates.items[i];
        if (!is_credible(scaling, other))
            continue;
        double other_s = scaling_candidate_s(other, ranks);
        *out_low_s = fmin(*out_low_s, other_s / within);
        *out_high_s = fmax(*out_high_s, other_s * within);
    }
    return true;
}

static double step_ranks(const struct scaling *scaling, int step) {
    double first = scaling->points.items[0].ranks;
    return first * pow(SCALING_RANKS_MAX / first, (double)step / STEPS);
}

double scaling_turn(const struct scaling *scaling) {
    int best = 0;
    double least_s = scaling_time_s(scaling, step_ranks(scaling, 0));
    if (scaling->points.items[0].ranks >= SCALING_RANKS_MAX)
        return 0;
    for (int i = 1; i <= STEPS; i++) {
        double time_s = scaling_time_s(scaling, step_ranks(scaling, i));
        if (time_s < least_s) {
            least_s = time_s;
            best = i;
        }
    }
    return best == STEPS ? 0 : round(step_ranks(scaling, best));
}

double scaling_speedup(const struct scaling *scaling, double ranks, double time_s, bool weak) {
    const struct scaling_point *first = &scaling->points.items[0];
    return first->time_s / time_s * (weak ? ranks / first->ranks : 1);
}

double scaling_efficiency(const struct scaling *scaling, double ranks, double time_s, bool weak) {
    const struct scaling_point *first = &scaling->points.items[0];
    return scaling_speedup(scaling, ranks, time_s, weak) * first->ranks / ranks;
}

double scaling_efficiency_end(const struct scaling *scaling, double wanted, bool weak) {
    for (int i = 1; i <= STEPS; i++) {
        double ranks = step_ranks(scaling, i);
        if (scaling_efficiency(scaling, ranks, scaling_time_s(scaling, ranks), weak) < wanted)
            return ceil(ranks);
    }
    return 0;
}
