/* SPDX-License-Identifier: Apache-2.0
 *
 * Which function is called, an expression chooses; one of them sets a pointer on the way.
 *
 * kept: (rank == 0 ? lead : follow)
 * kept: (send = follow)
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdio.h>

static void lead(double *x, int n) {
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void follow(double *x, int n) {
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    void (*send)(double *, int);
    double x[64];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    (rank == 0 ? lead : follow)(x, 3);
    (send = follow)(x, 4);
    send(x, 5);
    printf("%g\n", x[1]);
    MPI_Finalize();
    return 0;
}
