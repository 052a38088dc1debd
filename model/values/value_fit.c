/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_fit.h, and docs/reference/model.md for the lines of model.bsim.
 */
#include "model/values/value_fit.h"

#include "model/samples/points.h"

#include "model/values/value_agreement.h"
#include "model/values/value_draw.h"
#include "model/values/value_idle.h"
#include "model/values/value_nearest.h"
#include "model/values/value_needless.h"
#include "model/values/value_one_rank.h"
#include "model/values/value_part.h"
#include "model/values/value_points.h"
#include "model/values/value_position.h"
#include "model/values/value_ranks.h"
#include "model/values/value_uniform.h"
#include "model/values/value_write.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPLIT_FACTOR 0.7 /* of the error without */
#define SPLIT_ENOUGH 0.01
/* When the context is used as well: features say different things, or say too little and the
 * context takes away a third of the error. */
#define CONTRADICTION 0.02
#define FEATURES_ENOUGH 0.02
#define FEATURES_USELESS 0.25
#define CONTEXT_FACTOR 0.7
#define HIDDEN_FACTOR 0.5 /* likewise for sizes of other regions */
#define POSITION_FACTOR 0.7
/* So much worse may be what is simpler. */
#define SIMPLER_FACTOR 1.2
#define SIMPLER_ERROR 0.002
#define ENDED_LEAST 2         /* runs in which a loop ended itself */
#define STRETCH_USELESS 0.001 /* error of a formula, */
#define STRETCH_CHANGES 0.02  /* but not if steps differ by so much from each other, */
#define STRETCH_CERTAIN 0.01  /* and their law has no larger error */
#define UNTOLD_LEAST 0.1      /* errors that whoever uses the number is told of */
/* Of the error about the middle of a range: a formula with less knows something. */
#define UNIFORM_FACTOR 0.8

/* ---- Splits ---- */

static int find_number(const double *numbers, int count, double number) {
    for (int i = 0; i < count; i++)
        if (numbers[i] == number)
            return i;
    return -1;
}

/* Those that came to the value. */
static bool every_configuration_has(const struct value_data *data, int feature,
                                    const double *numbers, int count) {
    for (int c = 0; c < data->configuration_count; c++) {
        bool seen[VALUE_FORMULAS_MAX] = {false};
        int found = 0;
        for (size_t i = 0; i < data->points.count; i++) {
            if (data->points.items[i].configuration != c)
                continue;
            bool *number = &seen[find_number(numbers, count, data->points.items[i].x[feature])];
            found += !*number;
            *number = true;
        }
        if (found > 0 && found < count)
            return false;
    }
    return true;
}

/* The numbers of a feature if every configuration has them all, or it only names things; 0: it does
 * not split. */
static int numbers_of(double *out, const struct value_data *data, int feature) {
    int count = 0;
    for (size_t i = 0; i < data->points.count; i++) {
        double number = data->points.items[i].x[feature];
        if (find_number(out, count, number) >= 0)
            continue;
        if (count == VALUE_FORMULAS_MAX)
            return 0;
        out[count++] = number;
    }
    bool splits =
        data->features[feature].is_category || every_configuration_has(data, feature, out, count);
    return count > 1 && splits ? count : 0;
}

static struct value_solution solve_split(const struct value_data *data, int dimension, int split) {
    struct value_solution solution = {.dimension = dimension, .split = split};
    double numbers[VALUE_FORMULAS_MAX] = {0};
    int count = split >= 0 ? numbers_of(numbers, data, split) : 1;
    for (int i = 0; i < count; i++)
        value_part_fit(&solution, data, numbers[i]);
    value_parts_relate(&solution, data);
    solution.error = count > 0 ? solution.error / value_points_size(&data->points) : INFINITY;
    return solution;
}

static struct value_solution solve(const struct value_data *data, int dimension) {
    struct value_solution best = solve_split(data, dimension, -1);
    for (int j = 0; j < data->feature_count && best.error > SPLIT_ENOUGH; j++) {
        struct value_solution other = solve_split(data, dimension, j);
        if (other.error < SPLIT_FACTOR * best.error)
            best = other;
    }
    return best;
}

/* ---- Features or context ---- */

/* How much the same features give different values in different configurations: what no formula
 * in features alone can do better than. */
