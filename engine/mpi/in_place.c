/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/mpi/in_place.h"

#include "base/arena.h"
#include "engine/objects/scratch_memory.h"

struct in_place in_place_copy(const void *sent, const void *received, int count,
                              const struct SMPI_Datatype *type) {
    struct in_place out = {.sent = sent};
    if (sent != MPI_IN_PLACE)
        return out;
    out.sent = received;
    if (count == 0 || scratch_memory_has(received))
        return out;
    out.copy = xcalloc((size_t)count, (size_t)datatype_extent(type) + 1);
    datatype_copy(out.copy, count, type, received, count, type);
    out.sent = out.copy;
    return out;
}

void *in_place_block(void *received, int count, const struct SMPI_Datatype *type,
                     const struct SMPI_Comm *comm) {
    return (char *)received + datatype_extent(type) * count * communicator_rank(comm);
}

int *equal_counts(int count, const struct SMPI_Comm *comm) {
    int *counts = xmalloc((size_t)comm->group->size * sizeof *counts);
    for (int i = 0; i < comm->group->size; i++)
        counts[i] = count;
    return counts;
}
