/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of the runtime's own on a communicator of the program, which no receive or probe of the
 * program can match: their tags are negative. MPI's functions refuse these, so they go to SimGrid
 * 3.32 behind its checks; its collectives do the same with tags of their own, from -112 to about
 * -5000. Requests are MPI's, to be completed by MPI's functions.
 */
#pragma once

#include <mpi.h>

#define RESERVED_TAG_NEIGHBOURS (-100000) /* and below: one for each direction of a grid */
#define RESERVED_TAG_BARRIER (-200000)    /* and below: by communicator */
#define RESERVED_TAG_COLLECTIVES (-150000)

MPI_Request reserved_tags_isend(const void *buffer, int count, MPI_Datatype datatype, int to,
                                int tag, MPI_Comm communicator);
MPI_Request reserved_tags_irecv(void *buffer, int count, MPI_Datatype datatype, int from, int tag,
                                MPI_Comm communicator);

/* SimGrid's number of a communicator, the same on all its ranks and given once; MPI_UNDEFINED: it
 * has none (those of MPI_Comm_split_type). */
int reserved_tags_number_of(MPI_Comm communicator) __asm__("_ZNK7simgrid4smpi4Comm2idEv");