static double contradiction(const struct value_data *data) {
    double error = 0;
    const value_points *points = &data->points;
    for (size_t first = 0, end; first < points->count; first = end) {
        double sum = 0, weight = 0;
        for (end = first; end < points->count; end++) {
            const struct value_point *point = &points->items[end];
            if (memcmp(point->x, points->items[first].x,
                       (size_t)data->feature_count * sizeof *point->x) != 0)
                break;
            sum += point->value * point->weight;
            weight += point->weight;
        }
        for (size_t i = first; i < end; i++)
            error += fabs(points->items[i].value - sum / weight) * points->items[i].weight;
    }
    return error / value_points_size(points);
}

/* Means of floating-point numbers that change over a run depend on how long it is. */
static struct value_solution solve_hidden(const struct value_data *data,
                                          struct value_solution best) {
    if (data->context_count == data->plain_count || data->kind == VALUE_FLOATING ||
        best.error <= FEATURES_ENOUGH)
        return best;
    struct value_solution other = solve(data, data->feature_count + data->context_count);
    return other.error < HIDDEN_FACTOR * best.error ? other : best;
}

static struct value_solution solve_best(const struct value_data *data) {
    struct value_solution best = solve(data, data->feature_count);
    bool contradicts = contradiction(data) > CONTRADICTION;
    if (!contradicts && best.error <= FEATURES_ENOUGH)
        return best;
    if (data->plain_count > 0 &&
        (contradicts || data->ranks_vary || best.error > FEATURES_USELESS)) {
        struct value_solution other = solve(data, data->feature_count + data->plain_count);
        best = other.error < CONTEXT_FACTOR * best.error ? other : best;
    }
    return solve_hidden(data, best);
}

/* ---- Loops that something else ended ---- */

static int count_endless(const struct value_data *data) {
    int count = 0;
    for (size_t i = 0; i < data->points.count; i++)
        count += data->kind == VALUE_TRIPS && data->points.items[i].value >= VALUE_ALWAYS;
    return count;
}

/* In runs in which the loop did not end itself the solution lets it iterate no less often than in
 * those in which it did. */
static bool goes_on(const struct value_data *data, const struct value_solution *solution) {
    double most = 0;
    for (size_t i = 0; i < data->points.count; i++)
        if (data->points.items[i].value < VALUE_ALWAYS)
            most = fmax(most, data->points.items[i].value);
    for (size_t i = 0; i < data->points.count; i++) {
        const struct value_point *point = &data->points.items[i];
        const struct value_formula *formula = value_formula_of(solution, point);
        if (point->value >= VALUE_ALWAYS &&
            (formula == NULL || !(form_evaluate(&formula->form, &formula->fit, point->x) >= most)))
            return false;
    }
    return true;
}

/* `while (residual > limit && k < 50)`: how often the loop would iterate is told by the runs in
 * which it ended itself, if that lets it go on in the others. */
static struct value_solution solve_ended(const struct value_data *data) {
    struct value_solution best = solve_best(data);
    int endless = count_endless(data);
    if (endless == 0 || data->points.count < (size_t)endless + ENDED_LEAST)
        return best;
    struct value_data ended = *data;
    ended.points = (value_points){0};
    for (size_t i = 0; i < data->points.count; i++)
        if (data->points.items[i].value < VALUE_ALWAYS)
            vec_push(&ended.points, data->points.items[i]);
    struct value_solution other = solve_best(&ended);
    vec_dispose(&ended.points);
    return goes_on(data, &other) ? other : best;
}

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
    int endless = count_endless(data);
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
    struct value_solution solution = solve_ended(&other);
    solution.positions = positions;
    solution.ignored = places->solution->ignored;
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

/* Runs that differ in nothing else have the same numbers. */
static void settle_whatever_is_idle(struct value_solution *out, struct arena *arena,
                                    const struct value_idle *idle) {
    int *places = ARENA_ARRAY(arena, int, (size_t)out->dimension + 1);
    for (int j = 0; j < out->dimension; j++)
        if (!idle->places[j])
            places[out->settled_count++] = j;
    out->settled = places;
}

/* What numbers do not go by is no key of a draw, and does not tell runs apart. */
static void leave_idle_out(struct value_solution *out, struct value_data *data, struct arena *arena,
                           const struct samples *all, size_t count, const struct region *region,
                           const struct run_context *context) {
    struct value_idle idle;
    bool *used = ARENA_ARRAY(arena, bool, (size_t)out->dimension + 1);
    for (int j = 0; j < out->dimension; j++)
        used[j] = is_of_bounds(&out->draws, j) ||
                  (j < data->feature_count && out->ignored.count > 0 && out->ignored.features[j]);
    value_idle_find(&idle, arena, data, used);
    if (idle.feature_count > 0) {
        value_ignored_add(&out->ignored, arena, count, idle.places);
        vec_dispose(&data->points);
        value_data_make(data, arena, all, out->ignored.samples, count, region, context, NULL);
    }
    if (idle.context_count > 0)
        settle_whatever_is_idle(out, arena, &idle);
}

