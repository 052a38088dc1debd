/* SPDX-License-Identifier: Apache-2.0
 *
 * A ring, N numbers a message, in STEPS steps; rank 0 sums up in the second half of a split world.
 */
#include <mpi.h>
#include <stdlib.h>

static double values[2][100000];

static void pass_on(int count, int rank, int size, MPI_Comm comm) {
    MPI_Request requests[2];
    MPI_Irecv(values[0], count, MPI_DOUBLE, (rank + size - 1) % size, 7, comm, &requests[0]);
    MPI_Isend(values[1], count, MPI_DOUBLE, (rank + 1) % size, 7, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    int rank, size, count = atoi(argv[1]), steps = atoi(argv[2]);
    int counts[64], places[64] = {0};
    double sum = 0;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 64; i++)
        counts[i] = 2;
    for (int step = 0; step < steps; step++) {
        pass_on(count, rank, size, comm);
        MPI_Reduce(&values[0][0], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    }
    MPI_Alltoall(values[0], 3, MPI_DOUBLE, values[1], 3, MPI_DOUBLE, comm);
    MPI_Alltoallv(values[0], counts, places, MPI_DOUBLE, values[1], counts, places, MPI_DOUBLE,
                  comm);
    MPI_Finalize();
    return sum < 0;
}
