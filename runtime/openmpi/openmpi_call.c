/* SPDX-License-Identifier: Apache-2.0
 *
 * From a call's arguments to blocks, and MPI_IN_PLACE to where the own part is; see
 * openmpi_call.h.
 */
#include "runtime/openmpi/openmpi_call.h"

#include "runtime/openmpi/openmpi.h"
#include "runtime/simgrid/bottom.h"

#include <string.h>

#define ARGUMENT(type, number) (*(type const *)args[number])

/* False: it has two groups, or is none. */
static bool find_group(struct group *out, MPI_Comm comm, bool (*is_scratch)(const void *)) {
    int has_two = 0;
    if (comm == MPI_COMM_NULL)
        return false;
    MPI_Comm_test_inter(comm, &has_two);
    *out = (struct group){.comm = comm, .is_scratch = is_scratch};
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

static struct payload_block block_at(void *buffer, int count, MPI_Datatype type) {
    return (struct payload_block){bottom_address(buffer), count, type};
}

static struct payload_blocks blocks_at(void *buffer, int count, const int *counts,
                                       const int *places, MPI_Datatype type) {
    return (struct payload_blocks){bottom_address(buffer), count, counts, places, type};
}

static bool reduce(const struct group *group, void *const args[], bool to_all) {
    void *out = ARGUMENT(void *, 0), *in = ARGUMENT(void *, 1);
    int count = ARGUMENT(int, 2);
    MPI_Datatype type = ARGUMENT(MPI_Datatype, 3);
    MPI_Op op = ARGUMENT(MPI_Op, 4);
    if (!commutes(op))
        return false;
    struct payload_block result = block_at(in, count, type);
    struct payload_block own = out == MPI_IN_PLACE ? result : block_at(out, count, type);
    if (to_all)
        bsim__openmpi_allreduce(group, &result, &own, op);
    else
        bsim__openmpi_reduce(group, &result, &own, op, ARGUMENT(int, 5));
    return true;
}

static bool make_reduce(const struct group *group, void *const args[]) {
    return reduce(group, args, false);
}

static bool make_allreduce(const struct group *group, void *const args[]) {
    return reduce(group, args, true);
}

static bool make_gather(const struct group *group, void *const args[]) {
    void *out = ARGUMENT(void *, 0);
    int root = ARGUMENT(int, 6);
    struct payload_blocks all =
        blocks_at(ARGUMENT(void *, 3), ARGUMENT(int, 4), NULL, NULL, ARGUMENT(MPI_Datatype, 5));
    struct payload_block own = out == MPI_IN_PLACE
                                   ? bsim__blocks_of(&all, root)
                                   : block_at(out, ARGUMENT(int, 1), ARGUMENT(MPI_Datatype, 2));
    bsim__openmpi_gather(group, &all, &own, root);
    return true;
}

static bool make_scatter(const struct group *group, void *const args[]) {
    void *in = ARGUMENT(void *, 3);
    int root = ARGUMENT(int, 6);
    struct payload_blocks all =
        blocks_at(ARGUMENT(void *, 0), ARGUMENT(int, 1), NULL, NULL, ARGUMENT(MPI_Datatype, 2));
    struct payload_block own = in == MPI_IN_PLACE
                                   ? bsim__blocks_of(&all, root)
                                   : block_at(in, ARGUMENT(int, 4), ARGUMENT(MPI_Datatype, 5));
    bsim__openmpi_scatter(group, &own, &all, root);
    return true;
}

static bool allgather(const struct group *group, void *const args[],
                      const struct payload_blocks *all) {
    void *out = ARGUMENT(void *, 0);
    struct payload_block own = out == MPI_IN_PLACE
                                   ? bsim__blocks_of(all, group->rank)
                                   : block_at(out, ARGUMENT(int, 1), ARGUMENT(MPI_Datatype, 2));
    bsim__openmpi_allgather(group, all, &own);
    return true;
}

static bool make_allgather(const struct group *group, void *const args[]) {
    const struct payload_blocks all =
        blocks_at(ARGUMENT(void *, 3), ARGUMENT(int, 4), NULL, NULL, ARGUMENT(MPI_Datatype, 5));
    return allgather(group, args, &all);
}

static bool make_allgatherv(const struct group *group, void *const args[]) {
    const struct payload_blocks all =
        blocks_at(ARGUMENT(void *, 3), 0, ARGUMENT(const int *, 4), ARGUMENT(const int *, 5),
                  ARGUMENT(MPI_Datatype, 6));
    return allgather(group, args, &all);
}

/* What is sent in place is set aside first. */
static void alltoall_in_place(const struct group *group, const struct payload_blocks *in) {
    struct payload_block all = {in->at, in->count * group->size, in->type};
    struct payload_block aside = bsim__block_new(group, &all, all.count);
    bsim__block_copy(group, &aside, &all);
    struct payload_blocks out = *in;
    out.at = aside.at;
    bsim__openmpi_alltoall(group, in, &out);
    bsim__block_release(group, &aside);
}

static bool make_alltoall(const struct group *group, void *const args[]) {
    void *out = ARGUMENT(void *, 0);
    struct payload_blocks in =
        blocks_at(ARGUMENT(void *, 3), ARGUMENT(int, 4), NULL, NULL, ARGUMENT(MPI_Datatype, 5));
    struct payload_blocks sent =
        blocks_at(out, ARGUMENT(int, 1), NULL, NULL, ARGUMENT(MPI_Datatype, 2));
    if (out == MPI_IN_PLACE)
        alltoall_in_place(group, &in);
    else
        bsim__openmpi_alltoall(group, &in, &sent);
    return true;
}

static bool make_alltoallv(const struct group *group, void *const args[]) {
    void *out = ARGUMENT(void *, 0);
    if (out == MPI_IN_PLACE)
        return false;
    struct payload_blocks sent = blocks_at(out, 0, ARGUMENT(const int *, 1),
                                           ARGUMENT(const int *, 2), ARGUMENT(MPI_Datatype, 3));
    struct payload_blocks in = blocks_at(ARGUMENT(void *, 4), 0, ARGUMENT(const int *, 5),
                                         ARGUMENT(const int *, 6), ARGUMENT(MPI_Datatype, 7));
    bsim__openmpi_alltoall(group, &in, &sent);
    return true;
}

static bool make_bcast(const struct group *group, void *const args[]) {
    struct payload_block block =
        block_at(ARGUMENT(void *, 0), ARGUMENT(int, 1), ARGUMENT(MPI_Datatype, 2));
    bsim__openmpi_bcast(group, &block, ARGUMENT(int, 3));
    return true;
}

static bool make_barrier(const struct group *group, void *const args[]) {
    (void)args;
    bsim__openmpi_barrier(group);
    return true;
}

static const struct made_collective {
    enum bsim__id id;
    int communicator; /* number of the argument */
    bool (*make)(const struct group *group, void *const args[]);
} made[] = {
    {BSIM__ID_MPI_Barrier, 0, make_barrier},     {BSIM__ID_MPI_Bcast, 4, make_bcast},
    {BSIM__ID_MPI_Reduce, 6, make_reduce},       {BSIM__ID_MPI_Allreduce, 5, make_allreduce},
    {BSIM__ID_MPI_Gather, 7, make_gather},       {BSIM__ID_MPI_Scatter, 7, make_scatter},
    {BSIM__ID_MPI_Allgather, 6, make_allgather}, {BSIM__ID_MPI_Allgatherv, 7, make_allgatherv},
    {BSIM__ID_MPI_Alltoall, 6, make_alltoall},   {BSIM__ID_MPI_Alltoallv, 8, make_alltoallv},
};

bool bsim__openmpi_has(enum bsim__id id) {
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (made[i].id == id)
            return true;
    return false;
}

bool bsim__openmpi_call(enum bsim__id id, void *const args[],
                        bool (*is_scratch)(const void *buffer)) {
    struct group group;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (made[i].id == id)
            return find_group(&group, ARGUMENT(MPI_Comm, made[i].communicator), is_scratch) &&
                   made[i].make(&group, args);
    return false;
}
