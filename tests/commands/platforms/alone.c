/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks that compute, rank R for R + 1 times as long as rank 0, and do not communicate meanwhile.
 */
#include <mpi.h>
#include <stdio.h>

static double waves(int count) {
    double sum = 0, x = 0.5;
    for (int i = 0; i < count; i++) {
        x = 3.9 * x * (1 - x);
        sum += x;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double sum = waves(200000 * (rank + 1));
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
