/* SPDX-License-Identifier: Apache-2.0
 *
 * Latency models of a bundle's regions on one machine: what fitting gives, what the store keeps
 * and what `model.bsim` holds. A latency is a sum of terms, coefficient * prod(x^exponent *
 * log2(max(x, 1))^log) over the features x, times the factors of steps (eval_latency.h). Its lines
 * in model.bsim are what the store keeps; the parts are for those who look at them.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "model/eval/eval.h"
#include "model/samples/region.h"
#include "model/samples/sample.h"

#include <stdbool.h>
#include <stddef.h>

struct term {
    double coefficient_s;    /* >= 0 */
    const double *exponents; /* one per feature, 0..16 */
    const int *logs;         /* likewise, 0..4 */
};

/* What the error of a model was measured on. */
enum latency_validation {
    VALIDATION_NONE,     /* the points that it was fitted to: there is only one configuration */
    VALIDATION_FEATURES, /* feature vectors left out of the fit in turn, all of one run */
    VALIDATION_RUNS,     /* runs left out of the fit in turn */
};

/* How formulas are printed. C and Python are expressions of functions that need <math.h> or
 * `import math`. */
enum formula_style { FORMULA_TEXT, FORMULA_LATEX, FORMULA_C, FORMULA_PYTHON, FORMULA_STYLE_COUNT };

struct bsim_rest;
struct bsim_step;

struct latency_model {
    int region;
    bool fitted; /* false: no timed sample; only total_s can be looked at */
    int feature_count, term_count;
    int plain_count; /* the first terms, which neither steps nor the rest change (eval_latency.h) */
    const struct term *terms;
    int step_count;
    const struct bsim_step *steps;
    const struct bsim_rest *rest; /* of counted times (eval_rest.h); NULL: none */
    const double *min, *max;      /* of each feature over the samples */
    const double *shares;         /* of terms, the largest over the samples (eval.h); NULL: any */
    size_t point_count;           /* distinct (run, features) that it was fitted to */
    int run_count;
    double error; /* mean relative error, weighted by time; 0.05 is 5 % */
    enum latency_validation validation;
    double total_s;    /* time in the region, all ranks and runs */
    double share;      /* of all regions' time */
    const char *note;  /* what the samples leave open; "" if nothing */
    const char *lines; /* in model.bsim */
    bool has_spread;   /* false: one configuration in one run tells nothing */
    struct bsim_spread spread;
    const char *ratio_lines, *ratio_note; /* among them, of ratio.h; NULL and "": none */
    const char *scale_line;               /* among them, of run_factor.h; NULL: none */
    /* Of a value that the skeleton takes as given: its formula for people; NULL: a latency. */
    const char *value_formula;
    bool is_scattered; /* of a value: it counts things that come by chance */
    /* Of a value of which ranks with the same features get the mean: how far off they were, as a
     * share of their sum, in the run where it is most. */
    double rank_spread;
};

struct models {
    struct arena arena; /* owns everything below */
    const char *bundle, *machine;
    enum statistic statistic;    /* of repeated measurements */
    struct latency_model *items; /* by region */
    int count;
    const char *gaps; /* lines of model.bsim: time in kept code before calls; NULL: none */
    double total_s;
    double error; /* of all regions, weighted by time */
};

void models_dispose(struct models *models);

double latency_evaluate(const struct latency_model *model, const double *features);

/* The share of a term in the sum of all; 0 where that is 0. */
double latency_share(const struct latency_model *model, int term, const double *features);

/* "1.2e-07 + 3.1e-09*n1 + 2e-10*n1*n2^2", added to *out. A step is step(feature, from, to, factor).
 * Of a value always text. */
void latency_formula(struct str *out, const struct latency_model *model,
                     const struct region *region, enum formula_style style);

/* Sets `lines` from the terms, steps, ranges and the spread; from the arena. */
void latency_write_lines(struct latency_model *model, struct arena *arena,
                         const struct region *region);

/* Sets `lines` to a copy and, unless they are a value's, terms, steps, ranges, spread from them;
 * from the arena. -1: they are damaged. */
int latency_read_lines(struct latency_model *model, struct arena *arena, const char *lines);

/* "features", "runs" or "none". */
const char *validation_name(enum latency_validation validation);

/* Writes model.bsim (docs/reference/model.md); regions that are not fitted are left out. */
int models_write(const struct models *models, const char *path, struct error *error);
