/* SPDX-License-Identifier: Apache-2.0
 *
 * Where nothing gives all values: a least-squares line of a quantity or a product of two, and
 * conditions between such lines.
 */
#pragma once

#include "synthesis/learn/learn_sample.h"

/* Never NULL. With `is_number` a fit, else the most frequent values. */
const struct synth_expression *nearest_fit(const struct learn_part *part, bool is_number);
