/* SPDX-License-Identifier: Apache-2.0
 *
 * Sweeps until nothing changes, on each rank for itself; a barrier ends each sweep. How much
 * changes is counted in a hot loop.
 */
#include <mpi.h>

#define CELLS 2000

static int sweep(double *x) {
    int changed = 0;
    for (int i = 0; i < CELLS; i++) {
        double next = x[i] > 1 ? x[i] * 0.5 : x[i];
        changed += next != x[i];
        x[i] = next;
    }
    return changed;
}

int main(int argc, char **argv) {
    static double x[CELLS];
    int changed = 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < CELLS; i++)
        x[i] = 1 + i % 1000;
    while (changed > 0) {
        changed = sweep(x);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
