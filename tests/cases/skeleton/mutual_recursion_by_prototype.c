/* SPDX-License-Identifier: Apache-2.0
 *
 * Two functions call each other, declared by prototypes; the third becomes a stub.
 *
 * kept: static double odd(double *x, int n);
 * gone: sum += x[i]
 */
#include <mpi.h>

static double odd(double *x, int n);
static double third(double *x, int n);

static double even(double *x, int n) {
    if (n == 0)
        return 0;
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return odd(x, n - 1) + third(x, n);
}

static double odd(double *x, int n) {
    if (n == 0)
        return 1;
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return even(x, n - 1) * third(x, n);
}

static double third(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

int main(int argc, char **argv) {
    double x[10] = {0};
    MPI_Init(&argc, &argv);
    double sum = even(x, 7);
    MPI_Finalize();
    return sum < 0;
}
