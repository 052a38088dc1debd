/* SPDX-License-Identifier: Apache-2.0
 *
 * Choices by what was left out: each configuration (runs with the same inputs) in turn is left out
 * of the fit, and predicted by it. In: a fit; out: the sum of its errors, and of several fits the
 * simplest that is about as good as the best (M. Stone, Cross-validatory choice and assessment of
 * statistical predictions, Journal of the Royal Statistical Society B 36, 1974; L. Breiman and
 * others, Classification and regression trees, 1984, for the simplest of the good ones).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Fits without configuration `without`, and adds the errors of that one; false: it cannot be fitted
 * without. Errors are not negative. */
typedef bool left_out_fit(double *sum, void *candidate, int without);

/* Over all `count` configurations; INFINITY: one of them cannot be left out, or its error is. */
double left_out_error(int count, left_out_fit *fit, void *candidate);

/* Of candidates in the order of how simple they are the first whose error is at most `factor` times
 * the least one and `slack`; `count`: there is none that is finite. */
size_t left_out_choose(const double *errors, size_t count, double factor, double slack);
