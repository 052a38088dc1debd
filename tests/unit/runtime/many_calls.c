/* SPDX-License-Identifier: Apache-2.0
 *
 * One call of each kind that is recorded, with the arguments that MPI does not look at left as
 * null or as garbage. The same program serves as original and as skeleton.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 64
#define GARBAGE ((int)0x80000001)

static int rank, size;
static double in[LARGEST * 4], out[LARGEST * 4];

static void point_to_point(void) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size, flag = 0, index = -1, done = 0;
    int indices[2];
    MPI_Request requests[2];
    MPI_Status status, statuses[2];
    MPI_Irecv(in, 3, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(out, 3, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Recv_init(in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Waitany(2, requests, &index, &status);
    MPI_Waitsome(2, requests, &done, indices, statuses);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Isend(out, 2, MPI_FLOAT, right, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Iprobe(left, 3, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(in, 2, MPI_FLOAT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!flag)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status);
    MPI_Sendrecv_replace(in, 2, MPI_INT, right, 5, left, 5, MPI_COMM_WORLD, &status);
}

static void collectives(void) {
    int counts[LARGEST], displacements[LARGEST], i, root = size - 1;
    const int *counts_at_root = rank == root ? counts : NULL;
    MPI_Datatype types[LARGEST];
    MPI_Request request;
    for (i = 0; i < size; i++) {
        counts[i] = 1;
        displacements[i] = i * (int)sizeof(double);
        types[i] = MPI_DOUBLE;
    }
    MPI_Alltoallw(in, counts, displacements, types, out, counts, displacements, types,
                  MPI_COMM_WORLD);
    for (i = 0; i < size; i++)
        displacements[i] = i;
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, out, counts, displacements,
                  MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Gather(in, 1, MPI_DOUBLE, rank == root ? out : NULL, rank == root ? 1 : GARBAGE,
               rank == root ? MPI_DOUBLE : MPI_DATATYPE_NULL, root, MPI_COMM_WORLD);
    MPI_Gatherv(in, 1, MPI_DOUBLE, rank == root ? out : NULL, counts_at_root, displacements,
                MPI_DOUBLE, root, MPI_COMM_WORLD);
    MPI_Scatter(rank == root ? out : NULL, rank == root ? 1 : GARBAGE, MPI_DOUBLE, in, 1,
                MPI_DOUBLE, root, MPI_COMM_WORLD);
    MPI_Scatterv(out, counts_at_root, displacements, MPI_DOUBLE, in, 1, MPI_DOUBLE, root,
                 MPI_COMM_WORLD);
    MPI_Reduce(rank == root ? MPI_IN_PLACE : in, rank == root ? in : NULL, 2, MPI_DOUBLE, MPI_MAX,
               root, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Allgatherv(in, 1, MPI_DOUBLE, out, counts, displacements, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Scan(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast(in, 3, MPI_LONG, root, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void communicators(void) {
    int dims[2] = {0, 0}, periods[2] = {1, 1}, remain[2] = {1, 0}, zero = 0;
    MPI_Comm grid, row, part, copy;
    MPI_Group world, first;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, remain, &row);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &zero, &first);
    MPI_Comm_create(MPI_COMM_WORLD, first, &part);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Group_free(&first);
    MPI_Group_free(&world);
}

static void datatypes_and_windows(void) {
    MPI_Datatype column;
    MPI_Win window;
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(in, 1, column, (rank + 1) % size, 6, out, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 6,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Win_create(in, sizeof in, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(out, 1, MPI_DOUBLE, (rank + 1) % size, 2, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Pcontrol(1);
    BSIM_ADD_TIME(0);
    point_to_point();
    collectives();
    communicators();
    datatypes_and_windows();
    MPI_Finalize();
    return 0;
}
