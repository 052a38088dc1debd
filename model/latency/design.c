/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows, weights, folds and tests of subsets; see design.h.
 */
#include "model/latency/design.h"

#include "base/hash.h"
#include "base/numbers.h"
#include "model/solve/nnls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOLDS_MAX 16
#define LATENCY_FLOOR_S 1e-9 /* what is below cannot be measured, so it has no relative error */
#define LEAST_ABSOLUTE_ROUNDS 8
#define HUBER_ROUNDS 2
#define HUBER_LIMIT 3.0 /* robust standard deviations */
#define SPREAD_MIN 0.005
#define REPEATED_MIN 5        /* points that were measured again, to tell noise */
#define HELD_OUT_LEVELS_MIN 4 /* distinct sizes, of which the largest quarter to third is held */

enum { ALL_ROWS = -1, SMALL_ROWS = -2 };

double design_scale_s(const struct point *point) {
    return fmax(point->latency_s, LATENCY_FLOOR_S);
}

/* ---- Folds ---- */

/* The number of each run's configuration; runs with equal feature vectors have the same. */
static int number_configurations(int *out, const struct points *points, int feature_count,
                                 int run_count) {
    unsigned long long *hash = xmalloc(((size_t)run_count + 1) * sizeof *hash);
    bool *used = xmalloc((size_t)run_count + 1);
    int count = 0;
    for (int i = 0; i < run_count; i++) {
        hash[i] = HASH_SEED;
        used[i] = false;
    }
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        hash[point->run] = hash_bytes(hash[point->run], point->features,
                                      (size_t)feature_count * sizeof *point->features);
        used[point->run] = true;
    }
    for (int i = 0; i < run_count; i++) {
        int same = 0;
        while (same < i && !(used[same] && hash[same] == hash[i]))
            same++;
        out[i] = same < i ? out[same] : count;
        count += same == i && used[i];
    }
    free(hash);
    free(used);
    return count;
}

/* By what the run was given; as many as there are. */
static int number_contexts(int *out, const struct run_context *context, int run_count) {
    int count = 0;
    for (int i = 0; i < run_count; i++) {
        int same = 0;
        while (same < i && run_context_compare(context, same, i) != 0)
            same++;
        out[i] = same < i ? out[same] : count++;
    }
    return count;
}

static int count_vectors(const struct points *points, int feature_count) {
    int count = 0;
    for (size_t i = 0; i < points->count; i++)
        count += i == 0 || features_compare(points->items[i - 1].features,
                                            points->items[i].features, feature_count) != 0;
    return count;
}

static void fold_by_features(struct design *design, const struct points *points,
                             int feature_count) {
    int vector = -1;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        if (i == 0 || features_compare(point[-1].features, point->features, feature_count) != 0)
            vector++;
        design->fold[i] = vector % FOLDS_MAX;
    }
    design->fold_count = vector + 1 < FOLDS_MAX ? vector + 1 : FOLDS_MAX;
    design->validation = design->fold_count > 1 ? VALIDATION_FEATURES : VALIDATION_NONE;
}

static void make_folds(struct design *design, struct arena *arena, const struct points *points,
                       int feature_count, int run_count, const struct run_context *context,
                       bool by_context) {
    int *configuration = ARENA_ARRAY(arena, int, (size_t)run_count);
    int count = number_configurations(configuration, points, feature_count, run_count);
    if (by_context || (count < 2 && count_vectors(points, feature_count) == 2))
        count = number_contexts(configuration, context, run_count);
    design->fold = ARENA_ARRAY(arena, int, points->count);
    if (count < 2) {
        fold_by_features(design, points, feature_count);
        return;
    }
    for (size_t i = 0; i < points->count; i++)
        design->fold[i] = configuration[points->items[i].run] % FOLDS_MAX;
    design->fold_count = count < FOLDS_MAX ? count : FOLDS_MAX;
    design->validation = VALIDATION_RUNS;
}

/* ---- Rows ---- */

static void make_values(struct design *design, struct arena *arena,
                        const struct dictionary *dictionary) {
    design->values = ARENA_ARRAY(arena, double, design->rows * design->columns);
    for (size_t i = 0; i < design->rows; i++)
        for (size_t j = 0; j < design->columns; j++)
            design->values[i * design->columns + j] =
                monomial_value(&dictionary->items[j], design->points->items[i].features);
}

