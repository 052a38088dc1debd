/* SPDX-License-Identifier: Apache-2.0
 *
 * How a value whose numbers scatter differs from its mean m: by m^exponent times one of some
 * levels, each as likely, whose mean is 0. Levels come in blocks in which each comes once, in an
 * order that is a hash of a key and the number of the block: spread and sums are right, nothing is
 * kept, and equal keys have equal draws. Or the value is any number of a range, each as likely,
 * such as the rank that has the largest element: a hash of the key and how often it was drawn; or a
 * decision that one rank takes and the others do not. Part of model.bsim; linked into other
 * people's programs like eval.h.
 */
#ifndef MODEL_EVAL_EVAL_DRAW_H
#define MODEL_EVAL_EVAL_DRAW_H

#include <stdint.h>

#define BSIM_DRAW_LEVELS_MAX 64

struct bsim_reader;

/* The number at this place of the vector, or 0 (place -1), and so much more. */
struct bsim_number {
    int place;
    double beyond;
};

/* Larger by one with each draw, and anew after so many (below 1: it is always the same). */
struct bsim_bound {
    struct bsim_number from, draws;
};

/* Of decisions, the one rank of all that decides so. */
enum bsim_one { BSIM_ONE_FIRST, BSIM_ONE_LAST, BSIM_ONE_ANY, BSIM_ONE_COUNT };

/* As model.bsim spells it. */
const char *bsim_one_name(enum bsim_one one);

enum bsim_draws_kind {
    BSIM_DRAWS_NONE,
    BSIM_DRAWS_LEVELS, /* about the mean */
    BSIM_DRAWS_RANGE,
    BSIM_DRAWS_ONE,
    BSIM_DRAWS_COUNT
};

struct bsim_draws {
    enum bsim_draws_kind kind;
    int is_own; /* of levels: each rank draws for itself; else all ranks have the same */
    int level_count;
    double exponent;
    double levels[BSIM_DRAW_LEVELS_MAX];
    struct bsim_bound low, high; /* of a range */
    enum bsim_one one;
};

/* As model.bsim spells it: "none", "levels", "range", "one". */
const char *bsim_draws_name(enum bsim_draws_kind kind);

/* The draw with this number, counted from 0, about this mean; without draws the mean. */
double bsim_draws_value(const struct bsim_draws *draws, uint64_t key, uint64_t number, double mean);

/* What the bound is for draw `number`, counted from 0. */
double bsim_bound_value(const struct bsim_bound *bound, uint64_t number, const double *vector);

/* Of ranges: each whole number between the bounds is as likely; the lower one where there is none.
 * `key`: without the number that the lower bound goes by. */
double bsim_draws_uniform(const struct bsim_draws *draws, uint64_t key, uint64_t number,
                          const double *vector);

/* Which of so many ranks is the one that decides so, all ranks having the same key. */
int bsim_draws_one(const struct bsim_draws *draws, uint64_t key, uint64_t number, int ranks);

/* What stands behind the first word of a `scatter` line, of a value whose vectors have `dimension`
 * numbers. */
int bsim_draws_read(struct bsim_draws *out, struct bsim_reader *reader, int dimension);

#endif
