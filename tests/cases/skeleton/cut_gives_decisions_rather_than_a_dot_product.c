/* SPDX-License-Identifier: Apache-2.0
 *
 * Two solvers stop by dot products, which one function returns: one value instead of two. But with
 * the mean of all residuals no loop would ever end as it did. That the loops count their iterations
 * in each call anew is no sum that decides by adding up.
 *
 * generate: --assume=cuts
 * scout: 400
 * gone: sum += a[i] * a[i]
 * cut: (residual > 1e-4 && count < steps)
 * cut: (residual > 1e-6 && count < steps)
 * args: 300
 * args: 500
 */
#include <mpi.h>
#include <stdlib.h>

static double dot(const double *a, int n) {
    double sum = 0, all;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void halve(double *u, int n) {
    for (int i = 0; i < n; i++)
        u[i] *= 0.5;
}

static void solve(double *u, int n, int steps) {
    double residual = dot(u, n);
    int count = 0;
    while ((residual > 1e-4 && count < steps) || count == 0) {
        halve(u, n);
        residual = dot(u, n);
        count++;
    }
}

static void solve_well(double *u, int n, int steps) {
    double residual = dot(u, n);
    int count = 0;
    while ((residual > 1e-6 && count < steps) || count == 0) {
        halve(u, n);
        residual = dot(u, n);
        count++;
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    static double u[1000];
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 9; k++) {
        for (int i = 0; i < n; i++)
            u[i] = 1.0 / (1 + i + k);
        solve(u, n, 50);
        for (int i = 0; i < n; i++)
            u[i] = 1.0 / (2 + i + k);
        solve_well(u, n, 50);
    }
    MPI_Finalize();
    return 0;
}
