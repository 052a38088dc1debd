/* SPDX-License-Identifier: Apache-2.0
 *
 * The model of one region's latency: its lines in model.bsim and its parts. For eval.c, and for
 * latency.c, which reads back what the store keeps; part of the runtime like eval.h.
 *
 *   region 0 ID features 2 terms 2 range MIN MAX MIN MAX
 *   term COEFFICIENT EXPONENT EXPONENT
 *   term COEFFICIENT EXPONENT EXPONENT logs LOG LOG
 *   step FEATURE FROM TO FACTOR
 *   rest ...
 *   shares SHARE SHARE
 *   spread MODEL RUN RANK EXECUTION BEYOND
 *   scale ...
 *   ratio ...
 *
 * The latency is the sum over terms of coefficient * prod(x ^ exponent * log2(max(x, 1)) ^ log),
 * times the factor of each step: 1 where the feature is at most `from`, `factor` where it is at
 * least `to`, between them a straight line in the logarithms of both. The rest is a factor, too
 * (eval_rest.h).
 */
#ifndef MODEL_EVAL_EVAL_LATENCY_H
#define MODEL_EVAL_EVAL_LATENCY_H

#include "model/eval/eval.h"

#define BSIM_STEPS_MAX 8

struct bsim_ratio;
struct bsim_reader;
struct bsim_rest;

enum bsim_power {
    BSIM_POWER_0,
    BSIM_POWER_1,
    BSIM_POWER_2,
    BSIM_POWER_3,
    BSIM_POWER_HALF,
    BSIM_POWER_3_HALVES,
    BSIM_POWER_5_HALVES,
    BSIM_POWER_QUARTER,
    BSIM_POWER_3_QUARTERS,
    BSIM_POWER_THIRD,
    BSIM_POWER_2_THIRDS,
    BSIM_POWER_ANY
};

struct bsim_factor {
    double exponent;
    int feature;
    int log; /* the exponent of log2(max(x, 1)) */
    enum bsim_power power;
};

struct bsim_term {
    double coefficient_s;
    int factor_count;
    int any_count;   /* factors with BSIM_POWER_ANY */
    int plain_count; /* factors that are a feature itself */
};

struct bsim_step {
    int feature;
    double from, to, factor;
    double power; /* of the size between the two: bsim_step_power */
};

struct bsim_region_model {
    char *id;
    int feature_count, term_count, step_count;
    int plain_count; /* the first terms, which neither steps nor the rest change */
    double *ranges;  /* minimum and maximum of each feature in turn */
    struct bsim_term *terms;
    struct bsim_factor *factors; /* of all terms, one after the other */
    double *shares; /* of each term in the sum of all, the largest in the training; NULL: any */
    struct bsim_step steps[BSIM_STEPS_MAX];
    struct bsim_rest *rest; /* NULL: 1 */
    int has_spread;
    struct bsim_spread spread;
    struct bsim_scale *scale; /* NULL: 1 */
    struct bsim_ratio *ratio; /* NULL: 1 */
};

/* Reads a region's line, from its id on, and its terms; 0 or -1. *out is the caller's, after -1
 * too; NULL if there is nothing to free. */
int bsim_region_read(struct bsim_region_model **out, struct bsim_reader *reader);

/* Reads a line behind the terms whose first word, "step", has been read. */
int bsim_region_read_step(struct bsim_region_model *region, struct bsim_reader *reader);

/* Likewise, "rest". */
int bsim_region_read_rest(struct bsim_region_model *region, struct bsim_reader *reader);

/* Likewise, "plain". */
int bsim_region_read_plain(struct bsim_region_model *region, struct bsim_reader *reader);

/* Likewise, "shares". */
int bsim_region_read_shares(struct bsim_region_model *region, struct bsim_reader *reader);

/* Likewise, "spread". */
int bsim_region_read_spread(struct bsim_region_model *region, struct bsim_reader *reader);
/* Likewise, "scale" (eval_run_factor.h). */
int bsim_region_read_scale(struct bsim_region_model *region, struct bsim_reader *reader);
/* Likewise the lines from "ratio" on (forest.h). */
int bsim_region_read_ratio(struct bsim_region_model *region, struct bsim_reader *reader);

/* NULL is fine. */
void bsim_region_free(struct bsim_region_model *region);

/* What `power` has to be. */
double bsim_step_power(double from, double to, double factor);

/* The factor of one step for the number that its feature has. */
double bsim_step_factor(const struct bsim_step *step, double feature);

#endif
