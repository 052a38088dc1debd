/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast the machine is while something is measured: what others do on a core's second thread,
 * or a lower clock, makes a loop that is always the same slower, as it does the program. `fit`
 * compares profiling runs by it (model/samples/disturbed.h), bench/accuracy originals as well.
 */
#pragma once

/* Times the loop a few times, before anything is measured or behind all of it. */
void bsim__reference_take(void);

/* So many seconds were measured, and nothing is being measured now. */
void bsim__reference_computed(double seconds);

/* The mean of the loop's times, in seconds; 0: it was not timed yet. */
double bsim__reference_s(void);

/* The least of them. */
double bsim__reference_least_s(void);
