/* SPDX-License-Identifier: Apache-2.0
 *
 * Candidates with a step: latency is proportional to one feature, by one factor up to a certain
 * size (of this or another feature, the working set) and by a larger one from another size on, as
 * where data no longer fits into a cache. Between the two sizes the factor is a power of the size,
 * which is what samples look like if caches are left gradually; beyond them nothing is continued
 * but proportionality.
 */
#pragma once

#include "model/latency/design.h"

/* Adds the best one, if there is any. Where the step lies is found anew without each fold, so that
 * the error is that of the whole procedure. From the arena. */
void step_fit_add(candidate_list *out, struct arena *arena, const struct design *design);
