/* SPDX-License-Identifier: Apache-2.0
 *
 * A do loop that sends stays with its condition; one that computes goes whole.
 *
 * kept: --left > 0
 * gone: error > 1e-6
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[32] = {1, 2, 3}, error = 1;
    int left = 5;
    MPI_Init(&argc, &argv);
    do {
        int i = 0;
        do {
            x[i] = 0.5 * x[(i + 1) % 32];
            error *= 0.9;
            i = (i + 1) % 32;
        } while (error > 1e-6);
        MPI_Bcast(x, 32, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } while (--left > 0);
    MPI_Finalize();
    return 0;
}