static void make_weights(struct design *design, struct arena *arena) {
    const struct points *points = design->points;
    design->plain_weight = ARENA_ARRAY(arena, double, design->rows);
    design->weight = ARENA_ARRAY(arena, double, design->rows);
    for (size_t i = 0; i < design->rows; i++) {
        double share = points->total_s > 0 ? points->items[i].total_s / points->total_s : 1;
        design->plain_weight[i] = sqrt(share);
        design->weight[i] = design->plain_weight[i];
    }
}

/* The rows of one fold (ALL_ROWS, SMALL_ROWS), weighted, compressed. */
static struct block compress_rows(struct arena *arena, const struct design *design, int fold) {
    size_t columns = design->columns, rows = 0;
    double *a = xmalloc((design->rows * columns + 1) * sizeof *a);
    double *b = xmalloc((design->rows + 1) * sizeof *b);
    for (size_t i = 0; i < design->rows; i++) {
        if ((fold >= 0 && design->fold[i] != fold) || (fold == SMALL_ROWS && design->held_out[i]))
            continue;
        const struct point *point = &design->points->items[i];
        double factor = sqrt(design->weight[i]) / design_scale_s(point);
        for (size_t j = 0; j < columns; j++)
            a[rows * columns + j] = factor * design->values[i * columns + j];
        b[rows++] = factor * point->latency_s;
    }
    struct block block = {.a = ARENA_ARRAY(arena, double, (columns + 1) * columns),
                          .b = ARENA_ARRAY(arena, double, columns + 1)};
    block.rows = least_squares_compress(
        block.a, block.b,
        &(struct least_squares){
            .a = a, .b = b, .rows = rows, .columns = columns, .stride = columns});
    free(a);
    free(b);
    return block;
}

/* One block of all blocks but one. */
static struct block stack(struct arena *arena, const struct block *blocks, int count, int but,
                          size_t columns) {
    struct least_squares sum = {.columns = columns, .stride = columns};
    double *a = xmalloc(((size_t)count * (columns + 1) * columns + 1) * sizeof *a);
    double *b = xmalloc(((size_t)count * (columns + 1) + 1) * sizeof *b);
    for (int k = 0; k < count; k++) {
        if (k == but)
            continue;
        memcpy(a + sum.rows * columns, blocks[k].a, blocks[k].rows * columns * sizeof *a);
        memcpy(b + sum.rows, blocks[k].b, blocks[k].rows * sizeof *b);
        sum.rows += blocks[k].rows;
    }
    sum.a = a;
    sum.b = b;
    struct block block = {.a = ARENA_ARRAY(arena, double, (columns + 1) * columns),
                          .b = ARENA_ARRAY(arena, double, columns + 1)};
    block.rows = least_squares_compress(block.a, block.b, &sum);
    free(a);
    free(b);
    return block;
}

static void make_blocks(struct design *design, struct arena *arena) {
    int folds = design->fold_count;
    struct block *own = ARENA_ARRAY(arena, struct block, (size_t)folds);
    design->training = ARENA_ARRAY(arena, struct block, (size_t)folds);
    for (int k = 0; k < folds; k++)
        own[k] = compress_rows(arena, design, k);
    design->whole = stack(arena, own, folds, -1, design->columns);
    for (int k = 0; k < folds; k++)
        design->training[k] =
            folds > 1 ? stack(arena, own, folds, k, design->columns) : design->whole;
    if (design->has_held_out)
        design->small = compress_rows(arena, design, SMALL_ROWS);
}

/* ---- Held points ---- */

/* The logarithm of the product of all features that vary. */
static double size_of(const struct point *point, const struct dictionary *dictionary) {
    double sum = 0;
    for (int j = 0; j < dictionary->linear_count; j++)
        sum += log(fmax(point->features[dictionary->items[j].factors[0].feature], 1));
    return sum;
}

/* Holds the points whose size is among the largest third of all that differ by 1 % or more. */
static void hold_largest(struct design *design, struct arena *arena,
                         const struct dictionary *dictionary) {
    double *sizes = ARENA_ARRAY(arena, double, design->rows);
    double *levels = ARENA_ARRAY(arena, double, design->rows);
    size_t count = 0;
    design->held_out = ARENA_ARRAY(arena, bool, design->rows);
    for (size_t i = 0; i < design->rows; i++)
        levels[i] = sizes[i] = size_of(&design->points->items[i], dictionary);
    numbers_sort(levels, design->rows);
    for (size_t i = 0; i < design->rows; i++)
        if (i == 0 || levels[i] > levels[count - 1] + 0.01)
            levels[count++] = levels[i];
    if (count < HELD_OUT_LEVELS_MIN)
        return;
    design->has_held_out = true;
    for (size_t i = 0; i < design->rows; i++)
        design->held_out[i] = sizes[i] >= levels[count - count / 3];
}

