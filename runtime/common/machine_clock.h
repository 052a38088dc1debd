/* SPDX-License-Identifier: Apache-2.0
 *
 * The seconds that a clock of this machine shows.
 */
#pragma once

#include <time.h>

static inline double bsim__machine_clock_s(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
