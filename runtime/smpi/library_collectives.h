/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives as a certain MPI library makes them, instead of SimGrid's: --collectives=ompi-4.1,
 * which sets BSIM_COLLECTIVES.
 */
#ifndef RUNTIME_SMPI_LIBRARY_COLLECTIVES_H
#define RUNTIME_SMPI_LIBRARY_COLLECTIVES_H

#include "runtime/smpi/runtime.h"

/* True if the call is one of these and has been made. SimGrid makes those between two groups, of
 * operations that do not commute, with datatypes for each rank, and MPI_Alltoallv in place. */
bool bsim__library_collectives(struct bsim__call *call);

#endif
