/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluation of latency models: reads `model.bsim` (docs/reference/model.md) and tells how long one
 * execution of a region takes. Linked into other people's programs: needs libc and libm, prints
 * nothing, never exits, keeps no globals; all external names begin with bsim.
 *
 * The latency is a sum of terms, coefficient * prod(x ^ exponent * log2(max(x, 1)) ^ log) over the
 * features x, with 0^0 = 1, times the factors of steps (eval_latency.h). It is never negative,
 * never infinite, never NaN: coefficients are >= 0, exponents lie in 0..16, a feature that is
 * negative or NaN counts as 0, and a sum too large for a double is DBL_MAX.
 */
#ifndef MODEL_EVAL_EVAL_H
#define MODEL_EVAL_EVAL_H

#include <stddef.h>

struct bsim_model;
struct bsim_region_model;

/* What a reader accepts at most; the fitting side keeps to it. */
#define BSIM_REGIONS_MAX 1000000
#define BSIM_FEATURES_MAX 256
#define BSIM_TERMS_MAX 4096

/* Reads a model file. 0: *out is the caller's (bsim_model_free). -1: error_text says what is wrong
 * and what to do, *out is NULL. `bundle_id` is the one the file has to carry; NULL: any. */
int bsim_model_load(struct bsim_model **out, const char *path, const char *bundle_id,
                    char *error_text, size_t error_size);

/* NULL is fine. */
void bsim_model_free(struct bsim_model *model);

/* The model of the region with this index, borrowed; NULL: there is none. */
const struct bsim_region_model *bsim_model_region(const struct bsim_model *model, int region);

/* The name of the machine that the model was fitted on. */
const char *bsim_model_machine(const struct bsim_model *model);

/* Seconds of one execution; `features` has bsim_region_feature_count numbers. */
double bsim_region_latency_s(const struct bsim_region_model *region, const double *features);

/* What the latency of one execution is to be multiplied with (forest.h), borrowed; NULL: nothing.
 */
struct bsim_ratio;
const struct bsim_ratio *bsim_region_ratio(const struct bsim_region_model *region);

/* What all its latencies are to be multiplied with (eval_run_factor.h), borrowed; NULL: nothing. */
struct bsim_scale;
const struct bsim_scale *bsim_region_scale(const struct bsim_region_model *region);

const char *bsim_region_id(const struct bsim_region_model *region);
int bsim_region_feature_count(const struct bsim_region_model *region);

/* How far measured latencies lie from predicted ones: standard deviations of the logarithm of
 * measured / predicted (model/latency/spread.h), all from 0 to BSIM_SPREAD_MAX. */
#define BSIM_SPREAD_MAX 1000.0
struct bsim_spread {
    double model;     /* the same for all executions of the region */
    double run;       /* the same for all regions of a run */
    double rank;      /* the same for all executions on a rank, in each run */
    double execution; /* of its own for each */
    double beyond;    /* out of the trained range: times the logarithm of the factor */
};

/* More than this of `execution` or `rank` is seldom a distribution with such a tail but work that
 * no feature tells of: on 64 ranks the slowest would be 1.8 times as slow as the mean. */
#define BSIM_JITTER_MOST 0.25

/* Of `rank`, where no feature tells of a rank's work: programs that draw it at random have 0.6, and
 * with 1 the slowest of 64 ranks is six times as slow as the mean. */
#define BSIM_WORK_SPREAD_MOST 1

/* The part of `rank` that counts; is_recorded: of a synthesised program. */
double bsim_spread_ranks(const struct bsim_spread *spread, int is_recorded);

/* So many executions on a rank at a place are no distribution: nothing is drawn for them. */
#define BSIM_JITTER_FROM 2

/* NULL: the file does not tell. */
const struct bsim_spread *bsim_region_spread(const struct bsim_region_model *region);

/* The model's deviation where the features are by this factor (>= 1) out of the trained range, and
 * that part of the latency (0..1) is of unseen shares. */
double bsim_spread_deviation(const struct bsim_spread *spread, double factor, double unseen);

/* By how much the shares that terms have in the latency are above the largest that they had in the
 * training, summed up: the part of the latency, 0..1, for which the samples do not tell the terms'
 * coefficients apart. Features in range one by one may have such a ratio. */
double bsim_region_unseen_part(const struct bsim_region_model *region, const double *features);

/* By which factor (>= 1, finite) the feature that is farthest out leaves the trained range. Numbers
 * below 1 count as 1: features are counts. */
double bsim_region_factor(const struct bsim_region_model *region, const double *features);

/* The range of a feature over the samples that the model was fitted to. */
double bsim_region_feature_min(const struct bsim_region_model *region, int feature);
double bsim_region_feature_max(const struct bsim_region_model *region, int feature);

#endif
