/* SPDX-License-Identifier: Apache-2.0
 *
 * Models that were not learned on the machine that they are of: its latencies are known by
 * convolution, and their spread is that of convolution, too.
 */
#pragma once

#include "model/latency/latency.h"

#define ROUGH_NOTE "rough: by convolution"

/* Widens the spread by the deviation (of the logarithm, the same for all regions of a run; NAN:
 * nothing is known of it, so that there is no spread), and puts the text before the note. */
void rough_mark(struct latency_model *model, struct arena *arena, const struct region *region,
                const char *text, double deviation);

/* What the models' notes say of that; NULL: they are none of those. Borrowed. */
const char *rough_note(const struct models *models);
