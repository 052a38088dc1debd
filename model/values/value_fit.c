/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_fit.h, and docs/reference/model.md for the lines of model.bsim.
 */
#include "model/values/value_fit.h"

#include "model/samples/points.h"

#include "model/values/value_agreement.h"
#include "model/values/value_draw.h"
#include "model/values/value_nearest.h"
#include "model/values/value_one_rank.h"
#include "model/values/value_part.h"
#include "model/values/value_points.h"
#include "model/values/value_position.h"
#include "model/values/value_range.h"
#include "model/values/value_solve.h"
#include "model/values/value_write.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POSITION_FACTOR 0.7
/* So much worse may be what is simpler. */
#define SIMPLER_FACTOR 1.2
#define SIMPLER_ERROR 0.002
#define STRETCH_USELESS 0.001 /* error of a formula, */
#define STRETCH_CHANGES 0.02  /* but not if steps differ by so much from each other, */
#define STRETCH_CERTAIN 0.01  /* and their law has no larger error */
#define UNTOLD_LEAST 0.1      /* errors that whoever uses the number is told of */
/* Of the error about the middle of a range: a formula with less knows something. */
#define RANGE_FACTOR 0.8

/* ---- All of it ---- */

static void take_ranges(struct latency_model *out, struct arena *arena,
                        const struct sample *samples, size_t count, int feature_count) {
    double *min = ARENA_ARRAY(arena, double, (size_t)feature_count);
    double *max = ARENA_ARRAY(arena, double, (size_t)feature_count);
    for (int j = 0; j < feature_count; j++) {
        min[j] = INFINITY;
        max[j] = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            min[j] = fmin(min[j], samples[i].features[j]);
            max[j] = fmax(max[j], samples[i].features[j]);
        }
    }
    out->min = min;
    out->max = max;
}

static bool uses_arguments(const struct value_solution *solution, const struct value_data *data) {
    int first = data->feature_count, end = first + data->plain_count;
    for (int i = 0; i < solution->count; i++)
        for (int v = 0; v < solution->formulas[i].form.variable_count; v++) {
            int variable = solution->formulas[i].form.variables[v];
            if (variable >= first && variable < end)
                return true;
        }
    return false;
}

static const char *find_note(const struct value_data *data, const struct value_solution *solution) {
    int endless = value_count_endless(data);
    if (endless > 0)
        return (size_t)endless == data->points.count
                   ? "a loop that was never seen to end"
                   : "a loop that something else ended in some runs";
    if (data->configuration_count < 2)
        return "one configuration; profile others";
    if (solution->stretch.is_untold)
        return "other sizes take steps as long as the nearest run's, since nothing tells how long "
               "theirs are; profile these";
    return !data->ranks_vary && uses_arguments(solution, data) ? RUN_CONTEXT_ONE_SIZE : "";
}

struct places {
    struct arena *arena;
    const struct value_place_question *question;
    const struct run_context *context;
    struct value_data *data;
    struct value_solution *solution;
};

/* Of the means, from the formula, and at most that of ranks against their mean. */
static double error_with(const struct value_solution *solution,
                         const struct value_positions *positions) {
    return solution->error + positions->error;
}

static int cost_of(const struct value_solution *solution) {
    int cost = 0;
    for (int i = 0; i < solution->count; i++)
        cost += solution->formulas[i].form.cost;
    return cost;
}

/* With these factors instead, if the error is at most `error`, or at most `simpler_error` with
 * simpler formulas. */
static bool take_if_better(struct places *places, const struct value_positions *positions,
                           double error, double simpler_error) {
    struct value_data other;
    const struct value_place_question *question = places->question;
    value_data_make(&other, places->arena, question->all, question->samples, question->sample_count,
                    question->region, places->context, positions->factors);
    struct value_solution solution = value_solve(&other);
    solution.positions = positions;
    solution.relevance = places->solution->relevance;
    bool is_simpler = cost_of(&solution) < cost_of(places->solution);
    bool better = other.points.count > 0 &&
                  error_with(&solution, positions) <= (is_simpler ? simpler_error : error);
    value_points *unused = better ? &places->data->points : &other.points;
    vec_dispose(unused);
    if (!better)
        return false;
    *places->data = other;
    *places->solution = solution;
    return true;
}

/* Places of one part after the other. With the right one sums over ranks go simply with what they
 * depend on. */
static void solve_options(struct places *places, const struct value_positions *positions) {
    for (int part = 0; part < positions->count; part++)
        for (int option = 0; option < positions->option_count[part]; option++) {
            const struct value_positions *now = places->solution->positions;
            double error = error_with(places->solution, now);
            struct value_positions *other = ARENA_ARRAY(places->arena, struct value_positions, 1);
            value_positions_take(other, places->arena, now, part, option, places->question);
            take_if_better(places, other, POSITION_FACTOR * error,
                           SIMPLER_FACTOR * error + SIMPLER_ERROR);
        }
}

