/* SPDX-License-Identifier: Apache-2.0
 *
 * From a call's arguments to blocks, and MPI_IN_PLACE to where the own part is; see
 * library_collectives.h.
 */
#include "runtime/smpi/library_collectives.h"

#include "runtime/openmpi/openmpi.h"
#include "runtime/simgrid/bottom.h"
#include "runtime/smpi/io.h"

#include <string.h>

#define ARGUMENT(type, number) (*(type const *)call->args[number])

static bool is_wanted(void) {
    const char *text = bsim__shared()->collectives;
    return text != NULL && strcmp(text, "ompi-4.1") == 0;
}

/* False: it has two groups, or is none. */
static bool find_group(struct group *out, MPI_Comm comm) {
    int has_two = 0;
    if (comm == MPI_COMM_NULL)
        return false;
    MPI_Comm_test_inter(comm, &has_two);
    *out = (struct group){.comm = comm, .is_scratch = bsim__io_is_scratch};
    MPI_Comm_rank(comm, &out->rank);
    MPI_Comm_size(comm, &out->size);
    return !has_two;
}

static bool commutes(MPI_Op op) {
    int answer = 0;
    if (op != MPI_OP_NULL)
        MPI_Op_commutative(op, &answer);
    return answer;
}

static struct block block_at(void *buffer, int count, MPI_Datatype type) {
    return (struct block){bottom_address(buffer), count, type};
}

static struct blocks blocks_at(void *buffer, int count, const int *counts, const int *places,
                               MPI_Datatype type) {
    return (struct blocks){bottom_address(buffer), count, counts, places, type};
}

static bool make_reduce(const struct group *group, struct bsim__call *call) {
    void *out = ARGUMENT(void *, 0), *in = ARGUMENT(void *, 1);
    int count = ARGUMENT(int, 2);
    MPI_Datatype type = ARGUMENT(MPI_Datatype, 3);
    MPI_Op op = ARGUMENT(MPI_Op, 4);
    if (!commutes(op))
        return false;
    struct block result = block_at(in, count, type);
    struct block own = out == MPI_IN_PLACE ? result : block_at(out, count, type);
    if (call->id == BSIM__ID_MPI_Allreduce)
        bsim__openmpi_allreduce(group, &result, &own, op);
    else
        bsim__openmpi_reduce(group, &result, &own, op, ARGUMENT(int, 5));
    return true;
}

static bool make_gather(const struct group *group, struct bsim__call *call) {
    void *out = ARGUMENT(void *, 0);
    int root = ARGUMENT(int, 6);
    struct blocks all =
        blocks_at(ARGUMENT(void *, 3), ARGUMENT(int, 4), NULL, NULL, ARGUMENT(MPI_Datatype, 5));
    struct block own = out == MPI_IN_PLACE
                           ? bsim__blocks_of(&all, root)
                           : block_at(out, ARGUMENT(int, 1), ARGUMENT(MPI_Datatype, 2));
    bsim__openmpi_gather(group, &all, &own, root);
    return true;
}

static bool make_scatter(const struct group *group, struct bsim__call *call) {
    void *in = ARGUMENT(void *, 3);
    int root = ARGUMENT(int, 6);
    struct blocks all =
        blocks_at(ARGUMENT(void *, 0), ARGUMENT(int, 1), NULL, NULL, ARGUMENT(MPI_Datatype, 2));
    struct block own = in == MPI_IN_PLACE
                           ? bsim__blocks_of(&all, root)
                           : block_at(in, ARGUMENT(int, 4), ARGUMENT(MPI_Datatype, 5));
    bsim__openmpi_scatter(group, &own, &all, root);
    return true;
}

