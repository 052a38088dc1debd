/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_monotonic_s(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double clock_realtime_s(void) {
    return seconds_of(CLOCK_REALTIME);
}

double clock_processor_s(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
