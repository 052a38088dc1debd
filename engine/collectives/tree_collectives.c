/* SPDX-License-Identifier: Apache-2.0
 *
 * Collectives along binomial trees, rooted at `root` by rotating ranks; see
 * collective_algorithms.h.
 */
#include "engine/collectives/collective_algorithms.h"

#include "base/arena.h"
#include "engine/collectives/exchange_sequence.h"
#include "engine/objects/reduce_operation.h"

#include <stdlib.h>

/* The rank in the communicator of one that is `relative` to the root. */
static int real_rank(int relative, int root, int size) {
    return (relative + root) % size;
}

/* The lowest bit that is set; for the root the first power of two that is not below the size. */
static int parent_bit(int relative, int size) {
    int bit = 1;
    while (bit < size && (relative & bit) == 0)
        bit <<= 1;
    return bit;
}

struct tree_broadcast {
    struct exchange_sequence sequence;
    struct exchange_side side;
    int root, size, relative, bit; /* bit: of the child told last; of the parent before that */
    bool has_received;
};

static bool broadcast_next(struct exchange_sequence *sequence) {
    struct tree_broadcast *tree = (struct tree_broadcast *)sequence;
    sequence->receives = !tree->has_received && tree->relative > 0;
    sequence->sends = !sequence->receives;
    tree->has_received = true;
    int other = tree->relative - tree->bit;
    if (sequence->sends) {
        do
            tree->bit >>= 1;
        while (tree->bit > 0 && tree->relative + tree->bit >= tree->size);
        other = tree->relative + tree->bit;
    }
    sequence->sent = sequence->received = tree->side;
    sequence->sent.rank = sequence->received.rank = real_rank(other, tree->root, tree->size);
    return tree->bit > 0;
}

int bcast_binomial(void *buffer, int count, struct SMPI_Datatype *type, int root,
                   struct SMPI_Comm *comm) {
    struct tree_broadcast *tree = xmalloc(sizeof *tree);
    int size = comm->group->size;
    *tree = (struct tree_broadcast){
        .sequence = {.next = broadcast_next, .comm = comm},
        .side = {.buffer = buffer, .count = count, .type = type, .tag = TAG_BCAST},
        .root = root,
        .size = size,
        .relative = (communicator_rank(comm) - root + size) % size};
    tree->bit = parent_bit(tree->relative, size);
    exchange_sequence_run(&tree->sequence);
    free(tree);
    return MPI_SUCCESS;
}

/* ---- Reduction ---- */

struct tree_reduction {
    struct exchange_sequence sequence;
    void *sum, *other;                    /* not on the rank's stack */
    int count, root, size, relative, bit; /* bit: of the next child; beyond the size: at the end */
    struct SMPI_Datatype *type;
    struct SMPI_Op *op;
    bool commutes;
};

static void combine(struct tree_reduction *tree) {
    void *sum = tree->commutes ? tree->sum : tree->other;
    operation_apply(tree->op, tree->commutes ? tree->other : tree->sum, sum, tree->count,
                    tree->type);
    tree->other = tree->commutes ? tree->other : tree->sum;
    tree->sum = sum;
}

static void exchange_sums(struct tree_reduction *tree, int relative, bool sends) {
    struct exchange_sequence *sequence = &tree->sequence;
    sequence->sends = sends;
    sequence->receives = !sends;
    sequence->sent = (struct exchange_side){.buffer = sends ? tree->sum : tree->other,
                                            .count = tree->count,
                                            .type = tree->type,
                                            .rank = real_rank(relative, tree->root, tree->size),
                                            .tag = TAG_REDUCE};
    sequence->received = sequence->sent;
}

static bool climb(struct exchange_sequence *sequence) {
    struct tree_reduction *tree = (struct tree_reduction *)sequence;
    if (sequence->receives)
        combine(tree);
    while (tree->bit < tree->size && (tree->relative & tree->bit) == 0 &&
           (tree->relative | tree->bit) >= tree->size)
        tree->bit <<= 1;
    if (tree->bit >= tree->size)
        return false;
    bool is_child = (tree->relative & tree->bit) == 0;
    exchange_sums(tree, is_child ? tree->relative | tree->bit : tree->relative - tree->bit,
                  !is_child);
    tree->bit = is_child ? tree->bit << 1 : tree->size;
    return true;
}

/* The tree is rooted at rank 0 where order counts, which hands the result over. */
static void hand_over(struct tree_reduction *tree, void *received, int rank, int root) {
    struct SMPI_Comm *comm = tree->sequence.comm;
    if (rank == 0)
        exchange_send(tree->sum, tree->count, tree->type, root, TAG_REDUCE, comm);
    else if (rank == root)
        exchange_receive(received, tree->count, tree->type, 0, TAG_REDUCE, comm, MPI_STATUS_IGNORE);
}

int reduce_binomial(REDUCE_PARAMETERS) {
    int rank = communicator_rank(comm), size = comm->group->size;
    bool commutes = op == MPI_OP_NULL || op->commutes;
    const void *like = rank == root ? received : sent;
    if (count == 0)
        return MPI_SUCCESS;
    struct tree_reduction *tree = xmalloc(sizeof *tree);
    *tree = (struct tree_reduction){
        .sequence = {.next = climb, .comm = comm, .needs_stack = operation_is_own(op)},
        .sum = temporary_new(count, type, like),
        .other = temporary_new(count, type, like),
        .count = count,
        .root = commutes ? root : 0,
        .size = size,
        .bit = 1,
        .type = type,
        .op = op,
        .commutes = commutes};
    tree->relative = (rank - tree->root + size) % size;
    datatype_copy(tree->sum, count, type, sent != MPI_IN_PLACE ? sent : received, count, type);
    exchange_sequence_run(&tree->sequence);
    if (rank == tree->root && rank == root)
        datatype_copy(received, count, type, tree->sum, count, type);
    else if (!commutes)
        hand_over(tree, received, rank, root);
    temporary_free(tree->sum);
    temporary_free(tree->other);
    free(tree);
    return MPI_SUCCESS;
}

