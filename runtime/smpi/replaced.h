/* SPDX-License-Identifier: Apache-2.0
 *
 * bsim__MPI_X for each function that the runtime has of its own, since SimGrid 3.32 lacks it
 * (RUNTIME in mpi/calls.def): arguments and result are MPI's, and MPI's own function is never
 * called.
 */
#pragma once

#include "mpi/sequence.h"

#include <mpi.h>

#define BSIM__REPLACED_YES(name, result, sequence)
#define BSIM__REPLACED_NO(name, result, sequence)
#define BSIM__REPLACED_RUNTIME(name, result, sequence) result bsim__##name(MPI_PROTOTYPE(sequence));
#define MPI_ROW(name, class, criterion, support, result, sequence, ...)                            \
    BSIM__REPLACED_##support(name, result, sequence)
#define MPI_ROW_VARIADIC(name, class, criterion, support, result, sequence, ...)
#include "mpi/calls.def"
#undef MPI_ROW
#undef MPI_ROW_VARIADIC