/* Again with factors by the rank's position, if there are any and they are clearly better. */
static void solve_positions(struct value_solution *out, struct value_data *data,
                            struct arena *arena, const struct samples *all,
                            const struct region *region, const struct run_context *context) {
    struct value_positions *positions = ARENA_ARRAY(arena, struct value_positions, 1);
    struct value_place_question question = {all, data->samples, data->sample_count, region,
                                            out->split};
    struct places places = {arena, &question, context, data, out};
    if (!value_positions_find(positions, arena, &question))
        return;
    double error = POSITION_FACTOR * (out->error + positions->without);
    if (take_if_better(&places, positions, error, error))
        solve_options(&places, positions);
}

static bool numbers_change(const struct value_data *data) {
    for (size_t i = 0; i < data->sample_count; i++) {
        const struct sample *sample = &data->samples[i];
        for (size_t k = 1; k < sample->repeat_count; k++) {
            double first = sample->sequence[0].number;
            if (fabs(sample->sequence[k].number - first) > STRETCH_CHANGES * fabs(first))
                return true;
        }
    }
    return false;
}

/* Steps that are always as long need no more than a mean that holds for all sizes. The mean of
 * steps that change goes by when the run ends, and so does that of what steps add up to. */
static void solve_stretch(struct value_solution *out, const struct value_data *data,
                          struct arena *arena, const struct region *region) {
    bool is_predicted = out->error <= STRETCH_USELESS && !region->adds_up;
    if (is_predicted && !numbers_change(data))
        return;
    value_stretch_find(&out->stretch, data, arena, region->adds_up);
    if (is_predicted && out->stretch.error > STRETCH_CERTAIN)
        out->stretch = (struct value_stretch){0};
    if (!out->stretch.is_found)
        return;
    out->alike = out->stretch.alike;
    out->is_as_nearest = true;
    out->total = -1;
}

/* Sums up to now, and what may be one, since its mean is the same whatever the run: numbers that
 * rise go on rising then. Others have a formula, which tells more. */
static bool find_clock(const struct value_solution *solution, const struct value_data *data,
                       const struct region *region) {
    bool is_constant = !solution->stretch.is_found;
    for (int i = 0; i < solution->count; i++)
        is_constant = is_constant && solution->formulas[i].form.variable_count == 0;
    return data->kind == VALUE_FLOATING && (region->adds_up || is_constant);
}

static bool is_of_bounds(const struct bsim_draws *draws, int place) {
    return place == draws->low.from.place || place == draws->low.draws.place ||
           place == draws->high.from.place || place == draws->high.draws.place;
}

static void make_data(struct value_data *out, struct arena *arena, const struct samples *all,
                      const struct value_relevance *relevance, const struct region *region,
                      const struct run_context *context) {
    value_data_make(out, arena, all, relevance->samples, relevance->sample_count, region, context,
                    NULL);
}

/* What is irrelevant is no key of a draw, and does not tell runs apart. */
static void leave_unused_out(struct value_solution *out, struct value_data *data,
                             struct arena *arena, const struct samples *all,
                             const struct region *region, const struct run_context *context) {
    bool *used = ARENA_ARRAY(arena, bool, (size_t)out->dimension + 1);
    for (int j = 0; j < out->dimension; j++)
        used[j] = is_of_bounds(&out->draws, j) ||
                  value_relevance_leaves_out(&out->relevance, j, data->feature_count);
    if (!value_relevance_without_unused(&out->relevance, arena, data, used))
        return;
    vec_dispose(&data->points);
    make_data(data, arena, all, &out->relevance, region, context);
}

/* Any number of a range, each as likely, if no formula comes closer than that. Runs that were
 * profiled have their own numbers. */
static bool solve_range(struct value_solution *out, struct value_data *data, struct arena *arena,
                        const struct samples *all, const struct region *region,
                        const struct run_context *context,
                        const struct value_relevance *relevance) {
    struct value_range range;
    struct value_data drawn;
    struct value_relevance without = *relevance;
    value_relevance_without_rank_shares(&without, arena);
    make_data(&drawn, arena, all, &without, region, context);
    bool found = value_range_find(&range, arena, all, &drawn, &without);
    if (found) {
        *out = value_solve(data);
        found = out->error * range.total + range.within >= RANGE_FACTOR * range.spread;
    }
    value_points *unused = found ? &data->points : &drawn.points;
    vec_dispose(unused);
    if (!found)
        return false;
    *data = drawn;
    out->relevance = without;
    out->draws = range.draws;
    out->without_seen = !range.comes_again;
    out->dimension = out->alike = data->feature_count + data->context_count;
    out->total = -1;
    out->error = range.spread / range.total;
    if (range.comes_again)
        leave_unused_out(out, data, arena, all, region, context);
    /* Draws go by features: others would be other draws of what ranks may have to agree on. */
    return !value_has_twins(data->samples, data->sample_count);
}

