/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_BOTTOM, from which absolute addresses count, is no 0 in SimGrid 3.32 but -111, and SimGrid
 * adds it to the displacements of a datatype as if it were an address; what is received there is
 * lost.
 */
#pragma once

#include <mpi.h>

/* Where SimGrid is told to begin instead, and the datatype with which it finds from there what the
 * given one tells by absolute addresses: the caller's, to be freed. NULL: nothing is to be changed.
 */
#define BOTTOM_SHOWN ((void *)1)
MPI_Datatype bottom_shifted(MPI_Datatype datatype);

/* The address that MPI means. */
void *bottom_address(const void *buffer);
