/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI's Cartesian communicators. Coordinates are not kept but computed.
 */
#include "engine/core/simulation.h"
#include "engine/mpi/making.h"

#include "base/arena.h"

#include <stdlib.h>

#define DIMENSIONS_MOST 32

static struct SMPI_Group *first_members(const struct SMPI_Comm *comm, int count) {
    if (count == comm->group->size)
        return process_group_use(comm->group);
    uint32_t *ranks = xmalloc((size_t)count * sizeof *ranks);
    for (int i = 0; i < count; i++)
        ranks[i] = communicator_member(comm, i);
    return process_group_of(ranks, count);
}

int PMPI_Cart_create(MPI_Comm comm, int dimensions, const int *sizes, const int *periods,
                     int reorder, MPI_Comm *out) {
    int members = 1;
    (void)reorder;
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (dimensions < 0 || dimensions > DIMENSIONS_MOST)
        return MPI_ERR_ARG;
    for (int i = 0; i < dimensions; i++) {
        if (sizes[i] < 0)
            return MPI_ERR_ARG;
        members *= sizes[i];
    }
    *out = MPI_COMM_NULL;
    if (communicator_rank(comm) < members)
        *out = making_communicator(first_members(comm, members),
                                   cartesian_new(dimensions, sizes, periods));
    return MPI_SUCCESS;
}

static void coordinates_of(int *out, const struct cartesian *grid, int rank) {
    for (int i = grid->dimensions - 1; i >= 0; i--) {
        out[i] = rank % grid->sizes[i];
        rank /= grid->sizes[i];
    }
}

int PMPI_Cart_coords(MPI_Comm comm, int rank, int most, int *out) {
    int all[DIMENSIONS_MOST];
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (comm->cartesian == NULL)
        return MPI_ERR_TOPOLOGY;
    if (rank < 0 || rank >= comm->group->size)
        return MPI_ERR_RANK;
    coordinates_of(all, comm->cartesian, rank);
    for (int i = 0; i < comm->cartesian->dimensions && i < most; i++)
        out[i] = all[i];
    return MPI_SUCCESS;
}

/* false: outside, in a dimension that is not periodic. */
static bool rank_of(int *out, const struct cartesian *grid, const int *coordinates) {
    int rank = 0;
    for (int i = 0; i < grid->dimensions; i++) {
        int size = grid->sizes[i], at = coordinates[i];
        if ((at < 0 || at >= size) && !grid->periods[i])
            return false;
        rank = rank * size + (at % size + size) % size;
    }
    *out = rank;
    return true;
}

int PMPI_Cart_rank(MPI_Comm comm, const int *coordinates, int *rank) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (comm->cartesian == NULL)
        return MPI_ERR_TOPOLOGY;
    if (rank_of(rank, comm->cartesian, coordinates))
        return MPI_SUCCESS;
    *rank = -1;
    return MPI_ERR_ARG;
}

static int neighbour(const struct SMPI_Comm *comm, int dimension, int by) {
    int at[DIMENSIONS_MOST], rank = MPI_PROC_NULL;
    coordinates_of(at, comm->cartesian, communicator_rank(comm));
    at[dimension] += by;
    return rank_of(&rank, comm->cartesian, at) ? rank : MPI_PROC_NULL;
}

int PMPI_Cart_shift(MPI_Comm comm, int dimension, int by, int *source, int *destination) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (comm->cartesian == NULL)
        return MPI_ERR_TOPOLOGY;
    if (dimension < 0 || dimension >= comm->cartesian->dimensions)
        return MPI_ERR_ARG;
    *source = neighbour(comm, dimension, -by);
    *destination = neighbour(comm, dimension, by);
    return MPI_SUCCESS;
}

int PMPI_Cartdim_get(MPI_Comm comm, int *dimensions) {
    if (comm == MPI_COMM_NULL)
        return MPI_ERR_COMM;
    if (comm->cartesian == NULL)
        return MPI_ERR_TOPOLOGY;
    *dimensions = comm->cartesian->dimensions;
    return MPI_SUCCESS;
}

int PMPI_Cart_get(MPI_Comm comm, int most, int *sizes, int *periods, int *coordinates) {
    int result = PMPI_Cart_coords(comm, communicator_rank(comm), most, coordinates);
    for (int i = 0; result == MPI_SUCCESS && i < comm->cartesian->dimensions && i < most; i++) {
        sizes[i] = comm->cartesian->sizes[i];
        periods[i] = comm->cartesian->periods[i];
    }
    return result;
}

/* ---- Parts of a grid ---- */

static int color_of(const struct cartesian *grid, const int *remains, const int *coordinates) {
    int color = 0;
    for (int i = 0; i < grid->dimensions; i++)
        if (!remains[i])
            color = color * grid->sizes[i] + coordinates[i];
    return color;
}

/* Without any dimension the first rank gets a communicator of its own, as from SMPI. */
static MPI_Comm point_of(const struct SMPI_Comm *comm) {
    if (communicator_rank(comm) != 0)
        return MPI_COMM_NULL;
    return making_communicator(process_group_new(1, simulation.current, 1),
                               cartesian_new(0, NULL, NULL));
}

int PMPI_Cart_sub(MPI_Comm comm, const int *remains, MPI_Comm *out) {
    const struct cartesian *grid = comm != MPI_COMM_NULL ? comm->cartesian : NULL;
    int sizes[DIMENSIONS_MOST], periods[DIMENSIONS_MOST], at[DIMENSIONS_MOST], kept = 0;
    if (grid == NULL)
        return comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_ERR_TOPOLOGY;
    coordinates_of(at, grid, communicator_rank(comm));
    for (int i = 0; i < grid->dimensions; i++)
        if (remains[i]) {
            sizes[kept] = grid->sizes[i];
            periods[kept++] = grid->periods[i];
        }
    if (kept == 0) {
        *out = point_of(comm);
        return MPI_SUCCESS;
    }
    struct SMPI_Group *group =
        making_split(comm, color_of(grid, remains, at), communicator_rank(comm));
    *out = making_communicator(group, cartesian_new(kept, sizes, periods));
    return MPI_SUCCESS;
}

/* SMPI's, which the runtime calls only with what it does not know itself (runtime/simgrid/dims.c):
 * mistakes, and grids with no dimension left open. */
int PMPI_Dims_create(int nodes, int count, int *sizes) {
    int left = nodes;
    for (int i = 0; i < count; i++) {
        if (sizes[i] <= 0 || left % sizes[i] != 0)
            return MPI_ERR_DIMS;
        left /= sizes[i];
    }
    return left == 1 ? MPI_SUCCESS : MPI_ERR_DIMS;
}
