/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators: one object for all its ranks, which have the same handle.
 */
#pragma once

#include "engine/objects/keyed_values.h"
#include "engine/objects/process_group.h"

#include <mpi.h>
#include <stdint.h>

/* Of a communicator that is being made: messages on it match those of others that are. */
#define CONTEXT_OF_NEW (-1)

struct cartesian {
    int dimensions;
    int *sizes, *periods; /* one block, which begins with sizes */
};

struct SMPI_Comm {
    struct SMPI_Group *group;
    int context;                 /* different for all communicators */
    uint32_t users;              /* ranks that have not freed it */
    struct cartesian *cartesian; /* NULL: no topology of this kind */
    struct keyed_value *attributes;
    struct SMPI_Errhandler *handler; /* of all its ranks; NULL: errors are returned */
    struct SMPI_Info *info;
    struct SMPI_Win **windows; /* of all its ranks */
    size_t window_count;
    char *name;
    struct exchange_gathering *gathering; /* of ranks in a collective; NULL: nobody is there */
};

/* MPI_COMM_WORLD and each rank's MPI_COMM_SELF. */
void communicators_init(uint32_t ranks);
struct SMPI_Comm *communicator_self(uint32_t rank);

/* Takes over the group and the topology, which may be NULL; as many users as members. */
struct SMPI_Comm *communicator_new(struct SMPI_Group *group, struct cartesian *cartesian);
struct SMPI_Comm *communicator_by_context(int context);
void communicator_release(struct SMPI_Comm *comm);

static inline uint32_t communicator_member(const struct SMPI_Comm *comm, int rank) {
    return process_group_member(comm->group, rank);
}

/* Of the rank that runs; MPI_UNDEFINED: it is no member. */
int communicator_rank(const struct SMPI_Comm *comm);

struct cartesian *cartesian_new(int dimensions, const int *sizes, const int *periods);
struct cartesian *cartesian_copy(const struct cartesian *from);
