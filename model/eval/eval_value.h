/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of values, which the skeleton takes as given: how many particles leave, whether a branch
 * is taken, how often a loop iterates. Part of model.bsim; linked into other people's programs like
 * eval.h.
 *
 * A value depends on a vector: the features that the skeleton passes along and, behind them, what
 * is known of the run: its number of ranks, the numbers among the program's arguments and sizes in
 * other regions (its context, told by name). What of it profiled runs are found by is its key: they
 * had the same numbers wherever that was the same. Features that differ between ranks, all of which
 * have the value alike, are 0 in all vectors.
 *
 * A model is a list of answers, a line of model.bsim each, of which the first that has something to
 * say is taken:
 *  - recall: vectors that profiling runs have had, with their numbers, in their order if ranks and
 *    runs agreed on it;
 *  - stretch: the steps of time of the nearest of these, longer or shorter (eval_stretch.h);
 *  - formula: sums of coefficient * prod(x ^ exponent), which may be one for each number of a
 * feature (a direction, a level).
 */
#ifndef MODEL_EVAL_EVAL_VALUE_H
#define MODEL_EVAL_EVAL_VALUE_H

#define BSIM_VALUE_SEEN_MAX 65536
#define BSIM_VALUE_REPEATS_MAX 4096
#define BSIM_VALUE_CASES_MAX 64

struct bsim_model;
struct bsim_reader;
struct bsim_stretched;
struct bsim_value_model;

enum bsim_value_kind {
    BSIM_VALUE_KIND_INTEGER,
    BSIM_VALUE_KIND_FLOATING,
    BSIM_VALUE_KIND_BRANCH, /* the share in which it is taken */
    BSIM_VALUE_KIND_TRIPS,  /* how often the body is executed before the loop ends */
    BSIM_VALUE_KIND_COUNT
};

struct bsim_value_repeat {
    double number, times;
};

struct bsim_value_seen {
    double *vector;
    double mean;
    int repeat_count; /* 0: only the mean is known */
    struct bsim_value_repeat *repeats;
};

/* "integer", "floating", "branch", "trips". */
const char *bsim_value_kind_name(enum bsim_value_kind kind);

/* The model of the value with this index, borrowed; NULL: there is none. */
const struct bsim_value_model *bsim_model_value(const struct bsim_model *model, int region);

enum bsim_value_kind bsim_value_kind(const struct bsim_value_model *value);
int bsim_value_feature_count(const struct bsim_value_model *value);

/* The context: "ranks", the name of an argument (model/eval/program_numbers.h), or a feature of
 * another region
 * ("n3@2"), NAN where that was not executed. */
int bsim_value_context_count(const struct bsim_value_model *value);
const char *bsim_value_context_name(const struct bsim_value_model *value, int index);

/* Sets features that differ between ranks, which have the value alike, to 0: before any of the
 * below. */
void bsim_value_clear(const struct bsim_value_model *value, double *vector);

/* In the place of an exponent: not a power, the logarithm to base 2. */
#define BSIM_VALUE_LOGARITHM 64.0

/* Nothing is smaller. */
double bsim_value_least(const struct bsim_value_model *value);

/* Whether an integer was never anything else than 0 or 1. */
int bsim_value_is_binary(const struct bsim_value_model *value);

/* Whether all ranks have the numbers alike, so that each is asked for once for all of them; then
 * *places, of which there are *count, are those of the features that tell questions apart: the k-th
 * one of a rank with the same numbers there is the k-th one of all. Borrowed. */
int bsim_value_is_once(const int **places, int *count, const struct bsim_value_model *value);

/* NULL: no profiling run has had the vector's key, nor that by which amounts are nearly the same.
 * Borrowed. */
const struct bsim_value_seen *bsim_value_recall(const struct bsim_value_model *value,
                                                const double *vector);

/* Of the vectors that runs had, with a pattern, the nearest one, whose steps of time are to be
 * stretched; NULL: there is none, or the value has no such answer. Borrowed. */
const struct bsim_value_seen *bsim_value_nearest(const struct bsim_value_model *value,
                                                 const double *vector);

/* *out is where the vector's steps begin, as those of `seen`. */
void bsim_value_stretch(struct bsim_stretched *out, const struct bsim_value_model *value,
                        const double *vector, const struct bsim_value_seen *seen);

/* How far off the values of configurations were that were left out of the fit: the sum of the
 * differences over the sum of the values, negative if it is not known. */
double bsim_value_error(const struct bsim_value_model *value);

/* How far off numbers may be that are not a profiling run's, or that ranks differ by; 0: they are
 * told to within a tenth. */
double bsim_value_untold(const struct bsim_value_model *value);

/* Ranks differ by so much, so that those of a profiling run are their mean. */
int bsim_value_differs(const struct bsim_value_model *value);

/* 0: profiling runs had its key. Else the value is what the formula or other vectors tell, and
 * the factor (>= 1, finite) by which a number of it leaves the range that was seen. */
double bsim_value_doubt(const struct bsim_value_model *value, const double *vector);

/* The first place of the key with one and the same number in all profiling runs and another in the
 * vector, so that nothing tells what it changes; -1: there is none. *out_seen: that number. */
int bsim_value_unvaried(double *out_seen, const struct bsim_value_model *value,
                        const double *vector);

/* What a number is in a term; a logarithm of what is not positive is NAN. */
double bsim_value_power(double number, double exponent);

/* What the formula says; not finite where it says nothing (a division by zero). Of what was 0 or 1
 * wherever it was asked no more than in the run with most ones, and no less than in the one with
 * fewest. */
double bsim_value_formula(const struct bsim_value_model *value, const double *vector);

/* For eval.c. Reads a value's lines; the first line's first word and index have been read. Values
 * in the form that mpiskel had before answers had lines of their own are refused. */
int bsim_value_read(struct bsim_value_model **out, struct bsim_reader *reader);
void bsim_value_free(struct bsim_value_model *value);

#endif
