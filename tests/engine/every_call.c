/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication of all kinds, for tests of the engine: `every_call all`, or `deadlock`, `abort`,
 * `code` for ends of a run. Messages that a rank receives from anyone have different sizes, so that
 * none arrive together: in which order those do is nobody's promise.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MANY 20000 /* bytes that are not eager: 8 times as much */

static int rank, size;
static double cells[MANY], others[MANY];

static void add(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *length; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

static void modes(void) {
    int next = (rank + 1) % size, last = (rank + size - 1) % size, bytes = 4096;
    void *buffer = malloc((size_t)bytes);
    MPI_Request requests[6];
    MPI_Status statuses[6];
    MPI_Irecv(others, 8, MPI_DOUBLE, last, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(others + 8, MANY - 8, MPI_DOUBLE, last, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(others, 4, MPI_DOUBLE, last, 3, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(cells, 8, MPI_DOUBLE, next, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Issend(cells, MANY - 8, MPI_DOUBLE, next, 2, MPI_COMM_WORLD, &requests[4]);
    MPI_Irsend(cells, 4, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &requests[5]);
    MPI_Waitall(6, requests, statuses);
    MPI_Buffer_attach(buffer, bytes);
    MPI_Bsend(cells, 16, MPI_DOUBLE, next, 4, MPI_COMM_WORLD);
    MPI_Recv(others, 16, MPI_DOUBLE, last, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    if (rank % 2 == 0 && rank + 1 < size)
        MPI_Ssend(cells, 10, MPI_DOUBLE, rank + 1, 5, MPI_COMM_WORLD);
    if (rank % 2 == 1)
        MPI_Recv(others, 100, MPI_DOUBLE, rank - 1, MPI_ANY_TAG, MPI_COMM_WORLD, &statuses[0]);
    MPI_Sendrecv(cells, 9, MPI_DOUBLE, next, 6, others, 9, MPI_DOUBLE, last, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(cells, 9, MPI_DOUBLE, last, 7, next, 7, MPI_COMM_WORLD, &statuses[0]);
    MPI_Sendrecv(cells, 3, MPI_INT, MPI_PROC_NULL, 6, others, 3, MPI_INT, MPI_PROC_NULL, 6,
                 MPI_COMM_WORLD, &statuses[0]);
}

/* Rank 0 waits for a message that is too large to be eager, before it tells the last rank. */
static void large(void) {
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(cells, MANY - 1, MPI_DOUBLE, 1, 20, MPI_COMM_WORLD, &request);
        MPI_Send(cells, MANY, MPI_DOUBLE, 1, 21, MPI_COMM_WORLD);
        MPI_Send(cells, 1, MPI_DOUBLE, size - 1, 22, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 1) {
        MPI_Recv(others, MANY, MPI_DOUBLE, 0, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(others, MANY, MPI_DOUBLE, 0, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == size - 1)
        MPI_Recv(others, 1, MPI_DOUBLE, 0, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 takes what comes, by all the ways of waiting. */
static void from_anyone(void) {
    MPI_Request requests[64];
    MPI_Status status;
    int count = 0, index, flag, indices[64], done;
    if (rank > 0) {
        MPI_Send(cells, 100 * rank, MPI_DOUBLE, 0, rank, MPI_COMM_WORLD);
        MPI_Send(cells, 50 * rank, MPI_DOUBLE, 0, 100, MPI_COMM_WORLD);
        MPI_Send(cells, 20 * rank, MPI_DOUBLE, 0, 101, MPI_COMM_WORLD);
        MPI_Send(cells, 70 * rank, MPI_DOUBLE, 0, 102, MPI_COMM_WORLD);
        return;
    }
    for (int i = 1; i < size; i++) {
        MPI_Probe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        MPI_Recv(others, count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 &status);
    }
    for (int i = 1; i < size; i++)
        MPI_Irecv(others, MANY, MPI_DOUBLE, i, 100, MPI_COMM_WORLD, &requests[i - 1]);
    for (int i = 1; i < size; i++)
        MPI_Waitany(size - 1, requests, &index, &status);
    for (int i = 1; i < size; i++)
        MPI_Irecv(others, MANY, MPI_DOUBLE, i, 101, MPI_COMM_WORLD, &requests[i - 1]);
    for (int left = size - 1; left > 0; left -= done)
        MPI_Waitsome(size - 1, requests, &done, indices, MPI_STATUSES_IGNORE);
    for (int i = 1; i < size; i++) {
        MPI_Irecv(others, MANY, MPI_DOUBLE, i, 102, MPI_COMM_WORLD, &requests[0]);
        for (flag = 0; !flag;)
            MPI_Test(&requests[0], &flag, &status);
    }
}

static void again_and_again(void) {
    int next = (rank + 1) % size, last = (rank + size - 1) % size, flag;
    MPI_Request requests[2], lost;
    MPI_Status status;
    MPI_Send_init(cells, 30, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(others, 30, MPI_DOUBLE, last, 8, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Irecv(others, 5, MPI_DOUBLE, last, 11, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(cells, 5, MPI_DOUBLE, next, 11, MPI_COMM_WORLD, &requests[1]);
    for (flag = 0; !flag;)
        MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Irecv(others, 30, MPI_DOUBLE, last, 999, MPI_COMM_WORLD, &lost);
    MPI_Cancel(&lost);
    MPI_Wait(&lost, &status);
    MPI_Test_cancelled(&status, &flag);
    if (flag)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void collectives(MPI_Comm comm) {
    int n, me, counts[64], offsets[64], one = 1, sum = 0;
    double own[8] = {rank}, all[8 * 64];
    MPI_Op own_sum;
    MPI_Comm_size(comm, &n);
    MPI_Comm_rank(comm, &me);
    for (int i = 0; i < n; i++) {
        counts[i] = 1 + i % 3;
        offsets[i] = 4 * i;
    }
    MPI_Op_create(add, 1, &own_sum);
    MPI_Bcast(cells, 300, MPI_DOUBLE, n - 1, comm);
    MPI_Reduce(cells, others, 100, MPI_DOUBLE, MPI_MAX, 1, comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(cells, others, 7, MPI_DOUBLE, own_sum, comm);
    MPI_Gather(own, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, n / 2, comm);
    MPI_Scatter(all, 2, MPI_DOUBLE, own, 2, MPI_DOUBLE, n / 2, comm);
    MPI_Allgather(own, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, comm);
    MPI_Gatherv(own, counts[me], MPI_DOUBLE, all, counts, offsets, MPI_DOUBLE, 0, comm);
    MPI_Scatterv(all, counts, offsets, MPI_DOUBLE, own, counts[me], MPI_DOUBLE, 0, comm);
    MPI_Allgatherv(own, counts[me], MPI_DOUBLE, all, counts, offsets, MPI_DOUBLE, comm);
    MPI_Alltoall(cells, 2, MPI_DOUBLE, others, 2, MPI_DOUBLE, comm);
    MPI_Alltoall(cells, 300, MPI_DOUBLE, others, 300, MPI_DOUBLE, comm);
    for (int i = 0; i < n; i++)
        counts[i] = 2;
    MPI_Alltoallv(cells, counts, offsets, MPI_DOUBLE, others, counts, offsets, MPI_DOUBLE, comm);
    MPI_Reduce_scatter(cells, others, counts, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Reduce_scatter_block(cells, others, 3, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&sum, 1, MPI_INT, n - 1, comm);
    for (int i = 0; i < sum; i++)
        MPI_Barrier(comm);
    MPI_Barrier(comm);
    MPI_Op_free(&own_sum);
}

static void nonblocking(void) {
    MPI_Request requests[6];
    double own[3] = {rank}, all[3 * 64], sums[3];
    int flag;
    MPI_Ibcast(cells, 200, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(own, sums, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallgather(own, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Igather(own, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Ireduce(own, sums, 3, MPI_DOUBLE, MPI_MIN, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Ialltoall(cells, 5, MPI_DOUBLE, others, 5, MPI_DOUBLE, MPI_COMM_WORLD, &requests[2]);
    for (flag = 0; !flag;)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests + 1, MPI_STATUSES_IGNORE);
}

static void communicators(void) {
    MPI_Comm twin, part, grid, row;
    MPI_Group world, evens;
    int every_other[64], sizes[2] = {0, 0}, periods[2] = {1, 0}, keep[2] = {0, 1}, from, to;
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    collectives(twin);
    MPI_Comm_split(twin, rank % 2, -rank, &part);
    MPI_Allreduce(cells, others, 4, MPI_DOUBLE, MPI_SUM, part);
    MPI_Comm_free(&part);
    MPI_Comm_group(twin, &world);
    for (int i = 0; 2 * i < size; i++)
        every_other[i] = 2 * i;
    MPI_Group_incl(world, (size + 1) / 2, every_other, &evens);
    MPI_Comm_create(twin, evens, &part);
    if (part != MPI_COMM_NULL) {
        MPI_Bcast(cells, 40, MPI_DOUBLE, 0, part);
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&evens);
    MPI_Group_free(&world);
    MPI_Dims_create(size, 2, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    for (int i = 0; i < 2; i++) {
        MPI_Cart_shift(grid, i, 1, &from, &to);
        MPI_Sendrecv(cells, 60, MPI_DOUBLE, to, 1, others, 60, MPI_DOUBLE, from, 1, grid,
                     MPI_STATUS_IGNORE);
    }
    MPI_Cart_sub(grid, keep, &row);
    MPI_Allgather(cells, 6, MPI_DOUBLE, others, 6, MPI_DOUBLE, row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&twin);
}

/* Columns of an array, whose contents tell how many messages follow. */
static void columns(void) {
    int next = (rank + 1) % size, last = (rank + size - 1) % size, table[5][4], got[5][4];
    MPI_Datatype column, part;
    for (int i = 0; i < 20; i++)
        table[i / 4][i % 4] = i % 3;
    memset(got, 0, sizeof got);
    MPI_Type_vector(5, 1, 4, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &part);
    MPI_Type_commit(&part);
    MPI_Sendrecv(&table[0][1], 2, part, next, 2, &got[0][0], 2, part, last, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < got[1][0] + got[2][1]; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_free(&part);
    MPI_Type_free(&column);
}

/* Ranks describe the same as others, and then something else: what they send tells which. */
static void own_types(void) {
    int next = (rank + 1) % size, last = (rank + size - 1) % size, table[64] = {0};
    MPI_Datatype same, twin, other;
    MPI_Type_vector(2, 2, 3, MPI_INT, &same);
    MPI_Type_vector(2, 2, 3, MPI_INT, &twin);
    MPI_Type_free(&same);
    MPI_Type_vector(2, 1 + rank % 2, 3, twin, &other);
    MPI_Type_commit(&other);
    MPI_Type_free(&twin);
    MPI_Sendrecv(table, 1, other, next, 3, others, 64, MPI_INT, last, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&other);
}

static void windows(void) {
    static double window[64];
    int next = (rank + 1) % size;
    double values[4] = {1, 2, 3, rank}, old = 0;
    MPI_Win win;
    MPI_Win_create(window, sizeof window, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(values, 4, MPI_DOUBLE, next, 0, 4, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Get(values, 4, MPI_DOUBLE, next, 4, 4, MPI_DOUBLE, win);
    MPI_Accumulate(values, 2, MPI_DOUBLE, next, 8, 2, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    MPI_Fetch_and_op(values, &old, MPI_DOUBLE, next, 3, MPI_SUM, win);
    MPI_Win_unlock(next, win);
    MPI_Win_free(&win);
}

/* They come one after the other, and one of the last has a receive open. */
static void between_messages(void) {
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int step = 0; step < 4; step++) {
        MPI_Request open = MPI_REQUEST_NULL;
        double sums[2] = {rank, step};
        if (rank > 0)
            MPI_Recv(others, 8 * step + 1, MPI_DOUBLE, last, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank + 1 < size)
            MPI_Ssend(cells, 8 * step + 1, MPI_DOUBLE, next, 30, MPI_COMM_WORLD);
        if (rank == size - step)
            MPI_Irecv(others, 1, MPI_DOUBLE, next, 31, MPI_COMM_WORLD, &open);
        MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        if (last == size - step)
            MPI_Send(cells, 1, MPI_DOUBLE, last, 31, MPI_COMM_WORLD);
        MPI_Wait(&open, MPI_STATUS_IGNORE);
        for (int i = 0; i < (int)sums[0] % 3; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* What the engine lacks. */
static void write_file(void) {
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "written", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, 8 * rank, cells, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

/* Others go on while a rank looks at memory that it shares with them. */
static void poll_memory(void) {
    volatile int *flag;
    int *own, unit;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &flag);
    *own = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        *flag = 1;
    while (*flag == 0)
        usleep(10);
    MPI_Win_free(&win);
}

static void fail(const char *how) {
    if (strcmp(how, "file") == 0)
        write_file();
    int code = strcmp(how, "code") == 0 ? 7 : 0;
    if (strcmp(how, "deadlock") == 0 && rank == 1)
        MPI_Recv(others, 1, MPI_DOUBLE, 0, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(how, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    exit(code);
}

static void run(char part) {
    if (part == 'm')
        modes();
    else if (part == 'l')
        large();
    else if (part == 'f')
        from_anyone();
    else if (part == 'a')
        again_and_again();
    else if (part == 'c')
        collectives(MPI_COMM_WORLD);
    else if (part == 'n')
        nonblocking();
    else if (part == 'o')
        communicators();
    else if (part == 'd')
        columns();
    else if (part == 't')
        own_types();
    else if (part == 'b')
        between_messages();
    else if (part == 'p')
        poll_memory();
    else if (part == 'w')
        windows();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2)
        fail(argv[2]);
    for (const char *part = argc > 1 ? argv[1] : ""; *part != '\0'; part++)
        run(*part);
    MPI_Finalize();
    return 0;
}
