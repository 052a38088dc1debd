/* SPDX-License-Identifier: Apache-2.0
 *
 * Floating-point numbers of time steps, for sizes that no profiling run had: what one run had, as
 * a curve over its iterations, stretched. In: how far one iteration here goes compared with one of
 * that run (a mesh with twice as many cells in each direction takes half of its steps); out: one
 * number after the other. Numbers are either a clock, which steps add up to (t += dt), or the steps
 * themselves; of these, the curve is that of their sums.
 * Beyond the end of what was seen the curve goes on as it did in its last quarter.
 */
#ifndef MODEL_EVAL_EVAL_STRETCH_H
#define MODEL_EVAL_EVAL_STRETCH_H

#define BSIM_STRETCH_SIZES_MAX 2

struct bsim_value_seen;

/* How long steps are: the product of powers of sizes in a value's vector. */
struct bsim_stretch {
    int is_clock; /* else the numbers are steps */
    int count;    /* of the sizes; 0: steps are equally long everywhere */
    int ranks;    /* the place of their number */
    struct {
        int place;
        int is_total; /* to be multiplied with the number of ranks */
        double exponent;
    } sizes[BSIM_STRETCH_SIZES_MAX];
};

/* Up to a factor that all vectors share. Not finite where a size is not known. */
double bsim_stretch_length(const struct bsim_stretch *stretch, const double *vector);

/* Where on the curve the numbers have come to. */
struct bsim_stretched {
    const struct bsim_value_seen *seen;
    int is_clock;
    double ratio;
    double rate, length; /* the curve's increment at its end, and where that is */
    double asked;        /* how many numbers there were, */
    double last;         /* and the curve at the last one */
    double at;           /* a whole number of iterations of the run that was seen: */
    double here, ahead;  /* the curve there and one iteration later; */
    double came_by;      /* the step that led here, */
    double step;         /* and the one that leads ahead */
    double taken;        /* so many numbers of the pattern are in the curve so far; */
    int repeat;          /* its next one, */
    double used;         /* which was taken so often */
};

/* `seen` has a pattern; it is borrowed. `ratio`: of the lengths of steps, here over there; the
 * numbers are exactly those that were seen if it is 1. */
void bsim_stretched_begin(struct bsim_stretched *out, const struct bsim_value_seen *seen,
                          int is_clock, double ratio);

double bsim_stretched_next(struct bsim_stretched *stretched);

#endif
