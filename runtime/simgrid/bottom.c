/* SPDX-License-Identifier: Apache-2.0
 *
 * All displacements are moved down by where SimGrid begins: at 0 it would answer MPI_ERR_BUFFER.
 * Predefined datatypes have no
 * addresses: with them a program sends nothing.
 */
#include "runtime/simgrid/bottom.h"

#include "runtime/calls/predefined_names.h"

#include <stddef.h>

MPI_Datatype bottom_shifted(MPI_Datatype datatype) {
    int one = 1;
    MPI_Aint down = -(MPI_Aint)BOTTOM_SHOWN;
    MPI_Datatype shifted = NULL;
    if (datatype == MPI_DATATYPE_NULL || predefined_datatype_name(datatype) != NULL)
        return NULL;
    PMPI_Type_create_hindexed(1, &one, &down, datatype, &shifted);
    PMPI_Type_commit(&shifted);
    return shifted;
}

void *bottom_address(const void *buffer) {
    return buffer == MPI_BOTTOM ? NULL : (void *)(MPI_Aint)buffer;
}
