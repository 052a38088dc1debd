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
 * configurations that are left out in turn are told by the others: at the same features, by a power
 * of one feature, or by a constant, whichever is best. A candidate is found where without it these
 * are off by LEAST_ERROR, it takes away half of that or more, and what is left is little, or a
 * quarter, with at least three different numbers of each that it depends on. A feature of
 * another region is tried, alone, if the number of ranks and the arguments do not tell, or leave
 * more than a little: it is taken if it leaves half of that (a product of three arguments is more
 * than two powers can tell). Whether the whole fit gets better is for the caller to see.
 */
#ifndef MODEL_LATENCY_RUN_FACTOR_H
#define MODEL_LATENCY_RUN_FACTOR_H

#include "model/samples/points.h"
#include "model/samples/run_context.h"
#include "model/samples/sample.h"

#include <stdbool.h>

struct run_scale {
    const struct run_context *context;
    int count;
    int numbers[2]; /* of the context */
    double exponents[2], coefficient;
    double least[2], most[2];
    double error, without; /* of logarithms, on configurations left out */
};

/* False: there is none, or none is needed. */
bool run_scale_find(struct run_scale *out, const struct points *points, const struct region *region,
                    const struct run_context *context);

/* The factor in that run. */
double run_scale_factor(const struct run_scale *scale, int run);

/* The points as they are without it; from the arena. */
struct points run_scale_divide(struct arena *arena, const struct points *points,
                               const struct run_scale *scale);

/* Into the ratios of the region's samples. */
void run_scale_apply(const struct run_scale *scale, struct sample *samples, size_t count);

/* The line of model.bsim, and what to tell; from the arena. */
const char *run_scale_line(struct arena *arena, const struct run_scale *scale);
const char *run_scale_note(struct arena *arena, const struct run_scale *scale);

#endif
