/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency models of a bundle's regions on one machine: what fitting gives, what the store keeps
 * and what `model.bsim` holds. A latency is a sum of terms, coefficient * prod(feature^exponent).
 */
#ifndef MODEL_LATENCY_H
#define MODEL_LATENCY_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "model/region.h"

#include <stdbool.h>
#include <stddef.h>

struct term {
    double coefficient_s;    /* >= 0 */
    const double *exponents; /* one per feature, 0..16 */
};

/* What the error of a model was measured on. */
enum validation {
    VALIDATION_NONE,     /* the points that it was fitted to: there is only one configuration */
    VALIDATION_FEATURES, /* feature vectors left out of the fit in turn, all of one run */
    VALIDATION_RUNS,     /* runs left out of the fit in turn */
};

struct latency_model {
    int region;
    bool fitted; /* false: no timed sample; only total_s can be looked at */
    int feature_count, term_count;
    const struct term *terms;
    const double *min, *max; /* of each feature over the samples */
    size_t point_count;      /* distinct (run, features) that it was fitted to */
    int run_count;
    double error; /* mean relative error, weighted by time; 0.05 is 5 % */
    enum validation validation;
    double total_s;   /* time in the region, all ranks and runs */
    double share;     /* of all regions' time */
    const char *note; /* what the samples leave open; "" if nothing */
    /* Of a value that the skeleton takes as given: its lines in model.bsim, and its formula for
     * people; NULL: a latency. */
    const char *value_lines, *value_formula;
};

struct models {
    struct arena arena; /* owns everything below */
    const char *bundle, *machine;
    struct latency_model *items; /* by region */
    int count;
    double total_s;
    double error; /* of all regions, weighted by time */
};

void models_dispose(struct models *models);

double latency_evaluate(const struct latency_model *model, const double *features);

/* "1.2e-07 + 3.1e-09*n1 + 2e-10*n1*n2^2", added to *out. */
void latency_formula(struct str *out, const struct latency_model *model,
                     const struct region *region);

/* "features", "runs" or "none". */
const char *validation_name(enum validation validation);

/* Writes model.bsim (docs/formats.md); regions that are not fitted are left out. */
int models_write(const struct models *models, const struct regions *regions, const char *path,
                 struct error *error);

#endif
