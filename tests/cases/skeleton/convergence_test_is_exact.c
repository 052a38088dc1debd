/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop that ends when a reduced value is small: all that the value is made of stays, the rest
 * goes.
 *
 * kept: error > 1e-3
 * kept: error = 0.5 * old
 * gone: u[i]
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[30] = {0}, old = 1, error;
    MPI_Init(&argc, &argv);
    do {
        error = 0.5 * old;
        for (int i = 0; i < 30; i++)
            u[i] += error;
        MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        old = error;
    } while (error > 1e-3);
    MPI_Finalize();
    return 0;
}
