/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates with one term of the dictionary's second part (the performance model normal form):
 * alone, with the constant, or with one of the largest features. Since there are hundreds of them,
 * they are not fitted by QR but by normal equations of one or two unknowns, whose sums over each
 * fold are taken once.
 */
#pragma once

#include "model/latency/design.h"

/* Adds those whose error is at most `limit`; from the arena. */
void normal_form_add(candidate_list *out, struct arena *arena, const struct design *design,
                     double limit);
