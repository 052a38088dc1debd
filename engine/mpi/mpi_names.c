/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions by their own names: those of the profiling interface do the work, so that a
 * program may have a layer in between. Those that the engine lacks (lacking_calls.c) say so when
 * they are called.
 */
#include "engine/objects/failure.h"
#include "mpi/sequence.h"

#include <mpi.h>

#define MPI_ROW(name, class, criterion, support, result, sequence)                                 \
    result name(MPI_PROTOTYPE(sequence)) {                                                         \
        return P##name(MPI_ARGUMENTS(sequence));                                                   \
    }
#define MPI_ROW_VARIADIC(name, class, criterion, support, result, sequence)

#include "mpi/calls.def"
