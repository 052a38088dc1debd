/* SPDX-License-Identifier: Apache-2.0
 *
 * c ? f() : g(): both communicate; the choice stays, the computation before it goes.
 *
 * kept: step % 2
 * gone: damp(y)
 */
#include <mpi.h>

static double spread(double *x, double scale) {
    MPI_Bcast(x, 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return scale * x[0];
}

static double collect(double *x, double scale) {
    double sum;
    MPI_Allreduce(x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return scale * sum;
}

static double damp(double *y) {
    double sum = 1;
    for (int i = 0; i < 6; i++)
        sum += y[i] * 0.125;
    return 1 / sum;
}

int main(int argc, char **argv) {
    double x[6] = {1}, y[6] = {0}, total = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 5; step++) {
        y[step] = damp(y);
        total += step % 2 ? spread(x, 0.5) : 1 + collect(x, 0.25);
    }
    MPI_Finalize();
    return total < 0;
}
