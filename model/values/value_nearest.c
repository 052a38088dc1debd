/* SPDX-License-Identifier: Apache-2.0
 *
 * See value_nearest.h. Vectors that other configurations have had as well are left out: what was
 * seen of those is given as it is.
 */
#include "model/values/value_nearest.h"

#include "model/eval/eval_value.h"
#include "model/values/value_agreement.h"

#include <math.h>
#include <string.h>

#define SEQUENCES_MAX 1024
#define NUMBERS_MIN 16
/* The error has to become that much smaller, and numbers to differ from their mean by so much. */
#define BETTER_FACTOR 0.5
#define SCATTER_MIN 0.02
#define NEAREST_MAX 64 /* runs that are compared with each other */
#define NEAREST_FACTOR 0.7
#define TOTAL_FACTOR 0.7 /* of the error where all sizes tell what is near */
/* Features decide: so much of the executions had those of other runs, so much of these was exactly
 * as there, and all of it but for VALUE_ALIKE_ERROR of the numbers. */
#define REPEATED_SHARE 0.5
#define EXACT_SHARE 0.8
#define LEFT_OUT_MAX 512
#define DECIDED_CASES 2
#define SAME_MEAN 1e-12 /* but for rounding of sums over ranks */

struct errors {
    double followed, mean; /* with the sequence of the nearest, and without */
    double total, count;   /* of the numbers */
    double exact;          /* of how many all of the sequence was right */
};

/* Of another configuration; NULL: there is none, or it is the same vector. */
static const struct value_seen *find_nearest(const value_seen_list *all, size_t step,
                                             const struct value_seen *of, int dimension) {
    const struct value_seen *best = NULL;
    double distance = INFINITY;
    for (size_t i = 0; i < all->count; i += step) {
        const struct value_seen *other = &all->items[i];
        if (other->configuration == of->configuration || other->repeat_count == 0 ||
            other->mean == 0)
            continue;
        double here = bsim_value_distance(other->vector, of->vector, dimension, NULL);
        if (here < distance) {
            best = other;
            distance = here;
        }
    }
    return distance > 0 ? best : NULL;
}

/* Where the other sequence has ended the mean is all that is known. */
static void add_errors(struct errors *out, const struct value_seen *of,
                       const struct value_seen *other) {
    double scale = of->mean / other->mean, used = 0;
    size_t k = 0;
    for (size_t i = 0; i < of->repeat_count; i++) {
        double number = of->repeats[i].number, left = of->repeats[i].times;
        while (left > 0) {
            bool ended = k == other->repeat_count;
            double times = ended ? left : fmin(left, other->repeats[k].times - used);
            double predicted = ended ? of->mean : scale * other->repeats[k].number;
            out->followed += times * fabs(number - predicted);
            out->mean += times * fabs(number - of->mean);
            out->total += times * fabs(number);
            out->count += times;
            left -= times;
            used += times;
            if (!ended && used >= other->repeats[k].times) {
                k++;
                used = 0;
            }
        }
    }
}

bool value_follows(const struct value_data *data, struct arena *arena, int dimension) {
    value_seen_list all = {0}, ranks = {0};
    struct errors errors = {0};
    if ((data->kind != VALUE_INTEGER && data->kind != VALUE_FLOATING) ||
        data->configuration_count < 2 || data->factors != NULL ||
        value_agreement(data->samples, data->sample_count) == VALUE_AGREEMENT_SOME)
        return false;
    value_data_sequences(&all, arena, data);
    value_data_by_rank(&ranks, arena, data, data->sample_count / SEQUENCES_MAX + 1);
    size_t step = all.count / SEQUENCES_MAX + 1;
    for (size_t i = 0; i < ranks.count; i++) {
        const struct value_seen *other = find_nearest(&all, step, &ranks.items[i], dimension);
        if (other != NULL)
            add_errors(&errors, &ranks.items[i], other);
    }
    vec_dispose(&all);
    vec_dispose(&ranks);
    return errors.count >= NUMBERS_MIN && errors.mean >= SCATTER_MIN * errors.total &&
           errors.followed <= BETTER_FACTOR * errors.mean;
}

/* ---- As the nearest ---- */

/* How far a sequence has been gone through. */
struct value_nearest_cursor {
    const struct value_seen *of;
    size_t item;
    double used;
};

static bool is_at_end(const struct value_nearest_cursor *cursor) {
    return cursor->item == cursor->of->repeat_count;
}

static double number_at(const struct value_nearest_cursor *cursor) {
    return cursor->of->repeats[cursor->item].number;
}

