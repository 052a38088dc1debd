/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a profile shows that ranks agree on a value. In: samples of one value; out: whether ranks
 * of a run with the same features had the same numbers. Numbers are equal if all are, in their
 * order; zeros say nothing.
 */
#pragma once

#include "model/samples/sample.h"

#include <stdbool.h>

enum value_agreement {
    VALUE_AGREEMENT_UNKNOWN, /* no two ranks of a run had the same features */
    VALUE_AGREEMENT_ALL,     /* all such ranks had the same numbers */
    VALUE_AGREEMENT_NONE,    /* no two of them */
    VALUE_AGREEMENT_SOME,
};

bool same_numbers(const struct sample *left, const struct sample *right);

/* All its numbers are the same one. */
bool value_is_constant(const struct sample *sample);

/* The numbers are the same, but for rounding, and as many, if it is not always the same one.
 * `may_go_on`: or one goes on where the other one ends. */
bool value_agrees(const struct sample *left, const struct sample *right, bool may_go_on);

/* As many, and each within a tenth of the other one's: amounts that scatter, as of particles. */
bool value_nearly_agrees(const struct sample *left, const struct sample *right);

enum value_agreement value_agreement(const struct sample *samples, size_t count);

/* How far the numbers of ranks with the same features were off their mean, as a share of their sum,
 * in the run where it is most. Samples are sorted by features, run and rank. */
double value_agreement_spread(const struct samples *all, const struct sample *samples,
                              size_t count);
