/* SPDX-License-Identifier: Apache-2.0
 *
 * With --assume=no-abnormal-exit the check and what it looks at go.
 *
 * generate: --assume=no-abnormal-exit
 * gone: exit(1)
 * gone: x[i] + 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double x[10] = {1};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++) {
        x[i] = x[i] + 1;
        if (x[i] < 0) {
            fprintf(stderr, "negative\n");
            exit(1);
        }
    }
    MPI_Bcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
