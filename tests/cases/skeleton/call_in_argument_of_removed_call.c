/* SPDX-License-Identifier: Apache-2.0
 *
 * A call that communicates is an argument of one that only computes: that one becomes a stub.
 *
 * kept: global_sum(
 * gone: a = 0.5 * (a + b / (i + 1))
 */
#include <mpi.h>

static double global_sum(double x) {
    double sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static double smooth(double a, double b) {
    for (int i = 0; i < 100; i++)
        a = 0.5 * (a + b / (i + 1));
    return a;
}

int main(int argc, char **argv) {
    double x = 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++)
        x = smooth(x, smooth(global_sum(x * 0.5), global_sum(x)));
    MPI_Finalize();
    return x < 0;
}
