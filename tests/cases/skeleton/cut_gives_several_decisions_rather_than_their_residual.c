/* SPDX-License-Identifier: Apache-2.0
 *
 * One residual decides four times. To give it would be one value instead of four, but its mean is
 * on one side of every limit: the loop would end at once or never.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: while (residual > 1e-3)
 * cut: if (residual > 0.5)
 * cut: if (residual > 0.2)
 * cut: if (residual > 0.05)
 * gone: x[i] *= 0.6
 * args:
 */
#include <math.h>
#include <mpi.h>

#define N 4000

static double x[N], out[100];

static double largest(void) {
    double value = 0;
    for (int i = 0; i < N; i++)
        value = x[i] > value ? x[i] : value;
    return value;
}

static void tell(int count) {
    MPI_Bcast(out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    double residual = 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < N; i++)
        x[i] = 1.0 / (1 + i % 7);
    while (residual > 1e-3) {
        for (int i = 0; i < N; i++)
            x[i] *= 0.6;
        residual = largest();
        if (residual > 0.5)
            tell(10);
        if (residual > 0.2)
            tell(20);
        if (residual > 0.05)
            tell(30);
        tell(1);
    }
    MPI_Finalize();
    return 0;
}
