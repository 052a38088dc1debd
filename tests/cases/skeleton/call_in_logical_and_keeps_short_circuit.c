/* SPDX-License-Identifier: Apache-2.0
 *
 * f() && g(): g communicates, and only if f says so.
 *
 * kept: ready(rank, step) && exchange
 * gone: hits++
 */
#include <mpi.h>

static int ready(int rank, int step) {
    return (rank / 2 + step) % 2;
}

static int exchange(double *x, int rank) {
    for (int i = 0; i < 8; i++)
        x[i] = x[i] * 3.25;
    MPI_Sendrecv_replace(x, 8, MPI_DOUBLE, rank ^ 1, 0, rank ^ 1, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    return x[0] > 1;
}

int main(int argc, char **argv) {
    double x[8] = {1};
    int rank, hits = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 5; step++)
        if (ready(rank, step) && exchange(x, rank))
            hits++;
    MPI_Finalize();
    return hits > 1000;
}
