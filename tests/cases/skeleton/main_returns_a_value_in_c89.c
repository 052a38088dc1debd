/* SPDX-License-Identifier: Apache-2.0
 *
 * In C89 main has to return a value: the skeleton's does too.
 *
 * gone: x[i] + 1
 * flags: -std=gnu89
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[5] = {0};
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 5; i++)
        x[i] = x[i] + 1;
    MPI_Bcast(x, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
