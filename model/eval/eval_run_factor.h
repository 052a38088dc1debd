/* SPDX-License-Identifier: Apache-2.0
 *
 * What all latencies of a region are multiplied with in a run: a coefficient times the sum of an
 * offset and a product of powers of numbers that are known of the run as a whole (its number of
 * ranks, numbers among its arguments, features of other regions that are the same all the time).
 * Part of model.bsim, lines behind the region's terms; linked into other people's programs like
 * eval.h. Further lines are factors that told the samples as well: they are not taken, but say how
 * unsure the first one is.
 *
 *   scale COEFFICIENT numbers 2 ranks -1 1 4 arg2 1 1000 8000     (name, exponent, least, most)
 *   scale COEFFICIENT numbers 1 arg1 1 1000 8000 offset 300
 */
#ifndef MODEL_EVAL_EVAL_RUN_FACTOR_H
#define MODEL_EVAL_EVAL_RUN_FACTOR_H

#define BSIM_SCALE_NUMBERS_MAX 8

struct bsim_scale;
struct bsim_reader;

/* Reads the line, whose first word has been read. 0, or -1; *out is the caller's, also after -1;
 * NULL if there is nothing to free. */
int bsim_scale_read(struct bsim_scale **out, struct bsim_reader *reader);

/* The next one that told the samples as well; NULL: there is none. */
const struct bsim_scale *bsim_scale_next(const struct bsim_scale *scale);

/* NULL is fine; those behind it go, too. */
void bsim_scale_free(struct bsim_scale *scale);

int bsim_scale_count(const struct bsim_scale *scale);
const char *bsim_scale_name(const struct bsim_scale *scale, int index);

/* Whether such a name is that of a feature of another region ("n3@2"): the feature, counted from 1,
 * and the region. */
int bsim_scale_is_of_region(const char *name, int *feature, int *region);

/* The range of the training. */
double bsim_scale_least(const struct bsim_scale *scale, int index);
double bsim_scale_most(const struct bsim_scale *scale, int index);

/* Positive and finite. `numbers` in the order of the names; what is not positive counts as the
 * least in training. *out_range: by which factor (>= 1) a number leaves the range of the training,
 * the farthest one. */
double bsim_scale_factor(double *out_range, const struct bsim_scale *scale, const double *numbers);

#endif
