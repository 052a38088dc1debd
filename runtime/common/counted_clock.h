/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the program's processor time is counted (runtime/counted), and by which processor. The
 * library that counts is linked into programs that do; elsewhere the function is NULL.
 */
#ifndef RUNTIME_COMMON_COUNTED_CLOCK_H
#define RUNTIME_COMMON_COUNTED_CLOCK_H

/* "counted: DESCRIPTION", in one line; NULL: the description cannot be read. */
#pragma weak bsim_counted_clock
const char *bsim_counted_clock(void);

/* The part of this thread's time that caches and memory took. */
#pragma weak bsim_counted_waited_s
double bsim_counted_waited_s(void);

#endif
