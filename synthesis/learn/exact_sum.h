/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of products of quantities that give the values of all rows of a part exactly.
 */
#pragma once

#include "synthesis/learn/learn_sample.h"

/* Which sums are tried, each level with those before. */
enum exact_level {
    EXACT_CONSTANT,
    EXACT_SINGLE,  /* a * q + b */
    EXACT_PRODUCT, /* a * q * r + b */
    EXACT_TRIPLE,  /* a * q * r * s */
    EXACT_PAIR,    /* a * u + b * v + c; u is a quantity or a product of two, v a quantity */
};

/* Values that go by the parameters of a run alone, of which two were recorded: lines through both,
 * none of which is better than the others. Gives how many. */
int exact_sum_of_parameters(const struct synth_expression **out, int most,
                            const struct learn_part *part);

/* The simplest ones that there are, as many as `out` has room for; the first ones come first. A sum
 * has to have fewer coefficients than there are different values. Gives how many. */
int exact_sum_find(const struct synth_expression **out, int most, const struct learn_part *part,
                   enum exact_level level);
