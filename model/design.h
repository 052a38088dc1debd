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
 * together; if there is only one configuration, each feature vector is one. A subset of columns
 * is fitted without each fold in turn and tested on it. The rows of each fold are compressed by QR
 * once, so that a fit does not depend on the number of points.
 */
#ifndef MODEL_DESIGN_H
#define MODEL_DESIGN_H

#include "base/arena.h"
#include "model/dictionary.h"
#include "model/latency.h"
#include "model/points.h"

struct block {
    double *a, *b;
    size_t rows;
};

struct design {
    const struct points *points;
    size_t rows, columns;
    double *values; /* rows * columns: the monomials of each point */
    double *weight; /* per row, of a squared relative error; the robust part included */
    double *plain_weight;
    int *fold; /* per row */
    int fold_count;
    enum validation validation;
    struct block whole;
    struct block *training; /* per fold: all rows but its own */
};

/* A subset of the columns, its fit to all points and its errors. */
struct candidate {
    size_t *columns;
    size_t count;
    double *coefficients; /* one per column of the subset */
    double error;         /* relative, weighted like the fit; the choice goes by it */
    double time_error;    /* relative, weighted by time */
    int cost;
};

void design_make(struct design *out, struct arena *arena, const struct points *points,
                 const struct dictionary *dictionary, int feature_count, int run_count);

/* Fits and tests `candidate->columns`; sets the other members, from the arena. */
void design_test(struct candidate *candidate, struct arena *arena, const struct design *design,
                 const struct dictionary *dictionary);

#endif