/* Any number of a range, each as likely, if no formula comes closer than that. Runs that were
 * profiled have their own numbers. */
static bool solve_uniform(struct value_solution *out, struct value_data *data, struct arena *arena,
                          const struct samples *all, size_t count, const struct region *region,
                          const struct run_context *context, const struct value_ignored *ignored) {
    struct value_uniform uniform;
    struct value_data drawn;
    struct value_ignored without = *ignored;
    const bool *of_ranks = value_ranks_keep(arena, data->samples, data->sample_count);
    if (of_ranks != NULL)
        value_ignored_add(&without, arena, count, of_ranks);
    value_data_make(&drawn, arena, all, without.samples, count, region, context, NULL);
    bool found = value_uniform_find(&uniform, arena, all, &drawn, &without);
    if (found) {
        *out = solve_ended(data);
        found = out->error * uniform.total + uniform.within >= UNIFORM_FACTOR * uniform.spread;
    }
    value_points *unused = found ? &data->points : &drawn.points;
    vec_dispose(unused);
    if (!found)
        return false;
    *data = drawn;
    out->ignored = without;
    out->draws = uniform.draws;
    out->without_seen = !uniform.comes_again;
    out->dimension = out->alike = data->feature_count + data->context_count;
    out->total = -1;
    out->error = uniform.spread / uniform.total;
    if (uniform.comes_again)
        leave_idle_out(out, data, arena, all, count, region, context);
    /* Draws go by features: others would be other draws of what ranks may have to agree on. */
    return !value_has_twins(data->samples, data->sample_count);
}

/* Only one rank each time. What runs had by rank is not kept. */
static bool solve_one(struct value_solution *out, const struct samples *all,
                      const struct value_data *data, const struct value_ignored *ignored) {
    struct bsim_draws draws;
    if (!value_one_find(&draws, all, data))
        return false;
    *out = solve_ended(data);
    out->ignored = *ignored;
    out->draws = draws;
    out->without_seen = true;
    out->alike = out->dimension;
    out->total = -1;
    return true;
}

static void solve_formula(struct value_solution *out, struct value_data *data, struct arena *arena,
                          const struct samples *all, const struct region *region,
                          const struct run_context *context, const struct value_ignored *ignored) {
    *out = solve_ended(data);
    out->ignored = *ignored;
    solve_positions(out, data, arena, all, region, context);
    if (!value_draws_find(&out->draws, all, data))
        out->draws = (struct bsim_draws){0};
    out->follows = value_follows(data, arena, out->dimension);
    out->alike =
        ignored->has_sizes ? data->feature_count : value_alike(data, arena, out->dimension);
    out->total = -1;
    out->is_as_nearest = ignored->has_sizes || out->alike < out->dimension ||
                         value_is_as_nearest(&out->total, data, arena, out->dimension);
    solve_stretch(out, data, arena, region);
    out->is_clock = find_clock(out, data, region);
    out->is_decided = value_is_decided(data, out);
    value_settle(out, arena, data);
}

/* *data's points are the caller's (vec_dispose). */
static void solve_value(struct value_solution *out, struct value_data *data, struct arena *arena,
                        const struct samples *all, const struct sample *samples, size_t count,
                        const struct region *region, const struct run_context *context) {
    struct value_ignored ignored = {.samples = samples};
    value_ranks_find(&ignored, arena, all, samples, count);
    value_data_make(data, arena, all, ignored.samples, count, region, context, NULL);
    if (data->points.count > 0 && solve_one(out, all, data, &ignored))
        return;
    if (data->points.count > 0 && data->kind == VALUE_INTEGER &&
        solve_uniform(out, data, arena, all, count, region, context, &ignored))
        return;
    value_needless_find(&ignored, arena, all, count, region);
    vec_dispose(&data->points);
    value_data_make(data, arena, all, ignored.samples, count, region, context, NULL);
    if (data->points.count > 0)
        solve_formula(out, data, arena, all, region, context, &ignored);
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
        out->rank_spread = value_ranks_spread(all, data.samples, data.sample_count);
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
