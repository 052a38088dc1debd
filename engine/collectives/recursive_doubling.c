/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives in which ranks exchange with those that differ in one bit; see
 * collective_algorithms.h. Numbers of ranks that are no power of two are brought to one first.
 */
#include "engine/collectives/collective_algorithms.h"

#include "engine/objects/reduce_operation.h"

#include <stdlib.h>

static int largest_power(int size) {
    int power = 1;
    while (2 * power <= size)
        power *= 2;
    return power;
}

/* ---- Barrier ---- */

static void meet(int with, struct SMPI_Comm *comm) {
    struct exchange_side side = {.type = MPI_BYTE, .rank = with, .tag = TAG_BARRIER};
    exchange_both(&side, &side, comm, MPI_STATUS_IGNORE);
}

int barrier_recursive_doubling(struct SMPI_Comm *comm) {
    int rank = communicator_rank(comm), size = comm->group->size;
    int power = largest_power(size), rest = size - power;
    if (rank >= power) {
        meet(rank - power, comm);
        return MPI_SUCCESS;
    }
    if (rank < rest)
        exchange_receive(NULL, 0, MPI_BYTE, rank + power, TAG_BARRIER, comm, MPI_STATUS_IGNORE);
    for (int bit = 1; bit < power; bit <<= 1)
        meet(rank ^ bit, comm);
    if (rank < rest)
        exchange_send(NULL, 0, MPI_BYTE, rank + power, TAG_BARRIER, comm);
    return MPI_SUCCESS;
}

/* ---- Allreduce: of 2 * rest ranks every other one hands over first, and is told at the end ----
 */

struct doubling {
    void *sum, *other;
    int count, rank, rest, power;
    struct SMPI_Datatype *type;
    struct SMPI_Op *op;
    struct SMPI_Comm *comm;
};

static void exchange_sums(struct doubling *doubling, int with) {
    struct exchange_side send = {.buffer = doubling->sum,
                                 .count = doubling->count,
                                 .type = doubling->type,
                                 .rank = with,
                                 .tag = TAG_ALLREDUCE};
    struct exchange_side receive = send;
    receive.buffer = doubling->other;
    exchange_both(&send, &receive, doubling->comm, MPI_STATUS_IGNORE);
    if (with < doubling->rank) {
        operation_apply(doubling->op, doubling->other, doubling->sum, doubling->count,
                        doubling->type);
        return;
    }
    operation_apply(doubling->op, doubling->sum, doubling->other, doubling->count, doubling->type);
    datatype_copy(doubling->sum, doubling->count, doubling->type, doubling->other, doubling->count,
                  doubling->type);
}

static void double_up(struct doubling *doubling, int position) {
    for (int bit = 1; bit < doubling->power; bit <<= 1) {
        int other = position ^ bit;
        exchange_sums(doubling, other < doubling->rest ? 2 * other + 1 : other + doubling->rest);
    }
}

static void take_in(struct doubling *doubling) {
    exchange_receive(doubling->other, doubling->count, doubling->type, doubling->rank - 1,
                     TAG_ALLREDUCE, doubling->comm, MPI_STATUS_IGNORE);
    operation_apply(doubling->op, doubling->other, doubling->sum, doubling->count, doubling->type);
}

static void hand_over_and_wait(struct doubling *doubling) {
    exchange_send(doubling->sum, doubling->count, doubling->type, doubling->rank + 1, TAG_ALLREDUCE,
                  doubling->comm);
    exchange_receive(doubling->sum, doubling->count, doubling->type, doubling->rank + 1,
                     TAG_ALLREDUCE, doubling->comm, MPI_STATUS_IGNORE);
}

int allreduce_recursive_doubling(ALLREDUCE_PARAMETERS) {
    int rank = communicator_rank(comm), size = comm->group->size, power = largest_power(size);
    struct doubling doubling = {.sum = received,
                                .other = temporary_new(count, type, received),
                                .count = count,
                                .rank = rank,
                                .rest = size - power,
                                .power = power,
                                .type = type,
                                .op = op,
                                .comm = comm};
    bool is_doubled = rank < 2 * doubling.rest;
    datatype_copy(received, count, type, sent, count, type);
    if (is_doubled && rank % 2 == 0) {
        hand_over_and_wait(&doubling);
    } else {
        if (is_doubled)
            take_in(&doubling);
        double_up(&doubling, is_doubled ? rank / 2 : rank - doubling.rest);
        if (is_doubled)
            exchange_send(received, count, type, rank - 1, TAG_ALLREDUCE, comm);
    }
    temporary_free(doubling.other);
    return MPI_SUCCESS;
}

/* ---- Allgather: in step k groups of 2^k ranks exchange what they have ---- */

struct doubled_blocks {
    char *blocks;
    int count, held, rank, size; /* `held`: elements that this rank has so far */
    struct SMPI_Datatype *type;
    struct SMPI_Comm *comm;
};

static char *block(const struct doubled_blocks *all, int64_t index) {
    return all->blocks + index * all->count * datatype_extent(all->type);
}

static int elements_of(const struct doubled_blocks *all, const MPI_Status *status) {
    return all->type->size > 0 ? status->count / (int)all->type->size : 0;
}

static int exchange_groups(struct doubled_blocks *all, int bit) {
    MPI_Status status;
    int with = all->rank ^ bit;
    struct exchange_side send = {.buffer = block(all, all->rank & ~(bit - 1)),
                                 .count = all->held,
                                 .type = all->type,
                                 .rank = with,
                                 .tag = TAG_ALLGATHER};
    struct exchange_side receive = send;
    receive.buffer = block(all, with & ~(bit - 1));
    receive.count = bit * all->count;
    exchange_both(&send, &receive, all->comm, &status);
    all->held += elements_of(all, &status);
    return elements_of(all, &status);
}

/* The partner's group is not complete: those of this one who have the last data pass it on to those
 * who had no partner. */
static void spread_in_group(struct doubled_blocks *all, int bit, int last) {
    int group = all->rank & ~(bit - 1), complete = all->size - group - bit;
    for (int half = bit >> 1; half > 0; half >>= 1) {
        int with = all->rank ^ half, root = all->rank & ~(2 * half - 1);
        bool has = all->rank < root + complete, other_has = with < root + complete;
        MPI_Status status;
        if (with > all->rank && has && !other_has) {
            exchange_send(block(all, group + bit), last, all->type, with, TAG_ALLGATHER, all->comm);
        } else if (with < all->rank && other_has && !has) {
            exchange_receive(block(all, group + bit), all->count * complete, all->type, with,
                             TAG_ALLGATHER, all->comm, &status);
            last = elements_of(all, &status);
            all->held += last;
        }
    }
}

int allgather_recursive_doubling(ALLGATHER_PARAMETERS) {
    struct doubled_blocks all = {.blocks = received,
                                 .count = receive_count,
                                 .held = receive_count,
                                 .rank = communicator_rank(comm),
                                 .size = comm->group->size,
                                 .type = receive_type,
                                 .comm = comm};
    int last = 0;
    datatype_copy(block(&all, all.rank), receive_count, receive_type, sent, send_count, send_type);
    for (int bit = 1; bit < all.size; bit <<= 1) {
        int partner_group = (all.rank ^ bit) & ~(bit - 1);
        if ((all.rank ^ bit) < all.size)
            last = exchange_groups(&all, bit);
        if (partner_group + bit > all.size)
            spread_in_group(&all, bit, last);
    }
    return MPI_SUCCESS;
}
