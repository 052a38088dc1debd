/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether others disturbed the run.
 */
#pragma once

#include <mpi.h>

/* Behind MPI_Init. */
void bsim__disturbed_start(void);

/* Collective, when all is measured: a line on rank 0's stderr if the run was disturbed. */
void bsim__disturbed_tell(MPI_Comm comm, double elapsed_s);
