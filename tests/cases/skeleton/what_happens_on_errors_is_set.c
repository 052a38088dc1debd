/* SPDX-License-Identifier: Apache-2.0
 *
 * A call fails, and a handler is called, once by the program itself.
 *
 * kept: MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
 * kept: MPI_Comm_call_errhandler(other, MPI_ERR_OTHER)
 * kept: errors++
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdio.h>

static int errors;

static void count_error(MPI_Comm *comm, int *code, ...) {
    errors++;
}

int main(int argc, char **argv) {
    double x[64];
    int failures = 0;
    MPI_Comm other;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(other, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    if (MPI_Send(x, 3, MPI_DOUBLE, -7, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
        failures++;
    MPI_Comm_call_errhandler(other, MPI_ERR_OTHER);
    MPI_Bcast(x, 1 + failures + 2 * errors, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", x[1]);
    MPI_Finalize();
    return 0;
}
