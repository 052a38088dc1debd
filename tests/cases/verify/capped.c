/* SPDX-License-Identifier: Apache-2.0
 *
 * Three loops, one after the other at one place, that converge in as many steps as the argument
 * says, but take CAP of them at most.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000
#define CAP 50

static double x[N];

static double step(double factor) {
    double largest = 0, all;
    for (int i = 0; i < N; i++) {
        x[i] *= factor;
        largest = x[i] > largest ? x[i] : largest;
    }
    MPI_Allreduce(&largest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 20;
    MPI_Init(&argc, &argv);
    for (int t = 0; t < 3; t++) {
        double factor = pow(1e-6, 1.0 / n), residual = 1;
        int k = 0;
        for (int i = 0; i < N; i++)
            x[i] = 1;
        while (residual > 1.0001e-6 && k < CAP) {
            residual = step(factor);
            k++;
        }
        for (int i = 0; i < k; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
