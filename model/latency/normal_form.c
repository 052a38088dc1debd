/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over folds, and 2 x 2 problems; see normal_form.h. Columns are scaled to at most 1, so that
 * the determinant tells whether two of them can be told apart. Non-negative least squares of two
 * unknowns: the unconstrained solution, or the better one of the two with one unknown.
 */
#include "model/latency/normal_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTNERS_MAX 4 /* the constant and the largest features */
#define DEPENDENT 1e-9 /* of the determinant of two columns' normal equations */

/* A column of weighted relative rows, largest value 1; value = scale * column. */
struct normal_form_column {
    double *values;
    double scale;
    size_t item; /* in the dictionary */
};

/* Of columns u and v and the observations y: sums of products over some rows. */
struct products {
    double uu, uv, vv, uy, vy;
};

struct normal_form_task {
    const struct design *design;
    struct arena *arena;
    double *factor, *y; /* per row: what makes it weighted and relative, and the observation */
    struct normal_form_column partners[PARTNERS_MAX];
    size_t partner_count;
    struct products *parts; /* per fold, then of the held-out rows */
};

static bool make_column(struct normal_form_column *out, const struct normal_form_task *task,
                        size_t item) {
    const struct design *design = task->design;
    *out = (struct normal_form_column){.item = item};
    double largest = 0;
    double *values = ARENA_ARRAY(task->arena, double, design->rows);
    for (size_t i = 0; i < design->rows; i++) {
        values[i] = task->factor[i] * monomial_value(&task->design->dictionary->items[item],
                                                     design->points->items[i].features);
        largest = fmax(largest, fabs(values[i]));
    }
    if (!isnormal(largest))
        return false;
    for (size_t i = 0; i < design->rows; i++)
        values[i] /= largest;
    out->values = values;
    out->scale = largest;
    return true;
}

static void task_init(struct normal_form_task *task, struct arena *arena,
                      const struct design *design) {
    const struct dictionary *dictionary = design->dictionary;
    *task = (struct normal_form_task){.design = design, .arena = arena};
    task->factor = ARENA_ARRAY(arena, double, design->rows);
    task->y = ARENA_ARRAY(arena, double, design->rows);
    task->parts = ARENA_ARRAY(arena, struct products, (size_t)design->fold_count + 1);
    for (size_t i = 0; i < design->rows; i++) {
        const struct point *point = &design->points->items[i];
        task->factor[i] = sqrt(design->weight[i]) / design_scale_s(point);
        task->y[i] = task->factor[i] * point->latency_s;
    }
    for (size_t j = 0; j < dictionary->count && task->partner_count < PARTNERS_MAX; j++) {
        bool constant = dictionary->items[j].kind == MONOMIAL_CONSTANT;
        if (!constant && !(dictionary->items[j].kind == MONOMIAL_LINEAR &&
                           task->partner_count < PARTNERS_MAX - 1))
            continue;
        if (make_column(&task->partners[task->partner_count], task, j))
            task->partner_count++;
    }
}

/* ---- Two unknowns ---- */

static void add_products(struct products *sums, double u, double v, double y) {
    sums->uu += u * u;
    sums->uv += u * v;
    sums->vv += v * v;
    sums->uy += u * y;
    sums->vy += v * y;
}

/* *whole is the sum over all folds. `v` may be NULL. */
static void sum_products(struct products *whole, const struct normal_form_task *task,
                         const double *u, const double *v) {
    const struct design *design = task->design;
    memset(task->parts, 0, ((size_t)design->fold_count + 1) * sizeof *task->parts);
    for (size_t i = 0; i < design->rows; i++) {
        double partner = v != NULL ? v[i] : 0;
        add_products(&task->parts[design->fold[i]], u[i], partner, task->y[i]);
        if (design->held_out[i])
            add_products(&task->parts[design->fold_count], u[i], partner, task->y[i]);
    }
    *whole = (struct products){0};
    for (int k = 0; k < design->fold_count; k++) {
        whole->uu += task->parts[k].uu;
        whole->uv += task->parts[k].uv;
        whole->vv += task->parts[k].vv;
        whole->uy += task->parts[k].uy;
        whole->vy += task->parts[k].vy;
    }
}

