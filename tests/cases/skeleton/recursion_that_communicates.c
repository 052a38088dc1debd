/* SPDX-License-Identifier: Apache-2.0
 *
 * A recursive function communicates at its leaves, and computes on its way.
 *
 * kept: n - n / 2, depth - 1)
 * gone: x[i] + x[n - 1 - i]
 */
#include <mpi.h>

static double split(double *x, int n, int depth) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] + x[n - 1 - i];
    if (depth == 0) {
        MPI_Bcast(x, n, MPI_DOUBLE, 1, MPI_COMM_WORLD);
        return sum;
    }
    sum += split(x, n / 2, depth - 1);
    return sum + split(x + n / 2, n - n / 2, depth - 1);
}

int main(int argc, char **argv) {
    double x[37] = {0};
    MPI_Init(&argc, &argv);
    double sum = split(x, 37, 3);
    MPI_Finalize();
    return sum < 0;
}
