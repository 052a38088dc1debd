/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 sends 100 MB to each other rank, one after the other, and all add up
 * their numbers; no rank computes.
 */
#include <mpi.h>

#define BYTES 100000000
#define NUMBERS 1600

static char buffer[BYTES];
static int ones[NUMBERS], sums[NUMBERS];

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int to = 1; to < size; to++) {
        if (rank == 0)
            MPI_Send(buffer, BYTES, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        if (rank == to)
            MPI_Recv(buffer, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(ones, sums, NUMBERS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
