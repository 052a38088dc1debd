/* SPDX-License-Identifier: Apache-2.0
 *
 * What the reader and the evaluator of values in model.bsim share (eval_value.h). A value is its
 * key and its answers.
 */
#ifndef MODEL_EVAL_EVAL_VALUE_MODEL_H
#define MODEL_EVAL_EVAL_VALUE_MODEL_H

#include "model/eval/eval.h"
#include "model/eval/eval_index.h"
#include "model/eval/eval_stretch.h"
#include "model/eval/eval_value.h"

/* What a value goes by. */
struct bsim_key {
    int feature_count, context_count, dimension;
    char **context;
    int *places, place_count;   /* of a vector */
    int *near, near_count;      /* those by which amounts are nearly the same; NULL: not known */
    int *once, once_count;      /* places of what tells a rank's questions apart; NULL: each rank is
                                   answered; */
    int *differs, differ_count; /* features that differ between ranks then */
};

/* Integers carry on what rounding takes. */
struct bsim_rounding {
    double least;
    int is_binary;
};

struct bsim_recall {
    int count;
    struct bsim_value_seen *seen;
    struct bsim_index index, near; /* by the key's places */
};

/* `count` terms, each a coefficient and one exponent per number of the vector. */
struct bsim_value_case {
    double number; /* of the feature that splits; of no meaning if none does */
    int term_count;
    double *terms;
};

struct bsim_formula {
    int split; /* the feature, or -1 */
    int count;
    struct bsim_value_case *cases;
};

struct bsim_value_model {
    enum bsim_value_kind kind;
    struct bsim_key key;
    int differs;   /* ranks do, and have their mean */
    double untold; /* how far off numbers may be that no run tells; 0: little */
    double error;  /* negative: not known */
    struct bsim_rounding rounding;
    struct bsim_recall recall;
    struct bsim_formula formula;
    int is_stretched;
    struct bsim_stretch stretch; /* then */
    /* Of a value that was 0 or 1 wherever it was asked: the share of ones of the runs with fewest
     * and with most. */
    int is_flag;
    double least_share, most_share;
};

#endif
