/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives in which ranks exchange with those that differ in one bit; see
 * collective_algorithms.h. Numbers of ranks that are no power of two are brought to one first.
 */
#include "engine/collectives/collective_algorithms.h"

#include "base/arena.h"
#include "engine/collectives/exchange_sequence.h"
#include "engine/objects/reduce_operation.h"

#include <stdlib.h>

static int largest_power(int size) {
    int power = 1;
    while (2 * power <= size)
        power *= 2;
    return power;
}

/* ---- Barrier ---- */

struct meeting {
    struct exchange_sequence sequence;
    int power, rest, bit; /* bit: of the next partner, 0 before the first one */
};

static void meet(struct exchange_sequence *sequence, int with, bool sends, bool receives) {
    sequence->sends = sends;
    sequence->receives = receives;
    sequence->is_mutual = false;
    sequence->sent = (struct exchange_side){.type = MPI_BYTE, .rank = with, .tag = TAG_BARRIER};
    sequence->received = sequence->sent;
}

static void meet_mutually(struct exchange_sequence *sequence, int with) {
    meet(sequence, with, true, true);
    sequence->is_mutual = true;
}

/* One that has no place in the power of two meets another one, which waits for it and tells it. */
static bool meet_next(struct exchange_sequence *sequence) {
    struct meeting *meeting = (struct meeting *)sequence;
    bool is_first = meeting->bit == 0, is_beyond = sequence->rank >= meeting->power;
    bool stands_for_other = sequence->rank < meeting->rest;
    if (is_first) {
        meeting->bit = 1;
        if (is_beyond)
            meet(sequence, sequence->rank - meeting->power, true, true);
        else if (stands_for_other)
            meet(sequence, sequence->rank + meeting->power, false, true);
        if (is_beyond || stands_for_other)
            return true;
    }
    if (is_beyond || meeting->bit > meeting->power)
        return false;
    if (meeting->bit < meeting->power)
        meet_mutually(sequence, sequence->rank ^ meeting->bit);
    else if (stands_for_other)
        meet(sequence, sequence->rank + meeting->power, true, false);
    else
        return false;
    meeting->bit <<= 1;
    return true;
}

int barrier_recursive_doubling(struct SMPI_Comm *comm) {
    struct meeting *meeting = xmalloc(sizeof *meeting);
    int size = comm->group->size, power = largest_power(size);
    *meeting = (struct meeting){.sequence = {.next = meet_next,
                                             .is_doubling = power == size,
                                             .rank = communicator_rank(comm),
                                             .sent.tag = TAG_BARRIER,
                                             .comm = comm},
                                .power = power,
                                .rest = size - power};
    exchange_sequence_run(&meeting->sequence);
    free(meeting);
    return MPI_SUCCESS;
}

/* ---- Allreduce: of 2 * rest ranks every other one hands over first, and is told at the end ----
 */

struct doubling {
    struct exchange_sequence sequence;
    void *sum, *other; /* not on the rank's stack */
    int count, rest, power, bit;
    struct SMPI_Datatype *type;
    struct SMPI_Op *op;
};

static void combine(struct doubling *doubling) {
    if (doubling->sequence.received.rank < doubling->sequence.rank) {
        operation_apply(doubling->op, doubling->other, doubling->sum, doubling->count,
                        doubling->type);
        return;
    }
    operation_apply(doubling->op, doubling->sum, doubling->other, doubling->count, doubling->type);
    void *sum = doubling->other; /* where it is now */
    doubling->other = doubling->sum;
    doubling->sum = sum;
}

static void exchange_sums(struct doubling *doubling, int with, bool sends, void *into) {
    struct exchange_sequence *sequence = &doubling->sequence;
    sequence->sends = sends;
    sequence->receives = into != NULL;
    sequence->is_mutual = sends && into != NULL;
    sequence->sent = (struct exchange_side){.buffer = doubling->sum,
                                            .count = doubling->count,
                                            .type = doubling->type,
                                            .rank = with,
                                            .tag = TAG_ALLREDUCE};
    sequence->received = sequence->sent;
    sequence->received.buffer = into;
}

static bool hand_over_and_wait(struct exchange_sequence *sequence) {
    struct doubling *doubling = (struct doubling *)sequence;
    bool is_first = doubling->bit++ == 0;
    exchange_sums(doubling, doubling->sequence.rank + 1, is_first, is_first ? NULL : doubling->sum);
    return doubling->bit <= 2;
}

static int partner(const struct doubling *doubling) {
    bool is_doubled = doubling->sequence.rank < 2 * doubling->rest;
    int position =
        is_doubled ? doubling->sequence.rank / 2 : doubling->sequence.rank - doubling->rest;
    int other = position ^ doubling->bit;
    return other < doubling->rest ? 2 * other + 1 : other + doubling->rest;
}

static bool double_up(struct exchange_sequence *sequence) {
    struct doubling *doubling = (struct doubling *)sequence;
    bool is_doubled = doubling->sequence.rank < 2 * doubling->rest, is_first = doubling->bit == 0;
    if (!is_first && sequence->receives)
        combine(doubling);
    if (is_first && is_doubled)
        exchange_sums(doubling, doubling->sequence.rank - 1, false, doubling->other);
    doubling->bit += is_first;
    if (is_first && is_doubled)
        return true;
    if (doubling->bit < doubling->power)
        exchange_sums(doubling, partner(doubling), true, doubling->other);
    else if (doubling->bit == doubling->power && is_doubled)
        exchange_sums(doubling, doubling->sequence.rank - 1, true, NULL);
    else
        return false;
    doubling->bit <<= 1;
    return true;
}

int allreduce_recursive_doubling(ALLREDUCE_PARAMETERS) {
    int rank = communicator_rank(comm), size = comm->group->size, power = largest_power(size);
    bool hands_over = rank < 2 * (size - power) && rank % 2 == 0;
    struct doubling *doubling = xmalloc(sizeof *doubling);
    *doubling = (struct doubling){.sequence = {.next = hands_over ? hand_over_and_wait : double_up,
                                               .needs_stack = operation_is_own(op),
                                               .is_doubling = power == size,
                                               .rank = rank,
                                               .sent.tag = TAG_ALLREDUCE,
                                               .comm = comm},
                                  .sum = temporary_new(count, type, received),
                                  .other = temporary_new(count, type, received),
                                  .count = count,
                                  .rest = size - power,
                                  .power = power,
                                  .type = type,
                                  .op = op};
    datatype_copy(doubling->sum, count, type, sent, count, type);
    exchange_sequence_run(&doubling->sequence);
    datatype_copy(received, count, type, doubling->sum, count, type);
    temporary_free(doubling->sum);
    temporary_free(doubling->other);
    free(doubling);
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
