/* SPDX-License-Identifier: Apache-2.0
 *
 * A check in the middle of computation that would end the program: the slice is exact, it stays.
 *
 * kept: exit(1)
 * gone: y[k] = 0.5
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double x[10] = {1}, y[10];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++) {
        x[i] = x[i] + 1;
        if (x[i] < 0) {
            fprintf(stderr, "negative\n");
            exit(1);
        }
    }
    for (int k = 0; k < 10; k++)
        y[k] = 0.5 * x[k];
    MPI_Bcast(y, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
