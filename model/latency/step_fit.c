/* SPDX-License-Identifier: Apache-2.0
 *
 * For each place of the step (pairs of sizes that were sampled, at most LEVELS_MAX) the logarithm
 * of latency per feature is a straight line in s, which goes from 0 to 1 between the two sizes:
 * least squares with two unknowns, from sums over folds; the place with the least sum of squares is
 * taken. See step_fit.h.
 */
#include "model/latency/step_fit.h"

#include "base/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEATURES_MAX 3 /* largest features that are tried, as size and as what time goes with */
#define LEVELS_MAX 10
#define LEVELS_MIN 4
#define LARGEST_FACTOR 16.0
#define LARGEST_SLOPE 0.5
#define SMALLEST_FACTOR 1.05
#define COST 5 /* besides the term's */

/* Sums over rows, weighted: of 1, s, s^2, r, r s, r^2, where r = log(latency / feature). */
struct line_sums {
    double n, s, ss, r, rs, rr;
};

struct step_fit_place {
    size_t item; /* of the dictionary: what time is proportional to */
    int feature; /* the size */
    double from, to;
    bool inside; /* there are sizes on both sides of it */
};

/* r = level + rise * s */
struct line {
    struct step_fit_place place;
    double level, rise, squares;
};

struct step_fit_task {
    const struct design *design;
    double *r;
    struct line_sums *parts; /* per fold, then of the held-out rows */
    struct line *best;       /* without each fold, without the held-out rows, of all */
};

static double feature_of(const struct step_fit_task *task, size_t row, int feature) {
    return task->design->points->items[row].features[feature];
}

static int feature_of_item(const struct step_fit_task *task, size_t item) {
    return task->design->dictionary->items[item].factors[0].feature;
}

/* False: the feature or the latency is zero somewhere. */
static bool make_r(struct step_fit_task *task, size_t item) {
    for (size_t i = 0; i < task->design->rows; i++) {
        double feature = feature_of(task, i, feature_of_item(task, item));
        if (!(feature > 0))
            return false;
        task->r[i] = log(design_scale_s(&task->design->points->items[i]) / feature);
    }
    return true;
}

static void add_row(struct line_sums *sums, double weight, double s, double r) {
    sums->n += weight;
    sums->s += weight * s;
    sums->ss += weight * s * s;
    sums->r += weight * r;
    sums->rs += weight * r * s;
    sums->rr += weight * r * r;
}

static struct line_sums difference(const struct line_sums *whole, const struct line_sums *part) {
    return (struct line_sums){whole->n - part->n, whole->s - part->s,   whole->ss - part->ss,
                              whole->r - part->r, whole->rs - part->rs, whole->rr - part->rr};
}

static double largest_rise(const struct step_fit_place *place) {
    double any = log(LARGEST_FACTOR);
    return place->inside ? any : fmin(any, LARGEST_SLOPE * log(place->to / place->from));
}

static struct line solve(const struct line_sums *sums, const struct step_fit_place *place) {
    struct line line = {.place = *place, .squares = INFINITY};
    double variance = sums->n * sums->ss - sums->s * sums->s;
    if (!(variance > 1e-9 * sums->n * sums->n))
        return line;
    line.rise = (sums->n * sums->rs - sums->s * sums->r) / variance;
    line.rise = fmin(fmax(line.rise, 0), largest_rise(place));
    line.level = (sums->r - line.rise * sums->s) / sums->n;
    line.squares = sums->rr - 2 * line.level * sums->r - 2 * line.rise * sums->rs +
                   line.level * line.level * sums->n + 2 * line.level * line.rise * sums->s +
                   line.rise * line.rise * sums->ss;
    return line;
}

static void keep_better(struct line *best, const struct line_sums *sums,
                        const struct step_fit_place *place) {
    struct line line = solve(sums, place);
    if (line.squares < best->squares)
        *best = line;
}

static double ramp(const struct step_fit_place *place, double size) {
    if (!(size > place->from))
        return 0;
    return size >= place->to ? 1 : log(size / place->from) / log(place->to / place->from);
}

static void try_place(struct step_fit_task *task, const struct step_fit_place *place) {
    const struct design *design = task->design;
    int folds = design->fold_count;
    memset(task->parts, 0, ((size_t)folds + 1) * sizeof *task->parts);
    struct line_sums whole = {0};
    for (size_t i = 0; i < design->rows; i++) {
        double s = ramp(place, feature_of(task, i, place->feature));
        add_row(&whole, design->weight[i], s, task->r[i]);
        add_row(&task->parts[design->fold[i]], design->weight[i], s, task->r[i]);
        if (design->held_out[i])
            add_row(&task->parts[folds], design->weight[i], s, task->r[i]);
    }
    for (int k = 0; k <= folds; k++) {
        struct line_sums training = difference(&whole, &task->parts[k]);
        keep_better(&task->best[k], &training, place);
    }
    keep_better(&task->best[folds + 1], &whole, place);
}

