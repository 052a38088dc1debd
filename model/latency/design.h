/* SPDX-License-Identifier: Apache-2.0
 *
 * The least squares problem of one region and its cross-validation.
 *
 * Each point is a row, each monomial of the dictionary a column. Rows are divided by the measured
 * latency, so that relative errors are what is minimised, and weighted by the square root of the
 * point's share of time: large totals count more but do not silence the rest. Points far off a fit
 * with all columns get less weight (P. J. Huber, Robust Statistics, 1981).
 *
 * Points are divided into folds by configuration: runs with the same feature vectors belong
 * together. If all have the same, each feature vector is a fold, but where there are two: each says
 * nothing of the other, so that runs are told apart by their ranks and arguments then. A subset of
 * columns is fitted without each fold in turn and tested on it; and it is fitted without the
 * largest third of the points (by the product of their features) and tested on them: does it
 * extrapolate? The rows of each fold are compressed by QR once, so that a fit does not depend on
 * the number of points.
 */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "model/eval/eval_latency.h"
#include "model/latency/dictionary.h"
#include "model/latency/latency.h"
#include "model/samples/points.h"
#include "model/samples/run_context.h"

#include <stdbool.h>

struct block {
    double *a, *b;
    size_t rows;
};

struct design {
    const struct points *points;
    const struct dictionary *dictionary;
    size_t rows, columns;
    double *values; /* rows * columns: the monomials of each point */
    double *weight; /* per row, of a squared relative error; the robust part included */
    double *plain_weight;
    int *fold; /* per row */
    int fold_count;
    bool *held_out; /* per row: of the largest points, for the test of extrapolation */
    bool has_held_out;
    double noise; /* relative, from repetitions; 0: too few */
    enum latency_validation validation;
    struct block whole;
    struct block *training; /* per fold: all rows but its own */
    struct block small;     /* the rows that are not held out */
};

/* A form of a model, its fit to all points and its errors: a sum of monomials (`columns` counts in
 * the dictionary, both parts), or one coefficient times powers of all features; times a step. */
struct candidate {
    size_t *columns;
    size_t count;
    double *coefficients; /* one per column of the subset */
    const double *powers; /* one per feature, instead of columns; NULL: none */
    struct bsim_step step;
    bool has_step;
    double error;         /* relative, weighted like the fit; the choice goes by it */
    double time_error;    /* relative, weighted by time */
    double extrapolation; /* relative error of the held-out points, fitted to the others; or
                             INFINITY */
    int cost;
};

typedef VEC(struct candidate) candidate_list;

/* Sums of relative errors over rows. */
struct error_sums {
    double error, weight, time_error, time_s;
};

/* Of `context`, by run, what tells runs apart that have the same features; `by_context`: all are
 * told apart by it, since the points were divided by what depends on it. */
void design_make(struct design *out, struct arena *arena, const struct points *points,
                 const struct dictionary *dictionary, int feature_count, int run_count,
                 const struct run_context *context, bool by_context);

/* What relative errors of a point are relative to. */
double design_scale_s(const struct point *point);

/* What the candidate says with these coefficients, of features that need not be in a row. */
double design_formula_s(const struct design *design, const struct candidate *candidate,
                        const double *coefficients, const double *features);

/* The candidate's coefficients without the folds that are left out. Of forms with fitted powers or
 * a step these stay as they are. */
void design_solve(double *coefficients, const struct design *design,
                  const struct candidate *candidate, const bool *left_out);

/* Adds the error of one row. */
void design_add_error(struct error_sums *sums, const struct design *design, size_t row,
                      double latency_s);

/* Sets the errors from the sums over all rows, left out in turn, and over the held-out rows. */
void design_take_errors(struct candidate *candidate, const struct design *design,
                        const struct error_sums *left_out, const struct error_sums *held_out);

/* Fits and tests `candidate->columns`, of the dictionary's first part; sets the other members, from
 * the arena. */
void design_test(struct candidate *candidate, struct arena *arena, const struct design *design);