static double times_left(const struct value_nearest_cursor *cursor) {
    return cursor->of->repeats[cursor->item].times - cursor->used;
}

static void advance(struct value_nearest_cursor *cursor, double times) {
    if (is_at_end(cursor))
        return;
    cursor->used += times;
    if (cursor->used < cursor->of->repeats[cursor->item].times)
        return;
    cursor->item++;
    cursor->used = 0;
}

static bool begins_alike(const struct value_seen *left, const struct value_seen *right,
                         int dimension) {
    int same = 0;
    while (same < dimension && left->vector[same] == right->vector[same])
        same++;
    return same == dimension;
}

/* They differ in the number of ranks only, though other runs differ in more: what one of them had
 * tells nothing of other sizes. */
static bool is_twin(const struct value_seen *left, const struct value_seen *right,
                    const struct value_data *data) {
    int first = data->feature_count + data->ranks_vary;
    int end = data->feature_count + data->context_count;
    for (int i = first; i < end; i++)
        if (left->vector[i] != right->vector[i])
            return false;
    return first < end;
}

/* The others, of which the nearest is the first; at most NEAREST_MAX. Where only the features are
 * to be alike, runs that differ in more than the number of ranks. */
static size_t find_others(struct value_nearest_cursor *out, const value_seen_list *all,
                          const struct value_seen *of, const struct value_data *data, int alike,
                          const struct bsim_value_metric *metric) {
    int whole = data->feature_count + data->context_count;
    size_t count = 0;
    double best = INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const struct value_seen *other = &all->items[i];
        if (other == of || other->repeat_count == 0 || !begins_alike(other, of, alike) ||
            (alike == data->feature_count && is_twin(other, of, data)))
            continue;
        double distance = bsim_value_distance(other->vector, of->vector, whole, metric);
        if (count < NEAREST_MAX)
            out[count++] = (struct value_nearest_cursor){.of = other};
        if (distance < best) {
            best = distance;
            out[count - 1].of = out[0].of;
            out[0].of = other;
        }
    }
    return count;
}

/* As far as at least one of the others goes. */
static void compare_others(struct errors *out, const struct value_seen *of,
                           struct value_nearest_cursor *others, size_t count) {
    struct value_nearest_cursor here = {.of = of};
    double before = out->count, followed = out->followed;
    while (!is_at_end(&here)) {
        double sum = 0, present = 0, times = times_left(&here);
        for (size_t i = 0; i < count; i++) {
            if (is_at_end(&others[i]))
                continue;
            sum += number_at(&others[i]);
            present++;
            times = fmin(times, times_left(&others[i]));
        }
        if (present == 0)
            break;
        double nearest = is_at_end(&others[0]) ? sum / present : number_at(&others[0]);
        out->followed += times * fabs(number_at(&here) - nearest);
        out->mean += times * fabs(number_at(&here) - sum / present);
        out->total += times * fabs(number_at(&here));
        out->count += times;
        advance(&here, times);
        for (size_t i = 0; i < count; i++)
            advance(&others[i], times);
    }
    if (out->followed == followed && is_at_end(&here) && is_at_end(&others[0]))
        out->exact += out->count - before;
}

/* Each run left out in turn, where there are at least so many others that are alike; returns how
 * many executions there are in all. */
static double compare_all(struct errors *out, const struct value_data *data, struct arena *arena,
                          int alike, size_t least_others, int total) {
    struct value_nearest_cursor others[NEAREST_MAX];
    value_seen_list seen = {0};
    int whole = data->feature_count + data->context_count;
    const struct bsim_value_metric metric = value_data_metric(data, total);
    double executions = 0;
    *out = (struct errors){0};
    value_data_seen(&seen, arena, data, whole);
    size_t step = seen.count / LEFT_OUT_MAX + 1;
    for (size_t i = 0; i < seen.count; i += step) {
        executions += value_seen_executions(&seen.items[i]);
        size_t count = find_others(others, &seen, &seen.items[i], data, alike, &metric);
        if (count >= least_others)
            compare_others(out, &seen.items[i], others, count);
    }
    vec_dispose(&seen);
    return executions;
}

bool value_is_as_nearest(int *total, const struct value_data *data, struct arena *arena,
                         int dimension) {
    struct errors errors, other;
    int first = data->feature_count + data->plain_count;
    int end = data->feature_count + data->context_count;
    *total = -1;
    if (end == dimension || first == end)
        return false;
    compare_all(&errors, data, arena, dimension, 2, -1);
    for (int size = first; size < end && data->ranks_vary; size++) {
        compare_all(&other, data, arena, dimension, 2, size);
        if (other.followed >= TOTAL_FACTOR * errors.followed)
            continue;
        errors = other;
        *total = size;
    }
    return errors.followed < NEAREST_FACTOR * errors.mean;
}

