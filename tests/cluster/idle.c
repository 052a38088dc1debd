/* SPDX-License-Identifier: Apache-2.0
 *
 * For LD_PRELOAD: a rank of Open MPI that waits for messages gives its processor away, so that many
 * ranks can share few processors and still see a message when it comes.
 *
 * Open MPI polls: epoll_wait with a timeout of 0 until nothing has come, then, with
 * mpi_yield_when_idle, sched_yield, and again. Here sched_yield sleeps until the descriptor that
 * was polled last has something, for one millisecond at most, since what a rank waits for may also
 * come from elsewhere. It does not sleep if something has come since the last time: the request may
 * be complete now.
 *
 * Needs opal_event_include=epoll and mpi_yield_when_idle=1.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>

#define SLEEP_MOST_NS 1000000

static __thread int polled = -1, has_come;

int epoll_wait(int descriptor, struct epoll_event *events, int most, int timeout) {
    int count = epoll_pwait(descriptor, events, most, timeout, NULL);
    if (timeout == 0) {
        polled = descriptor;
        has_come |= count > 0;
    }
    return count;
}

int sched_yield(void) {
    static __thread int is_prepared;
    if (!is_prepared)
        is_prepared = prctl(PR_SET_TIMERSLACK, 1) == 0;
    if (has_come) {
        has_come = 0;
        return 0;
    }
    struct pollfd poll = {.fd = polled, .events = POLLIN};
    const struct timespec limit = {0, SLEEP_MOST_NS};
    ppoll(&poll, polled >= 0, &limit, NULL);
    return 0;
}
