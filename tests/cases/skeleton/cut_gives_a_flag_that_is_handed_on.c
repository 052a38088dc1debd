/* SPDX-License-Identifier: Apache-2.0
 *
 * A decision is handed on from variable to variable. The last one is a flag as the first one is, no number, which would cost
 * less; so the first one is given.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: f0 = often() > 100
 * gone: sum += fabs(sin(i))
 * kept: f9 = f8
 * args:
 */
#include <math.h>
#include <mpi.h>

static double often(void) {
    double sum = 0;
    for (int i = 0; i < 40000; i++)
        sum += fabs(sin(i));
    return sum;
}

int main(int argc, char **argv) {
    int f0, f1, f2, f3, f4, f5, f6, f7, f8, f9;
    MPI_Init(&argc, &argv);
    f0 = often() > 100;
    f1 = f0;
    f2 = f1;
    f3 = f2;
    f4 = f3;
    f5 = f4;
    f6 = f5;
    f7 = f6;
    f8 = f7;
    f9 = f8;
    if (f9)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
