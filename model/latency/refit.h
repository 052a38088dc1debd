/* SPDX-License-Identifier: Apache-2.0
 *
 * A chosen candidate (design.h) fitted anew without some of the folds, and what it then says of
 * the points that were left out: for the spread of the model (spread.h).
 */
#pragma once

#include "model/latency/design.h"

struct refit {
    const struct design *design;
    const struct candidate *candidate;
    bool without_residual; /* the form alone (residual.h) */
};

/* `context` is a struct refit; left_out has one flag per fold. Writes out_s[i] for each row i of a
 * fold that is left out, and leaves the others alone. */
void refit_latency(double *out_s, const bool *left_out, const void *context);

/* The mean relative error, weighted by time, where each fold in turn is left out; there are two at
 * least. */
double refit_error(const struct refit *refit);
