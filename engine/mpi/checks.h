/* SPDX-License-Identifier: Apache-2.0
 *
 * What MPI's functions look at in their arguments before they do anything, with SMPI's answers; and
 * functions with two names.
 */
#pragma once

#include "engine/objects/communicator.h"
#include "engine/objects/datatype.h"

/* MPI has a function under another name as well, mostly an older one; both are in one file. */
#define ALSO_NAMED(name, function)                                                                 \
    extern __typeof__(function) name __attribute__((alias(#function)))

/* Of a message; `peer` may be MPI_PROC_NULL, and MPI_ANY_SOURCE where it is received. */
static inline int check_message(int count, const struct SMPI_Datatype *type, int peer, int tag,
                                const struct SMPI_Comm *comm) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (type == MPI_DATATYPE_NULL || type == NULL)
        return MPI_ERR_TYPE;
    if (peer != MPI_PROC_NULL && peer != MPI_ANY_SOURCE && (peer < 0 || peer >= comm->group->size))
        return MPI_ERR_RANK;
    return tag < 0 && tag != MPI_ANY_TAG ? MPI_ERR_TAG : MPI_SUCCESS;
}

static inline int check_collective(int count, const struct SMPI_Datatype *type, int root,
                                   const struct SMPI_Comm *comm) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (count < 0)
        return MPI_ERR_COUNT;
    if (type == MPI_DATATYPE_NULL || type == NULL)
        return MPI_ERR_TYPE;
    return root < 0 || root >= comm->group->size ? MPI_ERR_ROOT : MPI_SUCCESS;
}