static bool make_allgather(const struct group *group, struct bsim__call *call) {
    void *out = ARGUMENT(void *, 0), *in = ARGUMENT(void *, 3);
    bool has_counts = call->id == BSIM__ID_MPI_Allgatherv;
    struct blocks all =
        has_counts ? blocks_at(in, 0, ARGUMENT(const int *, 4), ARGUMENT(const int *, 5),
                               ARGUMENT(MPI_Datatype, 6))
                   : blocks_at(in, ARGUMENT(int, 4), NULL, NULL, ARGUMENT(MPI_Datatype, 5));
    struct block own = out == MPI_IN_PLACE
                           ? bsim__blocks_of(&all, group->rank)
                           : block_at(out, ARGUMENT(int, 1), ARGUMENT(MPI_Datatype, 2));
    bsim__openmpi_allgather(group, &all, &own);
    return true;
}

/* What is sent in place is set aside first. */
static void alltoall_in_place(const struct group *group, const struct blocks *in) {
    struct block all = {in->at, in->count * group->size, in->type};
    struct block aside = bsim__block_new(group, &all, all.count);
    bsim__block_copy(group, &aside, &all);
    struct blocks out = *in;
    out.at = aside.at;
    bsim__openmpi_alltoall(group, in, &out);
    bsim__block_release(group, &aside);
}

static bool make_alltoall(const struct group *group, struct bsim__call *call) {
    void *out = ARGUMENT(void *, 0);
    struct blocks in =
        blocks_at(ARGUMENT(void *, 3), ARGUMENT(int, 4), NULL, NULL, ARGUMENT(MPI_Datatype, 5));
    struct blocks sent = blocks_at(out, ARGUMENT(int, 1), NULL, NULL, ARGUMENT(MPI_Datatype, 2));
    if (out == MPI_IN_PLACE)
        alltoall_in_place(group, &in);
    else
        bsim__openmpi_alltoall(group, &in, &sent);
    return true;
}

static bool make_alltoallv(const struct group *group, struct bsim__call *call) {
    void *out = ARGUMENT(void *, 0);
    if (out == MPI_IN_PLACE)
        return false;
    struct blocks sent = blocks_at(out, 0, ARGUMENT(const int *, 1), ARGUMENT(const int *, 2),
                                   ARGUMENT(MPI_Datatype, 3));
    struct blocks in = blocks_at(ARGUMENT(void *, 4), 0, ARGUMENT(const int *, 5),
                                 ARGUMENT(const int *, 6), ARGUMENT(MPI_Datatype, 7));
    bsim__openmpi_alltoall(group, &in, &sent);
    return true;
}

static bool make_bcast(const struct group *group, struct bsim__call *call) {
    struct block block = block_at(ARGUMENT(void *, 0), ARGUMENT(int, 1), ARGUMENT(MPI_Datatype, 2));
    bsim__openmpi_bcast(group, &block, ARGUMENT(int, 3));
    return true;
}

static bool make_barrier(const struct group *group, struct bsim__call *call) {
    (void)call;
    bsim__openmpi_barrier(group);
    return true;
}

static const struct made_collective {
    enum bsim__id id;
    int communicator; /* number of the argument */
    bool (*make)(const struct group *group, struct bsim__call *call);
} made[] = {
    {BSIM__ID_MPI_Barrier, 0, make_barrier},     {BSIM__ID_MPI_Bcast, 4, make_bcast},
    {BSIM__ID_MPI_Reduce, 6, make_reduce},       {BSIM__ID_MPI_Allreduce, 5, make_reduce},
    {BSIM__ID_MPI_Gather, 7, make_gather},       {BSIM__ID_MPI_Scatter, 7, make_scatter},
    {BSIM__ID_MPI_Allgather, 6, make_allgather}, {BSIM__ID_MPI_Allgatherv, 7, make_allgather},
    {BSIM__ID_MPI_Alltoall, 6, make_alltoall},   {BSIM__ID_MPI_Alltoallv, 8, make_alltoallv},
};

bool bsim__library_collectives(struct bsim__call *call) {
    struct group group;
    if (!is_wanted())
        return false;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (made[i].id == call->id)
            return find_group(&group, ARGUMENT(MPI_Comm, made[i].communicator)) &&
                   made[i].make(&group, call);
    return false;
}
