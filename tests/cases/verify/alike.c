/* SPDX-License-Identifier: Apache-2.0
 *
 * Solves until what is left is small, which all ranks find alike, and meets at a barrier in each
 * iteration, and behind each solve for a broadcast. ARGUMENTS: how many elements all ranks have
 * together, which decides how often a solve iterates, and how that goes up and down from one solve
 * to the next.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define SOLVES 30

static void fill(double *x, int n, double start) {
    for (int i = 0; i < n; i++)
        x[i] = start;
}

static void halve(double *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] *= 0.5;
}

int main(int argc, char **argv) {
    int rank, ranks, total, turn;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    total = atoi(argv[1]);
    turn = atoi(argv[2]);
    int n = total * (rank + 1) / ranks - total * rank / ranks;
    double *x = malloc((size_t)n * sizeof *x);
    for (int s = 0; s < SOLVES; s++) {
        fill(x, n, ldexp(1, 3 + s * turn % 3 + total / 50));
        while (x[0] > 1) {
            halve(x, n);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        MPI_Bcast(&turn, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return argc < 3;
}