static struct products without(const struct products *whole, const struct products *part) {
    return (struct products){whole->uu - part->uu, whole->uv - part->uv, whole->vv - part->vv,
                             whole->uy - part->uy, whole->vy - part->vy};
}

static void solve(double *x, const struct products *sums) {
    double determinant = sums->uu * sums->vv - sums->uv * sums->uv;
    x[0] = x[1] = 0;
    if (determinant > DEPENDENT * sums->uu * sums->vv) {
        double first = (sums->uy * sums->vv - sums->vy * sums->uv) / determinant;
        double second = (sums->vy * sums->uu - sums->uy * sums->uv) / determinant;
        if (first >= 0 && second >= 0) {
            x[0] = first;
            x[1] = second;
            return;
        }
    }
    double by_u = sums->uu > 0 && sums->uy > 0 ? sums->uy / sums->uu : 0;
    double by_v = sums->vv > 0 && sums->vy > 0 ? sums->vy / sums->vv : 0;
    if (by_u * sums->uy >= by_v * sums->vy)
        x[0] = by_u;
    else
        x[1] = by_v;
}

/* ---- Candidates ---- */

static double predict_s(const struct normal_form_task *task, const double *x, const double *u,
                        const double *v, size_t row) {
    double value = x[0] * u[row] + (v != NULL ? x[1] * v[row] : 0);
    return task->factor[row] > 0 ? value / task->factor[row] : 0;
}

static void test(struct candidate *out, double *x, const struct normal_form_task *task,
                 const double *u, const double *v) {
    const struct design *design = task->design;
    struct products whole;
    struct error_sums left_out = {0}, held_out = {0};
    double fold_x[2], (*all_x)[2] = xmalloc((size_t)design->fold_count * sizeof *all_x);
    sum_products(&whole, task, u, v);
    for (int k = 0; k < design->fold_count; k++) {
        struct products training =
            design->fold_count > 1 ? without(&whole, &task->parts[k]) : whole;
        solve(all_x[k], &training);
    }
    struct products small = without(&whole, &task->parts[design->fold_count]);
    solve(fold_x, &small);
    for (size_t i = 0; i < design->rows; i++) {
        design_add_error(&left_out, design, i, predict_s(task, all_x[design->fold[i]], u, v, i));
        if (design->held_out[i])
            design_add_error(&held_out, design, i, predict_s(task, fold_x, u, v, i));
    }
    solve(x, &whole);
    design_take_errors(out, design, &left_out, &held_out);
    free(all_x);
}

static void try_pair(candidate_list *out, const struct normal_form_task *task,
                     const struct normal_form_column *term,
                     const struct normal_form_column *partner, double limit) {
    double x[2];
    struct candidate candidate = {.count = partner != NULL ? 2 : 1};
    test(&candidate, x, task, term->values, partner != NULL ? partner->values : NULL);
    if (!(candidate.error <= limit) || x[0] == 0 || (partner != NULL && x[1] == 0))
        return;
    candidate.columns = ARENA_ARRAY(task->arena, size_t, candidate.count);
    candidate.coefficients = ARENA_ARRAY(task->arena, double, candidate.count);
    candidate.columns[0] = term->item;
    candidate.coefficients[0] = x[0] / term->scale;
    candidate.cost = task->design->dictionary->items[term->item].cost;
    if (partner != NULL) {
        candidate.columns[1] = partner->item;
        candidate.coefficients[1] = x[1] / partner->scale;
        candidate.cost += task->design->dictionary->items[partner->item].cost;
    }
    vec_push(out, candidate);
}

void normal_form_add(candidate_list *out, struct arena *arena, const struct design *design,
                     double limit) {
    struct normal_form_task task;
    struct normal_form_column term;
    task_init(&task, arena, design);
    for (size_t j = design->dictionary->count; j < design->dictionary->all_count; j++) {
        if (!make_column(&term, &task, j))
            continue;
        try_pair(out, &task, &term, NULL, limit);
        for (size_t k = 0; k < task.partner_count; k++)
            try_pair(out, &task, &term, &task.partners[k], limit);
    }
}