int value_alike(const struct value_data *data, struct arena *arena, int dimension) {
    struct errors errors;
    if (dimension == data->feature_count || data->factors != NULL)
        return dimension;
    double executions = compare_all(&errors, data, arena, data->feature_count, 1, -1);
    bool decide = errors.count > 0 && errors.count >= REPEATED_SHARE * executions &&
                  errors.exact >= EXACT_SHARE * errors.count &&
                  errors.followed <= VALUE_ALIKE_ERROR * errors.total;
    return decide ? data->feature_count : dimension;
}

/* ---- As decided ---- */

const struct value_formula *value_formula_of(const struct value_solution *solution,
                                             const struct value_point *point) {
    for (int i = 0; i < solution->count; i++)
        if (solution->split < 0 || solution->formulas[i].number == point->x[solution->split])
            return &solution->formulas[i];
    return NULL;
}

static bool goes_by_the_same(const struct value_formula *formula, const struct value_point *left,
                             const struct value_point *right) {
    bool used = false, same = true;
    for (int v = 0; v < formula->form.variable_count; v++) {
        int variable = formula->form.variables[v];
        used = true;
        same = same && left->x[variable] == right->x[variable];
    }
    return used && same;
}

bool value_is_decided(const struct value_data *data, const struct value_solution *solution) {
    int cases = 0;
    const value_points *points = &data->points;
    if (data->kind != VALUE_TRIPS || points->count > LEFT_OUT_MAX)
        return false;
    for (size_t i = 1; i < points->count; i++) {
        const struct value_formula *formula = value_formula_of(solution, &points->items[i]);
        bool is_case = false;
        for (size_t k = 0; k < i && formula != NULL; k++) {
            if (formula != value_formula_of(solution, &points->items[k]) ||
                !goes_by_the_same(formula, &points->items[i], &points->items[k]))
                continue;
            if (points->items[i].value != points->items[k].value)
                return false;
            is_case |= points->items[i].configuration != points->items[k].configuration;
        }
        cases += is_case;
    }
    return cases >= DECIDED_CASES;
}

/* ---- As with the same arguments ---- */

static bool is_same(double left, double right) {
    return fabs(left - right) <= SAME_MEAN * fmax(fabs(left), fabs(right));
}

/* By place: the numbers of ranks do not count, nor sizes that ranks have shares of if only what the
 * formula goes by does. */
static int choose_places(int *places, const struct value_data *data,
                         const struct value_solution *solution, int ranks, bool is_formula_only) {
    int count = 0, arguments = data->feature_count;
    for (int j = 0; j < solution->dimension; j++) {
        bool used = j >= arguments || !is_formula_only || j == solution->split;
        for (int i = 0; i < solution->count; i++)
            for (int v = 0; v < solution->formulas[i].form.variable_count; v++)
                used = used || solution->formulas[i].form.variables[v] == j;
        if (used && j != ranks)
            places[count++] = j;
    }
    return count;
}

static bool are_relevant(const struct value_data *data, const int *places, int count, int ranks) {
    int cases = 0;
    const value_points *points = &data->points;
    for (size_t i = 1; i < points->count; i++) {
        bool is_case = false;
        for (size_t k = 0; k < i; k++) {
            const struct value_point *left = &points->items[i], *right = &points->items[k];
            int same = 0;
            while (same < count && left->x[places[same]] == right->x[places[same]])
                same++;
            if (same < count)
                continue;
            if (!is_same(left->value, right->value))
                return false;
            is_case |= left->x[ranks] != right->x[ranks];
        }
        cases += is_case;
    }
    return cases >= DECIDED_CASES;
}

void value_find_relevant(struct value_solution *out, struct arena *arena,
                         const struct value_data *data) {
    int ranks = -1, *places = ARENA_ARRAY(arena, int, (size_t)out->dimension + 1);
    for (int i = 0; i < data->plain_count && data->feature_count + i < out->dimension; i++)
        if (strcmp(data->context[i], "ranks") == 0)
            ranks = data->feature_count + i;
    out->relevance.relevant_count = 0;
    if (ranks < 0 || data->factors != NULL || data->points.count > LEFT_OUT_MAX)
        return;
    for (int only = 0; only <= (data->kind == VALUE_TRIPS); only++) {
        int count = choose_places(places, data, out, ranks, only == 1);
        if (count == 0 || !are_relevant(data, places, count, ranks))
            continue;
        out->relevance.relevant = places;
        out->relevance.relevant_count = count;
        return;
    }
}
