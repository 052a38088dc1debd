/* SPDX-License-Identifier: Apache-2.0
 *
 * Did the simulated application get through?
 *
 * SMPI 3.32 exits with 0 after MPI_Abort and after a deadlock, so the exit code alone says nothing.
 * In: exit code and log of a simulation, and whether every rank reached MPI_Finalize (from the
 * summary or from the records). Out: what happened, with the lines of the log that tell. Only if
 * every rank finalized and no signal ended the process is the outcome fine; the log serves to
 * explain, so an application that prints "Deadlock detected" fools nobody.
 * The log is read as a stream and lines are cut, so its size does not matter.
 */
#pragma once

#include "simulator/run/launch.h"

enum outcome_kind {
    OUTCOME_FINE,
    OUTCOME_INTERRUPTED,
    OUTCOME_ABORTED,    /* MPI_Abort */
    OUTCOME_DEADLOCKED, /* ranks wait for what never comes */
    OUTCOME_CRASHED,    /* a signal: segmentation fault, failed assertion, fatal MPI error */
    OUTCOME_REFUSED, /* got through, but printed its usage and returned an error: it did nothing */
    OUTCOME_UNFINISHED, /* ended without MPI_Finalize on every rank */
};

struct outcome {
    enum outcome_kind kind;
    bool is_of_stack, is_of_memory; /* of a crash: a rank's stack was too small, memory ran out */
    int exit_code;                  /* of the application; 0 where SMPI hides it */
    char text[3000];                /* one line that says it, then the log's lines, indented */
};

void outcome_read(struct outcome *out, const struct launch_result *result, bool all_finalized);