/* ---- Noise ---- */

/* As repetitions tell; 0: too few points were repeated. */
static double repeated_noise(const struct points *points) {
    double sum = 0;
    size_t repeated = 0;
    for (size_t i = 0; i < points->count; i++) {
        sum += points->items[i].scatter;
        repeated += points->items[i].scatter > 0;
    }
    return repeated >= REPEATED_MIN ? sum / (double)repeated : 0;
}

/* ---- Robust weights ---- */

static double relative_residual(const struct design *design, size_t row,
                                const double *coefficients) {
    const struct point *point = &design->points->items[row];
    double latency_s = 0;
    for (size_t j = 0; j < design->columns; j++)
        latency_s += coefficients[j] * design->values[row * design->columns + j];
    return fabs(latency_s - point->latency_s) / design_scale_s(point);
}

/* The residual from which on a point counts less. Least squares are drawn towards an outlier so
 * much that it is none any more, so the first rounds minimise the sum of absolute errors. */
static double residual_limit(const double *residual, double *sorted, size_t rows, int round) {
    if (round < LEAST_ABSOLUTE_ROUNDS)
        return SPREAD_MIN;
    memcpy(sorted, residual, rows * sizeof *sorted);
    numbers_sort(sorted, rows);
    return HUBER_LIMIT * fmax(1.4826 * sorted[rows / 2], SPREAD_MIN);
}

static void reweigh(struct design *design, const double *coefficients, double *residual,
                    double *sorted, int round) {
    for (size_t i = 0; i < design->rows; i++)
        residual[i] = relative_residual(design, i, coefficients);
    double limit = residual_limit(residual, sorted, design->rows, round);
    for (size_t i = 0; i < design->rows; i++)
        design->weight[i] = design->plain_weight[i] * limit / fmax(residual[i], limit);
}

static void make_robust(struct design *design) {
    double *coefficients = xmalloc((design->columns + 1) * sizeof *coefficients);
    double *residual = xmalloc((design->rows + 1) * sizeof *residual);
    double *sorted = xmalloc((design->rows + 1) * sizeof *sorted);
    for (int round = 0; round < LEAST_ABSOLUTE_ROUNDS + HUBER_ROUNDS; round++) {
        struct arena arena;
        arena_init(&arena);
        struct block block = compress_rows(&arena, design, ALL_ROWS);
        nnls_solve(coefficients, &(struct least_squares){.a = block.a,
                                                         .b = block.b,
                                                         .rows = block.rows,
                                                         .columns = design->columns,
                                                         .stride = design->columns});
        reweigh(design, coefficients, residual, sorted, round);
        arena_dispose(&arena);
    }
    free(coefficients);
    free(residual);
    free(sorted);
}

void design_make(struct design *out, struct arena *arena, const struct points *points,
                 const struct dictionary *dictionary, int feature_count, int run_count,
                 const struct run_context *context, bool by_context) {
    *out = (struct design){.points = points,
                           .dictionary = dictionary,
                           .rows = points->count,
                           .columns = dictionary->count};
    make_values(out, arena, dictionary);
    make_folds(out, arena, points, feature_count, run_count, context, by_context);
    make_weights(out, arena);
    hold_largest(out, arena, dictionary);
    out->noise = repeated_noise(points);
    if (!points->are_exact)
        make_robust(out);
    make_blocks(out, arena);
}

/* ---- Tests of subsets ---- */

static void solve_subset(double *coefficients, const struct block *block, size_t stride,
                         const struct candidate *candidate) {
    size_t count = candidate->count;
    double *a = xmalloc((block->rows * count + 1) * sizeof *a);
    for (size_t i = 0; i < block->rows; i++)
        for (size_t k = 0; k < count; k++)
            a[i * count + k] = block->a[i * stride + candidate->columns[k]];
    nnls_solve(coefficients,
               &(struct least_squares){
                   .a = a, .b = block->b, .rows = block->rows, .columns = count, .stride = count});
    free(a);
}

static double value_of_powers(const double *powers, const double *features, size_t count) {
    double value = 1;
    for (size_t j = 0; j < count; j++)
        if (powers[j] != 0)
            value *= pow(fmax(features[j], powers[j] < 0), powers[j]);
    return value;
}

