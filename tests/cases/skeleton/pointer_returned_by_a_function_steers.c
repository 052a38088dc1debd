/* SPDX-License-Identifier: Apache-2.0
 *
 * A function returns a pointer into one of two tables; what is written through it is read
 * elsewhere.
 *
 * kept: *place(step) = step * 4
 * gone: exp(
 */
#include <math.h>
#include <mpi.h>

static int first[4], second[4];

static int *place(int step) {
    return step % 2 ? &first[step / 2] : &second[step / 2];
}

int main(int argc, char **argv) {
    double x[100];
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 8; step++)
        *place(step) = step * 4;
    for (int i = 0; i < 100; i++)
        x[i] = exp(-i);
    for (int i = 0; i < 4; i++) {
        MPI_Bcast(x, first[i], MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(x, second[i], MPI_DOUBLE, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
