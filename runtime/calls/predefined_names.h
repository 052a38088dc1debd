/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of MPI's predefined datatypes and operations, as programs write them. NULL: it is none.
 */
#pragma once

#include <mpi.h>

const char *predefined_datatype_name(MPI_Datatype datatype);
const char *predefined_operation_name(MPI_Op operation);

/* In bytes; 0 of MPI_DATATYPE_NULL. */
long long bsim__type_size(MPI_Datatype datatype);
