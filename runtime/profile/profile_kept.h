/* SPDX-License-Identifier: Apache-2.0
 *
 * Elapsed time, or what a clock counts, that a rank spends neither in regions nor in MPI calls nor
 * in sleeps that SMPI simulates: kept code (docs/reference/samples.md).
 *
 * Between MPI_Init and MPI_Finalize the rank is in kept code, unless it has paused. Only the main
 * thread counts.
 */
#pragma once

#include <stdbool.h>

/* Behind MPI_Init. */
void bsim__kept_start(void);

/* Kept code ends here; it goes on here unless a region is open. A pause in a pause is none. */
void bsim__kept_pause(void);
void bsim__kept_resume(void);

/* Seconds in kept code since the last time. */
double bsim__kept_take(void);
