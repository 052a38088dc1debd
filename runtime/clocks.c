/* SPDX-License-Identifier: Apache-2.0
 *
 * The clocks that a program reads beside MPI_Wtime. SimGrid's headers name clock_gettime() and
 * gettimeofday() smpi_clock_gettime() and smpi_gettimeofday(). These, under the same names, are
 * linked into the program and give what MPI_Wtime gives there, whichever clock is asked for: SMPI's
 * own ones let the other ranks go on each time, so that timers in a program changed what they
 * measure. Outside of MPI_Init and MPI_Finalize the time is that of the machine, as with SMPI.
 */
#include "runtime/runtime.h"

#include <errno.h>
#include <math.h>
#include <sys/time.h>
#include <time.h>

int smpi_clock_gettime(clockid_t clock, struct timespec *time);
int smpi_gettimeofday(struct timeval *time, struct timezone *zone);

static bool is_simulated(void) {
    const struct bsim__rank *rank = bsim__current_rank();
    return rank->number >= 0 && !rank->finalized;
}

int smpi_clock_gettime(clockid_t clock, struct timespec *time) {
    if (time == NULL) {
        errno = EFAULT;
        return -1;
    }
    if (!is_simulated())
        return clock_gettime(clock, time);
    double seconds, fraction = modf(bsim__clock_s(), &seconds);
    *time = (struct timespec){(time_t)seconds, (long)(fraction * 1e9)};
    return 0;
}

int smpi_gettimeofday(struct timeval *time, struct timezone *zone) {
    if (!is_simulated())
        return gettimeofday(time, zone);
    double seconds, fraction = modf(bsim__clock_s(), &seconds);
    if (time != NULL)
        *time = (struct timeval){(time_t)seconds, (suseconds_t)(fraction * 1e6)};
    return 0;
}
