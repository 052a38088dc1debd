/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the program's processor time is counted (runtime/counted), and by which processor. The
 * library that counts is linked into programs that do; elsewhere the function is NULL.
 */
#pragma once

/* "counted: DESCRIPTION", in one line; NULL: the description cannot be read. */
#pragma weak bsim_counted_clock
const char *bsim_counted_clock(void);

/* The part of this thread's time that caches and memory took. */
#pragma weak bsim_counted_waited_s
double bsim_counted_waited_s(void);

/* What this thread has executed: basic blocks, accesses, nanoseconds in the math library; then of
 * each cache but the first, and of memory, the lines that it served, without and with those that
 * a stream announced. Returns how many numbers these are. */
#define BSIM_COUNTED_MOST 11
#pragma weak bsim_counted_numbers
int bsim_counted_numbers(double *out);
