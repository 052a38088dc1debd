/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/objects/communicator.h"

#include "base/arena.h"
#include "base/vec.h"
#include "engine/core/simulation.h"

#include <stdlib.h>
#include <string.h>

static struct SMPI_Comm world;
static struct SMPI_Comm **selves;          /* by rank; NULL: not asked for yet */
static VEC(struct SMPI_Comm *) by_context; /* NULL: it is free again, but its number is not */

MPI_Comm MPI_COMM_WORLD = &world;

void communicators_init(uint32_t ranks) {
    world = (struct SMPI_Comm){.group = process_group_new((int)ranks, 0, 1), .users = UINT32_MAX};
    vec_push(&by_context, &world);
    selves = xcalloc(ranks, sizeof *selves);
}

struct SMPI_Comm *communicator_self(uint32_t rank) {
    if (selves[rank] == NULL) {
        selves[rank] = communicator_new(process_group_new(1, rank, 1), NULL);
        selves[rank]->users = UINT32_MAX;
    }
    return selves[rank];
}

struct SMPI_Comm *communicator_new(struct SMPI_Group *group, struct cartesian *cartesian) {
    struct SMPI_Comm *comm = xcalloc(1, sizeof *comm);
    *comm = (struct SMPI_Comm){.group = group,
                               .context = (int)by_context.count,
                               .users = (uint32_t)group->size,
                               .cartesian = cartesian};
    vec_push(&by_context, comm);
    return comm;
}

struct SMPI_Comm *communicator_by_context(int context) {
    return by_context.items[context];
}

void communicator_release(struct SMPI_Comm *comm) {
    if (comm == &world || comm->users == UINT32_MAX || --comm->users > 0)
        return;
    by_context.items[comm->context] = NULL;
    process_group_release(comm->group);
    if (comm->cartesian != NULL)
        free(comm->cartesian->sizes);
    free(comm->cartesian);
    free(comm->windows);
    free(comm->name);
    free(comm);
}

int communicator_rank(const struct SMPI_Comm *comm) {
    return process_group_rank(comm->group, simulation.current);
}

struct cartesian *cartesian_new(int dimensions, const int *sizes, const int *periods) {
    struct cartesian *out = xmalloc(sizeof *out);
    size_t bytes = (size_t)dimensions * sizeof(int);
    *out = (struct cartesian){.dimensions = dimensions, .sizes = xmalloc(2 * bytes + 1)};
    out->periods = out->sizes + dimensions;
    if (dimensions > 0) {
        memcpy(out->sizes, sizes, bytes);
        memcpy(out->periods, periods, bytes);
    }
    return out;
}

struct cartesian *cartesian_copy(const struct cartesian *from) {
    return from != NULL ? cartesian_new(from->dimensions, from->sizes, from->periods) : NULL;
}
