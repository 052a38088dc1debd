/* SPDX-License-Identifier: Apache-2.0
 *
 * What is made and freed again, or used and over, a thousand times: afterwards no more memory is in
 * use. A few bytes each are for numbers that are never given out twice.
 */
#include "answers.h"

#include <malloc.h>
#include <stdlib.h>

#define TIMES 1000
#define BYTES_EACH 24 /* of all ranks */

struct memory {
    const struct rank *rank;
    int *cells, *others, *counts, *offsets;
};

static void of_communicator(const struct memory *memory) {
    MPI_Comm comm;
    (void)memory;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_free(&comm);
}

static void of_group(const struct memory *memory) {
    const int some[] = {2, 0, 1};
    MPI_Group world, part;
    (void)memory;
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 3, some, &part);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
}

static void of_grid(const struct memory *memory) {
    const int sizes[] = {memory->rank->size}, periods[] = {1}, keep[] = {1};
    MPI_Comm grid, part;
    MPI_Cart_create(WORLD, 1, sizes, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &part);
    MPI_Comm_free(&part);
    MPI_Comm_free(&grid);
}

static void of_type(const struct memory *memory) {
    MPI_Datatype type, inner;
    const int *cells = memory->cells;
    int *others = memory->others, next = memory->rank->next, last = memory->rank->last;
    MPI_Type_vector(2, 1, 3, MPI_INT, &inner);
    MPI_Type_contiguous(2, inner, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&inner);
    MPI_Sendrecv(cells, 1, type, next, 1, others, 1, type, last, 1, WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

static void of_info(const struct memory *memory) {
    MPI_Info info;
    (void)memory;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_set(info, "key", "other");
    MPI_Info_free(&info);
}

static void of_window(const struct memory *memory) {
    int *cells;
    MPI_Win win;
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, WORLD, &cells, &win);
    MPI_Win_fence(0, win);
    MPI_Put(memory->cells, 2, MPI_INT, memory->rank->next, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void of_messages(const struct memory *memory) {
    const int next = memory->rank->next, last = memory->rank->last;
    MPI_Request requests[2];
    MPI_Irecv(memory->others, 8, MPI_INT, last, 1, WORLD, &requests[0]);
    MPI_Isend(memory->cells, 8, MPI_INT, next, 1, WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Send_init(memory->cells, 8, MPI_INT, next, 2, WORLD, &requests[0]);
    MPI_Recv_init(memory->others, 8, MPI_INT, last, 2, WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Irecv(memory->others, 8, MPI_INT, last, 3, WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

#define SENT memory->cells, 2, MPI_INT
#define RECEIVED memory->others, 2, MPI_INT
#define SPREAD_SENT memory->cells, memory->counts, memory->offsets, MPI_INT
#define SPREAD_RECEIVED memory->others, memory->counts, memory->offsets, MPI_INT

static void of_collectives(const struct memory *memory) {
    const int root = 1;
    MPI_Request requests[3];
    MPI_Barrier(WORLD);
    MPI_Bcast(SENT, root, WORLD);
    MPI_Gather(SENT, RECEIVED, root, WORLD);
    MPI_Scatter(SENT, RECEIVED, root, WORLD);
    MPI_Allgather(SENT, RECEIVED, WORLD);
    MPI_Alltoall(SENT, RECEIVED, WORLD);
    MPI_Gatherv(SENT, SPREAD_RECEIVED, root, WORLD);
    MPI_Scatterv(SPREAD_SENT, RECEIVED, root, WORLD);
    MPI_Allgatherv(SENT, SPREAD_RECEIVED, WORLD);
    MPI_Alltoallv(SPREAD_SENT, SPREAD_RECEIVED, WORLD);
    MPI_Reduce(memory->cells, RECEIVED, MPI_SUM, root, WORLD);
    MPI_Allreduce(memory->cells, RECEIVED, MPI_SUM, WORLD);
    MPI_Scan(memory->cells, RECEIVED, MPI_SUM, WORLD);
    MPI_Exscan(memory->cells, RECEIVED, MPI_SUM, WORLD);
    MPI_Reduce_scatter(memory->cells, memory->others, memory->counts, MPI_INT, MPI_SUM, WORLD);
    MPI_Reduce_scatter_block(memory->cells, RECEIVED, MPI_SUM, WORLD);
    MPI_Ibarrier(WORLD, &requests[0]);
    MPI_Iallreduce(memory->cells, RECEIVED, MPI_SUM, WORLD, &requests[1]);
    MPI_Ialltoallv(SPREAD_SENT, SPREAD_RECEIVED, WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void repeat(const struct memory *memory, void (*of)(const struct memory *)) {
    for (int i = 0; i < TIMES; i++)
        of(memory);
    MPI_Barrier(WORLD);
}

/* The second thousand needs no more than the first. */
static void measure(const struct memory *memory, const char *what,
                    void (*of)(const struct memory *)) {
    const struct rank *rank = memory->rank;
    repeat(memory, of);
    size_t before = mallinfo2().uordblks;
    MPI_Barrier(WORLD);
    repeat(memory, of);
    long more = (long)(mallinfo2().uordblks - before);
    MPI_Barrier(WORLD);
    if (rank->rank == 0)
        tell(rank, what, more <= (long)BYTES_EACH * TIMES, more / TIMES, 0);
}

void leftovers(const struct rank *rank) {
    struct memory memory = {rank, ints_from(0, 4 * rank->size), ints_from(0, 4 * rank->size),
                            ints_from(0, rank->size), ints_from(0, rank->size)};
    for (int i = 0; i < rank->size; i++) {
        memory.counts[i] = 1 + i % 2;
        memory.offsets[i] = 3 * i;
    }
    measure(&memory, "communicator", of_communicator);
    measure(&memory, "group", of_group);
    measure(&memory, "grid", of_grid);
    measure(&memory, "type", of_type);
    measure(&memory, "info", of_info);
    measure(&memory, "window", of_window);
    measure(&memory, "messages", of_messages);
    measure(&memory, "collectives", of_collectives);
    free(memory.cells);
    free(memory.others);
    free(memory.counts);
    free(memory.offsets);
}
