/* SPDX-License-Identifier: Apache-2.0
 *
 * A count is rounded from floating-point arithmetic; other floating-point work goes.
 *
 * kept: load *= 1.5
 * gone: x[i] / 3
 */
#include <math.h>
#include <mpi.h>

int main(int argc, char **argv) {
    double x[200] = {1}, load = 2.2;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 8; step++) {
        load *= 1.5;
        for (int i = 0; i < 200; i++)
            x[i] = x[i] / 3 + load;
        MPI_Bcast(x, (int)floor(load + 0.5) % 200, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