/* Only one rank each time. What runs had by rank is not kept. */
static bool solve_one(struct value_solution *out, const struct samples *all,
                      const struct value_data *data, const struct value_relevance *relevance) {
    struct bsim_draws draws;
    if (!value_one_find(&draws, all, data))
        return false;
    *out = value_solve(data);
    out->relevance = *relevance;
    out->draws = draws;
    out->without_seen = true;
    out->alike = out->dimension;
    out->total = -1;
    return true;
}

static void solve_formula(struct value_solution *out, struct value_data *data, struct arena *arena,
                          const struct samples *all, const struct region *region,
                          const struct run_context *context,
                          const struct value_relevance *relevance) {
    bool by_features = relevance->without_sizes;
    *out = value_solve(data);
    out->relevance = *relevance;
    solve_positions(out, data, arena, all, region, context);
    if (!value_draws_find(&out->draws, all, data))
        out->draws = (struct bsim_draws){0};
    out->follows = value_follows(data, arena, out->dimension);
    out->alike = by_features ? data->feature_count : value_alike(data, arena, out->dimension);
    out->total = -1;
    out->is_as_nearest = by_features || out->alike < out->dimension ||
                         value_is_as_nearest(&out->total, data, arena, out->dimension);
    solve_stretch(out, data, arena, region);
    out->is_clock = find_clock(out, data, region);
    out->is_decided = value_is_decided(data, out);
    value_find_relevant(out, arena, data);
}

/* *data's points are the caller's (vec_dispose). */
static void solve_value(struct value_solution *out, struct value_data *data, struct arena *arena,
                        const struct samples *all, const struct sample *samples, size_t count,
                        const struct region *region, const struct run_context *context) {
    struct value_relevance relevance = value_relevance_of_all(samples, count);
    value_relevance_find_once(&relevance, arena, all);
    make_data(data, arena, all, &relevance, region, context);
    if (data->points.count > 0 && solve_one(out, all, data, &relevance))
        return;
    if (data->points.count > 0 && data->kind == VALUE_INTEGER &&
        solve_range(out, data, arena, all, region, context, &relevance))
        return;
    value_relevance_without_sizes(&relevance, arena, all, region->value);
    vec_dispose(&data->points); /* which may be those of a range */
    make_data(data, arena, all, &relevance, region, context);
    if (data->points.count > 0)
        solve_formula(out, data, arena, all, region, context, &relevance);
}

/* Where a law of steps tells them, its error; the mean of those that change says where runs ended.
 */
static double error_of_steps(const struct value_solution *solution, const struct value_data *data) {
    const struct value_stretch *stretch = &solution->stretch;
    bool tells = stretch->is_found && (stretch->law.count > 0 || data->feature_count == 0);
    return tells ? stretch->error : solution->error;
}

/* On average, as a share of the mean. */
static double scatter_of(const struct bsim_draws *draws, const value_points *points) {
    double weight = 0, off = 0;
    for (size_t i = 0; i < points->count; i++)
        weight += points->items[i].weight;
    for (int k = 0; k < draws->level_count; k++)
        off += fabs(draws->levels[k]) / draws->level_count;
    return off > 0 ? off * pow(value_points_size(points) / weight, draws->exponent - 1) : 0;
}

void value_fit(struct latency_model *out, struct arena *arena, const struct samples *all,
               const struct sample *samples, size_t count, const struct region *region,
               const struct run_context *context) {
    struct value_data data;
    struct str text = {0}, formula = {0};
    struct value_solution solution;
    solve_value(&solution, &data, arena, all, samples, count, region, context);
    if (data.points.count == 0) {
        vec_dispose(&data.points);
        return;
    }
    if (region->hint != NULL)
        str_printf(&formula, "as the hint says: %s", region->hint);
    else
        value_solution_print(&formula, &solution, &data, region);
    if (region->value == VALUE_INTEGER && region->hint == NULL && solution.positions == NULL &&
        solution.draws.level_count == 0)
        out->rank_spread = value_agreement_spread(all, data.samples, data.sample_count);
    out->is_drawn = solution.draws.is_uniform || solution.draws.one != BSIM_ONE_NONE;
    out->scatter = scatter_of(&solution.draws, &data.points);
    double error = error_of_steps(&solution, &data), untold = fmax(error, out->rank_spread);
    if (region->hint == NULL && !out->is_drawn && untold > UNTOLD_LEAST)
        solution.untold = untold;
    solution.differs = out->rank_spread > UNTOLD_LEAST;
    value_solution_add_lines(&text, arena, &solution, &data, region);
    take_ranges(out, arena, samples, count, data.feature_count);
    out->fitted = true;
    out->lines = arena_strdup(arena, str_text(&text));
    out->value_formula = arena_strdup(arena, str_text(&formula));
    out->point_count = data.points.count;
    out->run_count = data.configuration_count;
    out->validation = solution.validation;
    if (region->hint == NULL) {
        out->error = error;
        out->note = find_note(&data, &solution);
    }
    str_dispose(&text);
    str_dispose(&formula);
    vec_dispose(&data.points);
}
