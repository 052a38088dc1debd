/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that are any number of a range, each as likely, such as the row that has the largest
 * element: a hash of a key and how often it was drawn, so that nothing is kept, and equal keys have
 * equal draws. Part of model.bsim; linked into other people's programs like eval.h.
 */
#ifndef MODEL_EVAL_EVAL_DRAW_H
#define MODEL_EVAL_EVAL_DRAW_H

#include <stdint.h>

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

struct bsim_draws {
    struct bsim_bound low, high;
};

/* What the bound is for draw `number`, counted from 0. */
double bsim_bound_value(const struct bsim_bound *bound, uint64_t number, const double *vector);

/* Each whole number between the bounds is as likely; the lower one where there is none. `key`:
 * without the number that the lower bound goes by. */
double bsim_draws_uniform(const struct bsim_draws *draws, uint64_t key, uint64_t number,
                          const double *vector);

/* What stands behind the word of a `range` line, of a value whose vectors have `dimension` numbers.
 */
int bsim_draws_read(struct bsim_draws *out, struct bsim_reader *reader, int dimension);

#endif
