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
