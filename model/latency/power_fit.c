/* SPDX-License-Identifier: Apache-2.0
 *
 * Regression of logarithms; see power_fit.h. A feature whose power would be negative is left out
 * and the rest fitted again, since noise makes such powers.
 */
#include "model/latency/power_fit.h"

#include "model/solve/nnls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEATURES_MAX 3
#define LARGEST_POWER 3.0
#define COST 4        /* of the form */
#define COST_FACTOR 4 /* of each feature in it */

/* Which rows are fitted: all but one fold, all but the held-out ones, all. */
enum { ALL_ROWS = -1, SMALL_ROWS = -2 };

struct power_law {
    double log_coefficient;
    double powers[FEATURES_MAX];
};

struct power_fit_task {
    const struct design *design;
    int features[FEATURES_MAX];
    size_t feature_count;
    double *logs; /* rows * feature_count */
    size_t *rows; /* that are fitted now */
    size_t row_count;
    size_t used[FEATURES_MAX]; /* features with a power now */
    size_t used_count;
};

static bool task_init(struct power_fit_task *task, struct arena *arena,
                      const struct design *design) {
    const struct dictionary *dictionary = design->dictionary;
    *task = (struct power_fit_task){.design = design};
    task->feature_count = (size_t)dictionary->linear_count < FEATURES_MAX
                              ? (size_t)dictionary->linear_count
                              : FEATURES_MAX;
    task->logs = ARENA_ARRAY(arena, double, design->rows * task->feature_count);
    task->rows = ARENA_ARRAY(arena, size_t, design->rows);
    for (size_t j = 0; j < task->feature_count; j++) {
        task->features[j] = dictionary->items[j].factors[0].feature;
        for (size_t i = 0; i < design->rows; i++) {
            double feature = design->points->items[i].features[task->features[j]];
            if (!(feature > 0))
                return false;
            task->logs[i * task->feature_count + j] = log(feature);
        }
    }
    return task->feature_count > 0;
}

static void choose_rows(struct power_fit_task *task, int fold) {
    const struct design *design = task->design;
    task->row_count = 0;
    for (size_t i = 0; i < design->rows; i++)
        if (fold == SMALL_ROWS ? !design->held_out[i] : design->fold[i] != fold)
            task->rows[task->row_count++] = i;
}

static double predict_s(const struct power_fit_task *task, const struct power_law *law,
                        size_t row) {
    double sum = law->log_coefficient;
    for (size_t j = 0; j < task->feature_count; j++)
        sum += law->powers[j] * task->logs[row * task->feature_count + j];
    return exp(sum);
}

/* ---- Logarithms ---- */

static double log_of_used(const struct power_fit_task *task, size_t row, size_t k) {
    return task->logs[row * task->feature_count + task->used[k]];
}

/* x: the logarithm of the coefficient, and the powers of the used features. */
static void regress_logs(double *x, const struct power_fit_task *task) {
    size_t columns = task->used_count + 1, rows = task->row_count;
    double *a = xmalloc((rows * columns + 1) * sizeof *a);
    double *b = xmalloc((rows + 1) * sizeof *b);
    for (size_t i = 0; i < rows; i++) {
        double root = sqrt(task->design->weight[task->rows[i]]);
        a[i * columns] = root;
        for (size_t k = 0; k < task->used_count; k++)
            a[i * columns + k + 1] = root * log_of_used(task, task->rows[i], k);
        b[i] = root * log(design_scale_s(&task->design->points->items[task->rows[i]]));
    }
    least_squares_solve(x,
                        &(struct least_squares){
                            .a = a, .b = b, .rows = rows, .columns = columns, .stride = columns});
    free(a);
    free(b);
}

/* False: no power is negative. */
static bool drop_most_negative(struct power_fit_task *task, const double *x) {
    size_t worst = 0;
    for (size_t k = 1; k < task->used_count; k++)
        if (x[k + 1] < x[worst + 1])
            worst = k;
    if (task->used_count == 0 || !(x[worst + 1] <= 0))
        return false;
    task->used_count--;
    memmove(task->used + worst, task->used + worst + 1,
            (task->used_count - worst) * sizeof *task->used);
    return true;
}

static struct power_law fit(struct power_fit_task *task, int fold) {
    double x[FEATURES_MAX + 1] = {0};
    struct power_law law = {0};
    choose_rows(task, fold);
    task->used_count = task->feature_count;
    for (size_t k = 0; k < task->feature_count; k++)
        task->used[k] = k;
    do
        regress_logs(x, task);
    while (!task->design->points->are_exact && drop_most_negative(task, x));
    law.log_coefficient = x[0];
    for (size_t k = 0; k < task->used_count; k++)
        law.powers[task->used[k]] = x[k + 1];
    return law;
}

/* ---- The candidate ---- */

static void test(struct candidate *out, struct power_fit_task *task) {
    const struct design *design = task->design;
    struct error_sums left_out = {0}, held_out = {0};
    for (int fold = 0; fold < design->fold_count; fold++) {
        struct power_law law = fit(task, design->fold_count > 1 ? fold : ALL_ROWS);
        for (size_t i = 0; i < design->rows; i++)
            if (design->fold[i] == fold)
                design_add_error(&left_out, design, i, predict_s(task, &law, i));
    }
    struct power_law law = fit(task, design->has_held_out ? SMALL_ROWS : ALL_ROWS);
    for (size_t i = 0; i < design->rows; i++)
        if (design->held_out[i])
            design_add_error(&held_out, design, i, predict_s(task, &law, i));
    design_take_errors(out, design, &left_out, &held_out);
}

void power_fit_add(candidate_list *out, struct arena *arena, const struct design *design) {
    struct power_fit_task task;
    struct candidate candidate = {.cost = COST};
    if (!task_init(&task, arena, design))
        return;
    test(&candidate, &task);
    struct power_law law = fit(&task, ALL_ROWS);
    double *powers = ARENA_ARRAY(arena, double, design->dictionary->feature_count);
    for (size_t j = 0; j < task.feature_count; j++) {
        powers[task.features[j]] = law.powers[j];
        candidate.cost += law.powers[j] != 0 ? COST_FACTOR : 0;
        if (!(fabs(law.powers[j]) <= LARGEST_POWER))
            return;
    }
    candidate.powers = powers;
    candidate.count = 1;
    candidate.coefficients = ARENA_ARRAY(arena, double, 1);
    candidate.coefficients[0] = exp(law.log_coefficient);
    vec_push(out, candidate);
}