/* ---- Places ---- */

/* Distinct sizes, thinned out evenly; returns how many. */
static size_t find_levels(double *levels, const struct step_fit_task *task, int feature) {
    size_t rows = task->design->rows, count = 0;
    double *all = xmalloc((rows + 1) * sizeof *all);
    for (size_t i = 0; i < rows; i++)
        all[i] = feature_of(task, i, feature);
    numbers_sort(all, rows);
    for (size_t i = 0; i < rows; i++)
        if (all[i] > 0 && (count == 0 || all[i] > all[count - 1] * 1.01))
            all[count++] = all[i];
    size_t kept = count < LEVELS_MAX ? count : LEVELS_MAX;
    for (size_t i = 0; i < kept; i++)
        levels[i] = all[kept > 1 ? i * (count - 1) / (kept - 1) : 0];
    free(all);
    return kept;
}

/* A step that is not seen to begin and end must not be steep: that would be a power. */
static void try_places(struct step_fit_task *task, size_t item, int feature) {
    double levels[LEVELS_MAX];
    size_t count = find_levels(levels, task, feature);
    for (size_t i = 0; count >= LEVELS_MIN && i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            try_place(task, &(struct step_fit_place){.item = item,
                                                     .feature = feature,
                                                     .from = levels[i],
                                                     .to = levels[j],
                                                     .inside = i > 0 && j + 1 < count});
}

static void try_all(struct step_fit_task *task) {
    int count = task->design->dictionary->linear_count < FEATURES_MAX
                    ? task->design->dictionary->linear_count
                    : FEATURES_MAX;
    for (int i = 0; i < count; i++) {
        if (!make_r(task, (size_t)i))
            continue;
        for (int j = 0; j < count; j++)
            try_places(task, (size_t)i, feature_of_item(task, (size_t)j));
    }
}

/* ---- The candidate ---- */

static double predict_s(const struct step_fit_task *task, const struct line *line, size_t row) {
    double s = ramp(&line->place, feature_of(task, row, line->place.feature));
    double feature = feature_of(task, row, feature_of_item(task, line->place.item));
    return feature * exp(line->level + line->rise * s);
}

static bool test(struct candidate *out, const struct step_fit_task *task) {
    const struct design *design = task->design;
    struct error_sums left_out = {0}, held_out = {0};
    int folds = design->fold_count;
    for (int k = 0; k <= folds + 1; k++)
        if (!(task->best[k].squares < INFINITY) && (k != folds || design->has_held_out))
            return false;
    for (size_t i = 0; i < design->rows; i++) {
        design_add_error(&left_out, design, i, predict_s(task, &task->best[design->fold[i]], i));
        if (design->held_out[i])
            design_add_error(&held_out, design, i, predict_s(task, &task->best[folds], i));
    }
    design_take_errors(out, design, &left_out, &held_out);
    return true;
}

static void take(struct candidate *out, struct arena *arena, const struct step_fit_task *task,
                 const struct line *line) {
    out->columns = ARENA_ARRAY(arena, size_t, 1);
    out->coefficients = ARENA_ARRAY(arena, double, 1);
    out->count = 1;
    out->columns[0] = line->place.item;
    out->coefficients[0] = exp(line->level);
    out->has_step = true;
    double factor = exp(line->rise);
    out->step =
        (struct bsim_step){.feature = line->place.feature,
                           .from = line->place.from,
                           .to = line->place.to,
                           .factor = factor,
                           .power = bsim_step_power(line->place.from, line->place.to, factor)};
    out->cost = task->design->dictionary->items[line->place.item].cost + COST;
}

void step_fit_add(candidate_list *out, struct arena *arena, const struct design *design) {
    size_t parts = (size_t)design->fold_count + 2;
    struct step_fit_task task = {.design = design};
    struct candidate candidate = {0};
    task.r = ARENA_ARRAY(arena, double, design->rows);
    task.parts = ARENA_ARRAY(arena, struct line_sums, parts);
    task.best = ARENA_ARRAY(arena, struct line, parts);
    for (size_t k = 0; k < parts; k++)
        task.best[k].squares = INFINITY;
    try_all(&task);
    if (!test(&candidate, &task))
        return;
    const struct line *line = &task.best[parts - 1];
    if (exp(line->rise) < SMALLEST_FACTOR)
        return;
    take(&candidate, arena, &task, line);
    vec_push(out, candidate);
}
