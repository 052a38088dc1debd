/* SPDX-License-Identifier: Apache-2.0
 *
 * The steady state of a loop's iterations: what further ones will take.
 *
 * In: the times at which the iterations began and ended. Out: how many belong to the start-up, a
 * period if some iterations differ regularly (each tenth one writes a file), the time of any number
 * of further iterations, and how far that may be off. Start-up: the truncation that makes the
 * standard error of the mean smallest, at most half of the iterations (MSER; White, An effective
 * truncation heuristic for bias reduction in simulation output, Simulation 69, 1997). Period: the
 * smallest shift under which what is left repeats itself, seen at least twice. Error: two standard
 * errors of the mean, corrected for the correlation of neighbours, and the drift that a straight
 * line through the iterations has if it is significant: an algorithm whose steps shrink is not
 * steady, however slowly they do. What happens less than once in the iterations that were seen is
 * not known. Linked into other people's programs like eval.h.
 */
#ifndef MODEL_EVAL_STEADY_H
#define MODEL_EVAL_STEADY_H

#define BSIM_STEADY_LEAST 4 /* iterations */

struct bsim_steady {
    int start;     /* iterations of the start-up */
    int period;    /* 1: all are alike */
    double mean_s; /* of one iteration behind the start-up */
    double more_s; /* the further iterations, */
    double off_s;  /* and how far that may be off, either way */
};

/* `times_s` has one number more than there are iterations. Returns -1: there are too few. */
int bsim_steady_find(struct bsim_steady *out, const double *times_s, int iterations, double more);

#endif
