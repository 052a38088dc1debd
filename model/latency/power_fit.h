/* SPDX-License-Identifier: Apache-2.0
 *
 * The candidate that is linear in logarithms: latency = coefficient * prod(x ^ power) over the
 * largest features, whose powers are real numbers from 0 to 3 that are fitted; of times without
 * noise from -3, for items in cells meet as many others as items over cells say.
 */
#pragma once

#include "model/latency/design.h"

/* Adds it, if there is one; from the arena. */
void power_fit_add(candidate_list *out, struct arena *arena, const struct design *design);
