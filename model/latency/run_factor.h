/* SPDX-License-Identifier: Apache-2.0
 *
 * Regions whose time goes by what none of their features tells: a loop over a list, or up to a
 * number that only the computation knows that the skeleton leaves out. In runs with other arguments
 * it takes another time then, whatever the features are. In: a region's points; out, for such
 * regions, a factor by run (eval_run_factor.h), which fitting divides by and the skeleton
 * multiplies with.
 *
 * Candidates are products of powers of one or two numbers of the run (run_context.h) with exponents
 * from a set, as in the normal form of A. Calotoiu et al., Using automated performance modeling to
 * find scalability bugs in complex codes, 2013. What is left of the latencies is judged by how well
 * configurations that are left out in turn are told by the others: by a power of one feature, or by
 * a constant, whichever is best. A candidate is found where without it these
 * are off by LEAST_ERROR, it takes away half of that or more, and what is left is little, or a
 * quarter, with at least three different numbers of each that it depends on. A feature of
 * another region is tried, alone, if the number of ranks and the arguments do not tell, or leave
 * more than a little: it is taken if it leaves half of that (a product of three arguments is more
 * than two powers can tell). What is done once for each item of a list, whose length is such a
 * number, besides what is done for its parts makes an offset beside one number. Whether the
 * whole fit gets better is for the caller to see.
 *
 * Numbers that went together in all runs tell the same: each that could stand in the place of one
 * that was taken, with a factor as good as the same in all runs, is kept beside it, since at the
 * target they may differ.
 */
#pragma once

#include "model/samples/points.h"
#include "model/samples/run_context.h"
#include "model/samples/sample.h"

#include <stdbool.h>

#define RUN_SCALE_EXPONENTS 10
extern const double run_scale_exponents[RUN_SCALE_EXPONENTS];

#define RUN_SCALE_OTHERS 4 /* at most; who has more has arguments that all go together */

/* coefficient * (offset + product of numbers ^ exponents). */
struct run_scale {
    const struct run_context *context;
    int count;
    int numbers[2]; /* of the context */
    double exponents[2], offset, coefficient;
    bool is_fitted; /* the exponent is none of the set */
    int feature;    /* a power of which tells best what the factor leaves; -1: a constant */
    double least[2], most[2];
    double error, without;    /* of logarithms, on configurations left out */
    struct run_scale *others; /* that tell the samples as well; from the arena */
    int other_count;
};

/* False: there is none, or none is needed. */
bool run_scale_find(struct run_scale *out, struct arena *arena, const struct points *points,
                    const struct region *region, const struct run_context *context);

/* Those that tell the same in all runs, into *out; its numbers are known when a run begins. */
void run_scale_find_others(struct run_scale *out, struct arena *arena, const struct points *points);

/* The logarithm of the factor in that run, without the coefficient. */
double run_scale_log(const struct run_scale *scale, int run);

/* Believed far beyond few numbers of ranks. */
bool run_scale_is_too_steep(const struct run_scale *scale);

/* The factor in that run. */
double run_scale_factor(const struct run_scale *scale, int run);

/* The points as they are without it; from the arena. */
struct points run_scale_divide(struct arena *arena, const struct points *points,
                               const struct run_scale *scale);

/* What the points that are not left out say of a fitted exponent: *out is the factor by which the
 * scale is off for them, 1 where they do not tell. False: the exponent is of the set. */
bool run_scale_refit(struct run_scale *out, const struct run_scale *scale,
                     const struct points *divided, const bool *left_out);

/* Into the ratios of the region's samples. */
void run_scale_apply(const struct run_scale *scale, struct sample *samples, size_t count);

/* The lines of model.bsim, and what to tell; from the arena. */
const char *run_scale_line(struct arena *arena, const struct run_scale *scale);
const char *run_scale_note(struct arena *arena, const struct run_scale *scale);
