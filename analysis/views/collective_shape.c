/* SPDX-License-Identifier: Apache-2.0
 *
 * See collective_shape.h.
 */
#include "analysis/views/collective_shape.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *function;
    enum collective_shape shape;
} shapes[] = {
    {"MPI_Bcast", SHAPE_FROM_ROOT},      {"MPI_Scatter", SHAPE_FROM_ROOT},
    {"MPI_Scatterv", SHAPE_FROM_ROOT},   {"MPI_Reduce", SHAPE_TO_ROOT},
    {"MPI_Gather", SHAPE_TO_ROOT},       {"MPI_Gatherv", SHAPE_TO_ROOT},
    {"MPI_Allgather", SHAPE_ALL_TO_ALL}, {"MPI_Allgatherv", SHAPE_ALL_TO_ALL},
    {"MPI_Allreduce", SHAPE_ALL_TO_ALL}, {"MPI_Alltoall", SHAPE_ALL_TO_ALL},
    {"MPI_Alltoallv", SHAPE_ALL_TO_ALL}, {"MPI_Alltoallw", SHAPE_ALL_TO_ALL},
    {"MPI_Barrier", SHAPE_BARRIER},      {"MPI_Reduce_scatter", SHAPE_ALL_TO_ALL},
    {"MPI_Exscan", SHAPE_PREFIX},        {"MPI_Reduce_scatter_block", SHAPE_ALL_TO_ALL},
    {"MPI_Scan", SHAPE_PREFIX},
};

enum collective_shape collective_shape_of(const char *function) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (strcmp(function, shapes[i].function) == 0)
            return shapes[i].shape;
    return SHAPE_NONE;
}