/* What coefficient k of the candidate is multiplied by, its step included. */
static double value_at(const struct design *design, const struct candidate *candidate,
                       const double *features, size_t k) {
    double value =
        candidate->powers != NULL
            ? value_of_powers(candidate->powers, features, design->dictionary->feature_count)
            : monomial_value(&design->dictionary->items[candidate->columns[k]], features);
    return candidate->has_step
               ? value * bsim_step_factor(&candidate->step, features[candidate->step.feature])
               : value;
}

double design_formula_s(const struct design *design, const struct candidate *candidate,
                        const double *coefficients, const double *features) {
    double latency_s = 0;
    for (size_t k = 0; k < candidate->count; k++)
        latency_s += coefficients[k] * value_at(design, candidate, features, k);
    return latency_s;
}

void design_solve(double *coefficients, const struct design *design,
                  const struct candidate *candidate, const bool *left_out) {
    size_t columns = candidate->count, rows = 0;
    double *a = xmalloc((design->rows * columns + 1) * sizeof *a);
    double *b = xmalloc((design->rows + 1) * sizeof *b);
    for (size_t i = 0; i < design->rows; i++) {
        const struct point *point = &design->points->items[i];
        double factor = sqrt(design->weight[i]) / design_scale_s(point);
        if (left_out[design->fold[i]])
            continue;
        for (size_t k = 0; k < columns; k++)
            a[rows * columns + k] = factor * value_at(design, candidate, point->features, k);
        b[rows++] = factor * point->latency_s;
    }
    nnls_solve(coefficients,
               &(struct least_squares){
                   .a = a, .b = b, .rows = rows, .columns = columns, .stride = columns});
    free(a);
    free(b);
}

void design_add_error(struct error_sums *sums, const struct design *design, size_t row,
                      double latency_s) {
    const struct point *point = &design->points->items[row];
    double error = fabs(latency_s - point->latency_s) / design_scale_s(point);
    sums->error += design->plain_weight[row] * error;
    sums->weight += design->plain_weight[row];
    sums->time_error += point->total_s * error;
    sums->time_s += point->total_s;
}

void design_take_errors(struct candidate *candidate, const struct design *design,
                        const struct error_sums *left_out, const struct error_sums *held_out) {
    candidate->error = left_out->weight > 0 ? left_out->error / left_out->weight : 0;
    candidate->time_error = left_out->time_s > 0 ? left_out->time_error / left_out->time_s : 0;
    candidate->extrapolation = design->has_held_out && held_out->weight > 0
                                   ? held_out->error / held_out->weight
                                   : INFINITY;
}

static double predict_s(const struct design *design, const struct candidate *candidate,
                        size_t row) {
    double latency_s = 0;
    for (size_t k = 0; k < candidate->count; k++)
        latency_s += candidate->coefficients[k] *
                     design->values[row * design->columns + candidate->columns[k]];
    return latency_s;
}

/* The errors of the candidate's present coefficients in one fold or (SMALL_ROWS) the held-out rows.
 */
static void test_rows(struct error_sums *sums, const struct design *design, int fold,
                      const struct candidate *candidate) {
    for (size_t i = 0; i < design->rows; i++)
        if (fold == SMALL_ROWS ? design->held_out[i] : design->fold[i] == fold)
            design_add_error(sums, design, i, predict_s(design, candidate, i));
}

void design_test(struct candidate *candidate, struct arena *arena, const struct design *design) {
    struct error_sums left_out = {0}, held_out = {0};
    candidate->coefficients = ARENA_ARRAY(arena, double, candidate->count);
    for (int k = 0; k < design->fold_count; k++) {
        solve_subset(candidate->coefficients, &design->training[k], design->columns, candidate);
        test_rows(&left_out, design, k, candidate);
    }
    if (design->has_held_out) {
        solve_subset(candidate->coefficients, &design->small, design->columns, candidate);
        test_rows(&held_out, design, SMALL_ROWS, candidate);
    }
    solve_subset(candidate->coefficients, &design->whole, design->columns, candidate);
    design_take_errors(candidate, design, &left_out, &held_out);
    candidate->cost = 0;
    for (size_t k = 0; k < candidate->count; k++)
        if (candidate->coefficients[k] > 0)
            candidate->cost += design->dictionary->items[candidate->columns[k]].cost;
}
