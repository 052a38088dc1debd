/* SPDX-License-Identifier: Apache-2.0
 *
 * What time it is.
 */
#pragma once

/* Seconds since some moment: for durations, since nobody sets this clock. */
double clock_monotonic_s(void);

/* Seconds since 1970: for what is compared with files' times and among machines. */
double clock_realtime_s(void);

/* Processor time that this process has used. */
double clock_processor_s(void);

/* And that of the processes that it started, once they have ended. */
double clock_processor_with_children_s(void);

/* The tick of the machine's clock at which a process began, which tells it from others that had its
 * number before; -1: there is no such process, or it is a zombie. */
long long clock_process_began(long long pid);
