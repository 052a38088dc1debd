/* SPDX-License-Identifier: Apache-2.0
 *
 * What a line of a simulation's log is: SimGrid's own, and of what kind, or the application's.
 *
 * In: one line of stderr. SimGrid's begin with `[place time]` and carry `[category/PRIORITY]`; its
 * words are those of 3.32. Backtraces count as noise: they name SimGrid's own functions.
 */
#pragma once

#include <stdbool.h>

enum log_line {
    LINE_APPLICATION, /* also what the runtime says about the application */
    LINE_ABORT,       /* MPI_Abort was called */
    LINE_DEADLOCK,    /* Deadlock detected */
    LINE_ACTOR,       /* after that: who waits for what */
    LINE_STALL,       /* of the runtime: ranks ask for ever (runtime/smpi/stalls.c) */
    LINE_STACK,       /* likewise: a rank's stack was too small (runtime/preload) */
    LINE_WAITING,     /* after that: who asks where */
    LINE_LEFT,        /* of the runtime: a rank left before MPI_Finalize by exit */
    LINE_EXIT,        /* a rank returned something else than 0 */
    LINE_CRITICAL,    /* what stops the simulation otherwise, such as an error in MPI's use */
    LINE_WARNING,
    LINE_NOISE,
};

enum log_line log_line_kind(const char *line);

/* Worth showing while the simulation runs: what is not explained when it has ended. */
bool log_line_is_news(const char *line);
