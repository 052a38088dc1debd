/* SPDX-License-Identifier: Apache-2.0
 *
 * Bursts, what a rank computes from one MPI call, or look at a clock, to the next, of originals
 * under SMPI: those that others disturbed take what they take in other runs (BSIM_BURSTS).
 */
#pragma once

#include "runtime/formats/messages_page.h"

#include <stdbool.h>
#include <stdint.h>

/* Without BSIM_BURSTS nothing is looked at but `computed_s`. */
extern struct bsim__bursts bsim__bursts __attribute__((visibility("hidden")));

/* What bursts take in other runs is asked for: each look at a clock has to end one. */
bool bsim__bursts_matter(void);

/* The rank's next burst has ended, in the call `place`. Returns how many seconds of it do not
 * count. */
double bsim__burst_ended(int rank, uint64_t place, double seconds);
