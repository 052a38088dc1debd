/* SPDX-License-Identifier: Apache-2.0
 *
 * Exchanges of all with all; see collective_algorithms.h. Which algorithm is used for how many
 * ranks and bytes is SMPI's choice, which it has from Open MPI 4; the algorithm with fewer steps is
 * that of Bruck et al. (IEEE TPDS 8(11), 1997).
 */
#include "engine/collectives/collective_algorithms.h"

#include "base/arena.h"
#include "engine/objects/failure.h"

#include <stdlib.h>
#include <string.h>

static char *element(const void *buffer, int64_t index, const struct SMPI_Datatype *type) {
    return buffer != NULL ? (char *)(uintptr_t)buffer + index * datatype_extent(type) : NULL;
}

int alltoall_pairwise(ALLGATHER_PARAMETERS) {
    int rank = communicator_rank(comm), size = comm->group->size;
    if ((size & (size - 1)) != 0)
        engine_lacks("MPI_Alltoall by pairs among %d ranks", size);
    for (int i = 0; i < size; i++) {
        int with = rank ^ i;
        struct exchange_side send = {.buffer = element(sent, (int64_t)with * send_count, send_type),
                                     .count = send_count,
                                     .type = send_type,
                                     .rank = with,
                                     .tag = TAG_ALLTOALL};
        struct exchange_side receive = {
            .buffer = element(received, (int64_t)with * receive_count, receive_type),
            .count = receive_count,
            .type = receive_type,
            .rank = with,
            .tag = TAG_ALLTOALL};
        exchange_both(&send, &receive, comm, MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}

/* Blocks are packed: `block_bytes` each, in the order of how far they have to go. */
struct bruck {
    char *blocks, *outgoing, *incoming;
    size_t block_bytes;
    int rank, size;
    struct SMPI_Comm *comm;
};

/* Copies the blocks whose distance has this bit, one after the other; their number. */
static int collect(struct bruck *bruck, int bit) {
    int count = 0;
    for (int i = 1; i < bruck->size; i++)
        if ((i & bit) != 0)
            memcpy(bruck->outgoing + (size_t)count++ * bruck->block_bytes,
                   bruck->blocks + (size_t)i * bruck->block_bytes, bruck->block_bytes);
    return count;
}

static void put_back(struct bruck *bruck, int bit) {
    int count = 0;
    for (int i = 1; i < bruck->size; i++)
        if ((i & bit) != 0)
            memcpy(bruck->blocks + (size_t)i * bruck->block_bytes,
                   bruck->incoming + (size_t)count++ * bruck->block_bytes, bruck->block_bytes);
}

static void bruck_step(struct bruck *bruck, int bit) {
    int bytes = collect(bruck, bit) * (int)bruck->block_bytes;
    struct exchange_side send = {.buffer = bruck->outgoing,
                                 .count = bytes,
                                 .type = MPI_BYTE,
                                 .rank = (bruck->rank + bit) % bruck->size,
                                 .tag = TAG_ALLTOALL};
    struct exchange_side receive = send;
    receive.buffer = bruck->incoming;
    receive.rank = (bruck->rank - bit + bruck->size) % bruck->size;
    exchange_both(&send, &receive, bruck->comm, MPI_STATUS_IGNORE);
    put_back(bruck, bit);
}

int alltoall_bruck(ALLGATHER_PARAMETERS) {
    int rank = communicator_rank(comm), size = comm->group->size;
    struct bruck bruck = {.block_bytes = (size_t)send_count * send_type->size,
                          .rank = rank,
                          .size = size,
                          .comm = comm};
    size_t all_bytes = bruck.block_bytes * (size_t)size + 1;
    bruck.blocks = xcalloc(1, all_bytes);
    bruck.outgoing = xcalloc(1, all_bytes);
    bruck.incoming = xcalloc(1, all_bytes);
    for (int i = 0; i < size; i++)
        datatype_copy(bruck.blocks + (size_t)i * bruck.block_bytes, (int)bruck.block_bytes,
                      MPI_BYTE, element(sent, (int64_t)((rank + i) % size) * send_count, send_type),
                      send_count, send_type);
    for (int bit = 1; bit < size; bit <<= 1)
        bruck_step(&bruck, bit);
    for (int i = 0; i < size; i++)
        datatype_copy(
            element(received, (int64_t)((rank - i + size) % size) * receive_count, receive_type),
            receive_count, receive_type, bruck.blocks + (size_t)i * bruck.block_bytes,
            (int)bruck.block_bytes, MPI_BYTE);
    free(bruck.blocks);
    free(bruck.outgoing);
    free(bruck.incoming);
    return MPI_SUCCESS;
}

/* Up to which size of a block; the last one has no limit. */
struct alltoall_choice {
    size_t below_bytes;
    int (*exchange)(ALLGATHER_PARAMETERS);
};

#define CHOICES_MOST 9
#define UNLIMITED SIZE_MAX

/* By the number of ranks, which is below: */
static const struct alltoall_row {
    int below_ranks;
    struct alltoall_choice choices[CHOICES_MOST];
} alltoall_rows[] = {
    {3,
     {{2, alltoall_pairwise},
      {4, alltoall_linear},
      {16, alltoall_pairwise},
      {64, alltoall_linear},
      {256, alltoall_pairwise},
      {4096, alltoall_linear},
      {32768, alltoall_pairwise},
      {1048576, alltoall_linear},
      {UNLIMITED, alltoall_pairwise}}},
    {8, {{524288, alltoall_linear}, {1048576, alltoall_pairwise}, {UNLIMITED, alltoall_linear}}},
    {16, {{UNLIMITED, alltoall_linear}}},
    {32, {{4, alltoall_linear}, {512, alltoall_bruck}, {UNLIMITED, alltoall_linear}}},
    {64, {{512, alltoall_bruck}, {UNLIMITED, alltoall_linear}}},
    {256, {{1024, alltoall_bruck}, {262144, alltoall_linear}, {UNLIMITED, alltoall_pairwise}}},
    {512, {{1024, alltoall_bruck}, {32768, alltoall_linear}, {UNLIMITED, alltoall_pairwise}}},
    {1024, {{512, alltoall_bruck}, {262144, alltoall_linear}, {UNLIMITED, alltoall_pairwise}}},
    {2048, {{512, alltoall_bruck}, {UNLIMITED, alltoall_linear}}},
    {4096, {{1024, alltoall_bruck}, {UNLIMITED, alltoall_linear}}},
    {INT32_MAX, {{2048, alltoall_bruck}, {UNLIMITED, alltoall_linear}}},
};

int alltoall_by_size(ALLGATHER_PARAMETERS) {
    size_t bytes = (size_t)send_count * send_type->size;
    const struct alltoall_row *row = alltoall_rows;
    if (comm->group->size == 1)
        return alltoall_linear(sent, send_count, send_type, received, receive_count, receive_type,
                               comm);
    while (comm->group->size >= row->below_ranks)
        row++;
    const struct alltoall_choice *choice = row->choices;
    while (bytes >= choice->below_bytes && choice->below_bytes != UNLIMITED)
        choice++;
    return choice->exchange(sent, send_count, send_type, received, receive_count, receive_type,
                            comm);
}
