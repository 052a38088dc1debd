/* SPDX-License-Identifier: Apache-2.0
 *
 * Computation draws from the same generator as the number of messages: its draws are kept.
 *
 * kept: rand()
 * gone: u[i] = sqrt(
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double u[10], v[10] = {0};
    MPI_Init(&argc, &argv);
    srand(7);
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < 10; i++) {
            v[i] = rand() * 1e-9;
            u[i] = sqrt(v[i]);
        }
        int count = rand() % 10;
        MPI_Bcast(u, count, MPI_DOUBLE, 0, MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
