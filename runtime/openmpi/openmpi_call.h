/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's calls that collectives of this folder can make.
 */
#pragma once

#include "runtime/trace/functions.h"

#include <stdbool.h>

/* One of these, if its arguments let it be. */
bool bsim__openmpi_has(enum bsim__id id);

/* `args` points to the arguments, in MPI's order. True if the call was one of these and has been
 * made. Datatypes that are moved are predefined or bytes (collective_data.c), and those that are
 * reduced predefined. Not made are those between two groups, of operations that do not commute,
 * with a datatype for each rank, and MPI_Alltoallv in place. */
bool bsim__openmpi_call(enum bsim__id id, void *const args[],
                        bool (*is_scratch)(const void *buffer));
