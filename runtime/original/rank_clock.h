/* SPDX-License-Identifier: Apache-2.0
 *
 * SMPI's clock of what a rank computes between its MPI calls, as runtime/preload/host_clock.c has
 * it. That is in a library of its own, which is there before SimGrid; an original refers to these
 * functions weakly and does without where it was started in another way.
 */
#pragma once

#include <stdint.h>

/* Stops the clock of the rank that computes, in the call that `place` tells from others, until
 * bsim_burst_begin() with what this returns: NULL where it is not timed, which is for nobody to go
 * on with. */
void *bsim_burst_end(int rank, uint64_t place);
void bsim_burst_begin(void *timer);

/* How long the rank, which computes, has done so since its last MPI call, seconds of processor
 * time; below 0: that is not known. */
double bsim_burst_clock_s(int rank);
