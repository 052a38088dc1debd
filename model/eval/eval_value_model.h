/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reader and the evaluator of values in model.bsim share (eval_value.h).
 */
#ifndef MODEL_EVAL_EVAL_VALUE_MODEL_H
#define MODEL_EVAL_EVAL_VALUE_MODEL_H

#include "model/eval/eval.h"
#include "model/eval/eval_draw.h"
#include "model/eval/eval_index.h"
#include "model/eval/eval_position.h"
#include "model/eval/eval_stretch.h"
#include "model/eval/eval_value.h"

/* One formula: `count` terms, each a coefficient and one exponent per number of the vector. */
struct bsim_value_formula {
    double number; /* of the feature that splits; of no meaning if none does */
    int term_count;
    double *terms;
};

struct bsim_value_model {
    enum bsim_value_kind kind;
    int feature_count, context_count, dimension;
    char **context;
    double unit, least;
    int split; /* the feature, or -1 */
    int formula_count, seen_count;
    struct bsim_value_formula *formulas;
    struct bsim_value_seen *seen;
    int prefix_count, prefix_dimension; /* vectors of which the first numbers count only */
    int is_as_nearest;
    struct bsim_value_seen *prefixes;
    int position_split; /* the feature, or -1 */
    int position_count;
    struct bsim_position *positions;
    int is_clock, is_binary, follows, is_decided, has_draws;
    int relevant_count; /* places of numbers without which nothing changes the value; */
    int *relevant;      /* 0: it is not known */
    unsigned char irrelevant[BSIM_FEATURES_MAX]; /* features, which are 0 in all vectors */
    int *once; /* places of what tells a rank's questions apart; NULL: each rank is answered */
    int once_count;
    int differs;   /* ranks do, and have their mean */
    double untold; /* how far off numbers may be that no run tells; 0: little */
    double error;  /* negative: not known */
    struct bsim_value_metric metric;
    int is_stretched;
    struct bsim_stretch stretch;
    struct bsim_draws draws;
    struct bsim_index by_vector, by_relevant, by_prefix; /* of seen, seen and prefixes */
};

#endif
