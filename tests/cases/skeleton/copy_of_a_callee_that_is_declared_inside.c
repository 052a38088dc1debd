/* SPDX-License-Identifier: Apache-2.0
 *
 * A callee that is declared in its caller's body only, as f2c writes it: the copy of it that other
 * calls need has no name to go by in front of the caller.
 *
 * generate: --assume=cuts
 * scout: 1
 * gone: sum += x[i] = x[i] * 0.5 + i % 7
 * cut: *out = (int)(sum / 10000)
 */
#include <mpi.h>

int outer(double *x, int n, int *out) {
    extern int inner(double *, int, int *);
    if (n > 300)
        inner(x, n / 2, out);
    else
        inner(x, n, out);
    return 0;
}

int inner(double *x, int n, int *out) {
    double sum = 0;
    for (int k = 0; k < 1000; k++)
        for (int i = 0; i < n; i++)
            sum += x[i] = x[i] * 0.5 + i % 7;
    *out = (int)(sum / 10000);
    return 0;
}

int main(int argc, char **argv) {
    static double x[1000], y[1000], b[2001];
    int n, m, waste;
    MPI_Init(&argc, &argv);
    outer(x, 500, &n);
    outer(x, 200, &m);
    for (int i = 0; i < 2; i++) {
        outer(y, 100 + i, &waste);
        y[i] = waste;
    }
    MPI_Bcast(b, n + m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, y, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
