/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's functions that the engine lacks: all of MPI's, as weak symbols, which are there where no
 * other file defines the function. Those for which the runtime in skeletons stands in are never
 * called.
 */
#include "engine/objects/failure.h"
#include "mpi/sequence.h"

#include <mpi.h>

#define MPI_ROW(name, class, criterion, support, result, sequence, ...)                            \
    __attribute__((weak)) result P##name(MPI_PROTOTYPE(sequence)) {                                \
        engine_lacks("%s", #name);                                                                 \
    }
#define MPI_ROW_VARIADIC(name, class, criterion, support, result, sequence, ...)

#include "mpi/calls.def"
