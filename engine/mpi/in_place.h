/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI_IN_PLACE on the sending side, which collectives of engine/collectives do not know.
 */
#pragma once

#include "engine/objects/communicator.h"
#include "engine/objects/datatype.h"

struct in_place {
    const void *sent;
    void *copy; /* to be freed; NULL: nothing was copied */
};

/* What is sent: a copy of what is received into, if that is meant. */
struct in_place in_place_copy(const void *sent, const void *received, int count,
                              const struct SMPI_Datatype *type);
/* The block of the current rank. */
void *in_place_block(void *received, int count, const struct SMPI_Datatype *type,
                     const struct SMPI_Comm *comm);
/* The count for each rank; to be freed. */
int *equal_counts(int count, const struct SMPI_Comm *comm);
