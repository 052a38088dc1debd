/* SPDX-License-Identifier: Apache-2.0
 *
 * Which algorithm Open MPI 4.1 takes for a collective among so many ranks with so many bytes, by
 * the numbers of its parameters coll_tuned_X_algorithm.
 *
 * Source: the fixed decisions of its component `tuned` (coll_tuned_decision_fixed.c, versions 4.1.0
 * to 4.1.6), for operations that commute.
 */
#pragma once

enum openmpi_collective {
    OPENMPI_ALLGATHER,
    OPENMPI_ALLGATHERV, /* bytes: of all ranks together, over their number */
    OPENMPI_ALLREDUCE,
    OPENMPI_ALLTOALL, /* bytes: to one rank */
    OPENMPI_ALLTOALLV,
    OPENMPI_BARRIER,
    OPENMPI_BCAST,
    OPENMPI_GATHER, /* bytes: of one rank */
    OPENMPI_REDUCE,
    OPENMPI_SCATTER /* likewise */
};

int bsim__openmpi_decide(enum openmpi_collective collective, int ranks, double bytes);
