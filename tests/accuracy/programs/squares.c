/* SPDX-License-Identifier: Apache-2.0
 * Blocks of a square grid of ranks: their side is n over the root of the number of ranks, a call of
 * the mathematics library behind a condition. Each row of a block takes as much as some elements.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static double sum_of_blocks(int n, int ranks) {
    double sum = 0, *x = calloc((size_t)n, sizeof *x);
    if (x == NULL)
        return 0;
    int q = sqrt(ranks), side = n / q;
    for (int rank = 0; rank < ranks; rank++)
        for (int i = 0; i < side; i++) {
            for (int j = 0; j < side; j++)
                x[j] = x[j] * 0.5 + i;
            for (int k = 0; k < 30; k++)
                sum = sum * 0.5 + x[k % side];
        }
    free(x);
    return sum;
}

int main(int argc, char **argv) {
    int ranks, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    double sum = sum_of_blocks(n, ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
