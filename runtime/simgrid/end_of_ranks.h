/* SPDX-License-Identifier: Apache-2.0
 *
 * A rank that is done stays until all are. When its actor ends, SimGrid (3.32) takes back what it
 * has sent and nobody has begun to receive, if the message is no eager one: its receiver would wait
 * forever. A real MPI_Finalize delivers such messages (MPI 4.0, 3.7.3: those of a request that was
 * freed; and in practice those of a request that was never waited for).
 */
#pragma once

#include <simgrid/forward.h>
#include <stdint.h>

struct end_of_ranks {
    sg_mutex_t mutex; /* NULL: no rank has ended yet */
    sg_cond_t all;
    uint64_t ended;
};

/* The calling rank has ended, one of `ranks`. end_of_ranks_wait returns when all have. */
void end_of_ranks_note(struct end_of_ranks *end, uint64_t ranks);
void end_of_ranks_wait(struct end_of_ranks *end, uint64_t ranks);
