/* SPDX-License-Identifier: Apache-2.0
 *
 * A pointer to a function that the C library has: nothing here sets it, which says nothing.
 *
 * kept: error_print_progname();
 * gone: u[i] *= 2
 */
#define _GNU_SOURCE
#include <error.h>
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        u[i] *= 2;
    if (error_print_progname != 0)
        error_print_progname();
    MPI_Bcast(u, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
