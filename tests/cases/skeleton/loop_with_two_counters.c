/* SPDX-License-Identifier: Apache-2.0
 *
 * Two variables run in one header: one steers, and goes on in the step expression.
 *
 * kept: j += 3
 * gone: sum += x[i] * j
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[100] = {0}, sum = 0;
    int i, j;
    MPI_Init(&argc, &argv);
    for (i = 0, j = 1; i < 5; i++, j += 3) {
        for (int k = 0; k < 10; k++)
            sum += x[i] * j + k;
        MPI_Bcast(x, j, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