/* ---- Gather and scatter: each rank of the tree stands for the block of those behind it ---- */

/* How many ranks the child, `bit` behind, stands for. */
static int block_of(int relative, int bit, int size) {
    return bit < size - relative - bit ? bit : size - relative - bit;
}

static char *element(void *buffer, int64_t index, const struct SMPI_Datatype *type) {
    return buffer != NULL ? (char *)buffer + index * datatype_extent(type) : NULL;
}

static int64_t receive_blocks(void *blocks, int count, struct SMPI_Datatype *type, int relative,
                              int root, struct SMPI_Comm *comm) {
    int size = comm->group->size;
    int64_t total = count;
    for (int bit = 1; bit < size && (relative & bit) == 0; bit <<= 1) {
        if (relative + bit >= size)
            continue;
        int elements = block_of(relative, bit, size) * count;
        exchange_receive(element(blocks, total, type), elements, type,
                         real_rank(relative + bit, root, size), TAG_GATHER, comm,
                         MPI_STATUS_IGNORE);
        total += elements;
    }
    return total;
}

static void rotate_into(void *to, const void *from, int count, struct SMPI_Datatype *type, int by,
                        int size) {
    int tail = count * (size - by), head = count * by;
    datatype_copy(element(to, head, type), tail, type, from, tail, type);
    datatype_copy(to, head, type, element((void *)(uintptr_t)from, tail, type), head, type);
}

static void gather_at_root(GATHER_PARAMETERS) {
    int size = comm->group->size;
    void *blocks =
        root == 0 ? received : temporary_new(receive_count * size, receive_type, received);
    const void *own = sent;
    if (sent == MPI_IN_PLACE) {
        own = element(received, (int64_t)root * receive_count, receive_type);
        send_count = receive_count;
        send_type = receive_type;
    }
    datatype_copy(blocks, receive_count, receive_type, own, send_count, send_type);
    receive_blocks(blocks, receive_count, receive_type, 0, root, comm);
    if (root == 0)
        return;
    rotate_into(received, blocks, receive_count, receive_type, root, size);
    temporary_free(blocks);
}

int gather_binomial(GATHER_PARAMETERS) {
    int rank = communicator_rank(comm), size = comm->group->size;
    int relative = (rank - root + size) % size;
    if (rank == root) {
        gather_at_root(sent, send_count, send_type, received, receive_count, receive_type, root,
                       comm);
        return MPI_SUCCESS;
    }
    int bit = parent_bit(relative, size), blocks = relative % 2 != 0 ? 0 : size;
    void *held = blocks > 0 ? temporary_new(send_count * blocks, send_type, sent) : NULL;
    int64_t total = send_count;
    if (blocks > 0) {
        datatype_copy(held, send_count, send_type, sent, send_count, send_type);
        total = receive_blocks(held, send_count, send_type, relative, root, comm);
    }
    exchange_send(blocks > 0 ? held : sent, (int)total, send_type,
                  real_rank(relative - bit, root, size), TAG_GATHER, comm);
    temporary_free(held);
    return MPI_SUCCESS;
}

static void send_blocks(const void *blocks, int count, struct SMPI_Datatype *type, int relative,
                        int root, struct SMPI_Comm *comm) {
    int size = comm->group->size;
    int64_t total = count;
    for (int bit = 1; bit < size && (relative & bit) == 0; bit <<= 1) {
        if (relative + bit >= size)
            continue;
        int elements = block_of(relative, bit, size) * count;
        exchange_send(element((void *)(uintptr_t)blocks, total, type), elements, type,
                      real_rank(relative + bit, root, size), TAG_SCATTER, comm);
        total += elements;
    }
}

static void scatter_from_root(GATHER_PARAMETERS) {
    int size = comm->group->size;
    const void *blocks = sent;
    void *rotated = NULL;
    if (root != 0) {
        rotated = temporary_new(send_count * size, send_type, sent);
        rotate_into(rotated, sent, send_count, send_type, size - root, size);
        blocks = rotated;
    }
    if (received != MPI_IN_PLACE)
        datatype_copy(received, receive_count, receive_type, blocks, send_count, send_type);
    send_blocks(blocks, send_count, send_type, 0, root, comm);
    temporary_free(rotated);
}

int scatter_binomial(GATHER_PARAMETERS) {
    int rank = communicator_rank(comm), size = comm->group->size;
    int relative = (rank - root + size) % size, bit = parent_bit(relative, size);
    int parent = real_rank(relative - bit + size, root, size);
    if (rank == root) {
        scatter_from_root(sent, send_count, send_type, received, receive_count, receive_type, root,
                          comm);
    } else if (relative % 2 != 0) {
        exchange_receive(received, receive_count, receive_type, parent, TAG_SCATTER, comm,
                         MPI_STATUS_IGNORE);
    } else {
        void *held = temporary_new(receive_count * size, receive_type, received);
        exchange_receive(held, receive_count * size, receive_type, parent, TAG_SCATTER, comm,
                         MPI_STATUS_IGNORE);
        datatype_copy(received, receive_count, receive_type, held, receive_count, receive_type);
        send_blocks(held, receive_count, receive_type, relative, root, comm);
        temporary_free(held);
    }
    return MPI_SUCCESS;
}
