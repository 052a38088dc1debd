/* SPDX-License-Identifier: Apache-2.0
 *
 * The ratio of one execution's latency to the region's average, from where in the run it happens
 * (model/eval/context.h): what stands behind `ratio` in model.bsim (docs/reference/model.md), its
 * reader and its evaluation. Linked into skeletons like eval.h: needs libc and libm, prints
 * nothing, never exits, keeps no globals. ratio.h learns it.
 *
 * A ratio is a table over the number of the execution, or a random forest (Breiman 2001) on its
 * logarithm. It interpolates only: what lies beyond what was trained counts as the nearest that
 * was; so after the last trained number of executions the ratio stays as it is.
 */
#ifndef MODEL_EVAL_FOREST_H
#define MODEL_EVAL_FOREST_H

#include "model/eval/context.h"

struct bsim_ratio;
struct bsim_reader;

/* What a reader accepts at most; the learning side keeps to it. */
#define BSIM_TREES_MAX 1000
#define BSIM_TREE_NODES_MAX 4096
#define BSIM_TREE_DEPTH_MAX 32
#define BSIM_RATIO_INPUTS_MAX 32
#define BSIM_RATIO_REGIONS_MAX 64
#define BSIM_RATIO_MAX 1e6 /* and at least the reciprocal */

/* Reads a ratio whose first word has been read; 0: *out is the caller's (bsim_ratio_free). -1: the
 * reader has the error's text, *out is NULL. */
int bsim_ratio_read(struct bsim_ratio **out, struct bsim_reader *reader, int feature_count);

/* NULL is fine. */
void bsim_ratio_free(struct bsim_ratio *ratio);

/* The ratio, > 0 and finite. Remembers what it finds: one thread at a time. *good_for executions in
 * a row have it if the features stay as they are, this one included; ULONG_MAX: all. */
double bsim_ratio(unsigned long *good_for, const struct bsim_ratio *ratio, const double *features,
                  const struct bsim_context *context);

#endif
