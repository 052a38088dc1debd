/* SPDX-License-Identifier: Apache-2.0
 *
 * Which terms a region's latency may have: from the points of a region the features that can be
 * told apart, and from those a list of monomials. Its first part, of which many may come together:
 * each feature itself, the constant, products of two, and the powers 2, 0.5, 1.5 and 3. Its second
 * part, of which there is one at a time: the performance model normal form of A. Calotoiu, T.
 * Hoefler, M. Poke and F. Wolf (Using Automated Performance Modeling to Find Scalability Bugs in
 * Complex Codes, SC 2013), x^p * log2(max(x, 1))^q with p of 0, 1/4, 1/3, 1/2, 2/3, 3/4, 1, 3/2, 2,
 * 5/2, 3 and q of 0, 1, 2.
 *
 * A feature that never varied cannot be told from the constant, and of features that are
 * proportional to each other only the largest (the innermost loop) is used. With one feature
 * vector only, the largest feature alone is there: the features are iteration counts, so that
 * proportionality extrapolates better than a constant.
 */
#pragma once

#include "base/arena.h"
#include "model/samples/points.h"
#include "model/samples/region.h"

enum monomial_kind {
    MONOMIAL_CONSTANT,
    MONOMIAL_LINEAR,
    MONOMIAL_PRODUCT,
    MONOMIAL_POWER,
    MONOMIAL_NORMAL_FORM
};

#define MONOMIAL_FACTORS_MAX 2

/* feature^exponent * log2(max(feature, 1))^log */
struct monomial_factor {
    int feature;
    double exponent;
    int log;
};

struct monomial {
    enum monomial_kind kind;
    int factor_count;
    struct monomial_factor factors[MONOMIAL_FACTORS_MAX];
    int cost; /* how far from simple: the choice between equally good models */
};

struct dictionary {
    struct monomial *items; /* linear ones first, largest feature first */
    size_t count;           /* of the first part */
    size_t all_count;       /* of both parts */
    int linear_count;
    size_t feature_count; /* of the region */
    const char *note;     /* what the samples leave open; "" if nothing */
};

void dictionary_make(struct dictionary *out, struct arena *arena, const struct points *points,
                     const struct region *region);

double monomial_value(const struct monomial *monomial, const double *features);
