/* SPDX-License-Identifier: Apache-2.0
 *
 * An array without a name, which a pointer at file scope is initialised with, tells how much is
 * sent.
 *
 * gone: x[i] = x[i] * 0.5 + 1
 * kept: (const int[]){10, 20, 30}
 */
#include <mpi.h>

static const int *const counts = (const int[]){10, 20, 30};

int main(int argc, char **argv) {
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        x[i] = x[i] * 0.5 + 1;
    MPI_Bcast(x, counts[argc % 3], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
