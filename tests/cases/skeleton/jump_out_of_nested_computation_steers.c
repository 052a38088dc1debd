/* SPDX-License-Identifier: Apache-2.0
 *
 * A goto out of two loops that search decides about a message; what else the loops do goes.
 *
 * kept: goto found
 * gone: visited +=
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[40] = {0}, visited = 0;
    int i, j;
    MPI_Init(&argc, &argv);
    for (i = 0; i < 10; i++)
        for (j = 0; j < 10; j++) {
            visited += x[i] + x[j];
            if (i * j == 42)
                goto found;
        }
    MPI_Barrier(MPI_COMM_WORLD);
found:
    MPI_Bcast(x, i + j, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return visited < 0;
}
