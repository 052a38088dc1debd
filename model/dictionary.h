/* SPDX-License-Identifier: Apache-2.0
 *
 * Which terms a region's latency may have: from the points of a region the features that can be
 * told apart, and from those a list of monomials: each feature itself, the constant, products of
 * two, and the powers 2, 0.5, 1.5 and 3.
 *
 * A feature that never varied cannot be told from the constant, and of features that are
 * proportional to each other only the largest (the innermost loop) is used. With one feature
 * vector only, the largest feature alone is there: the features are iteration counts, so that
 * proportionality extrapolates better than a constant.
 */
#ifndef MODEL_DICTIONARY_H
#define MODEL_DICTIONARY_H

#include "base/arena.h"
#include "model/points.h"
#include "model/region.h"

enum monomial_kind { MONOMIAL_CONSTANT, MONOMIAL_LINEAR, MONOMIAL_PRODUCT, MONOMIAL_POWER };

struct monomial {
    enum monomial_kind kind;
    int first, second; /* features; -1: none */
    double exponent;   /* of the first */
    int cost;          /* how far from simple: the choice between equally good models */
};

struct dictionary {
    struct monomial *items; /* linear ones first, largest feature first */
    size_t count;
    int linear_count;
    const char *note; /* what the samples leave open; "" if nothing */
};

void dictionary_make(struct dictionary *out, struct arena *arena, const struct points *points,
                     const struct region *region);

double monomial_value(const struct monomial *monomial, const double *features);

#endif
