/* SPDX-License-Identifier: Apache-2.0
 *
 * What bursts usually take, by what other simulations have of them.
 */
#pragma once

#include "runtime/preload/burst_sequences.h"

/* When all others are there (sequence_add_other). Returns NULL, or what is wrong. */
const char *usual_bursts_learn(void);

/* The median of the others, in seconds; INFINITY: too few have it, or it is another one each time.
 */
double usual_burst_s(const struct burst_sequence *sequence, uint64_t number);

/* Three robust deviations longer than usual. */
bool usual_burst_is_far(const struct burst_sequence *sequence, double usual_s, double seconds);
