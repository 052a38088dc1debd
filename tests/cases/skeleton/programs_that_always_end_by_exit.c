/* SPDX-License-Identifier: Apache-2.0
 *
 * All ways through main lead to an exit with a status that others use for errors. The one that
 * nothing decides about is how the program ends; the other one is taken not to happen.
 *
 * generate: --assume=no-abnormal-exit
 * kept: finish();
 * kept: exit(8);
 * gone: exit(3);
 * gone: x += 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>

static void finish(void) {
    MPI_Finalize();
    exit(8);
}

int main(int argc, char **argv) {
    double x = 0, sum;
    int steps = 3;
    MPI_Init(&argc, &argv);
    while (steps-- > 0) {
        for (int i = 0; i < 1000; i++)
            x += 0.5 * i;
        if (x < 0)
            exit(3);
        MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    finish();
}
