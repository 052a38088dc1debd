/* SPDX-License-Identifier: Apache-2.0
 *
 * A stretch with more loops than a model may have features, and a library kernel behind them: its
 * operations are among the features.
 *
 * gone: x[i] += 7
 * feature: ((double)(n * n))
 * features: 8
 * args: 20
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static double x[10000], y[10000];

static void update(int n) {
    for (int i = 0; i < n; i++)
        x[i] += 1;
    for (int i = 1; i < n; i++)
        x[i] += 2;
    for (int i = 2; i < n; i++)
        x[i] += 3;
    for (int i = 3; i < n; i++)
        x[i] += 4;
    for (int i = 4; i < n; i++)
        x[i] += 5;
    for (int i = 5; i < n; i++)
        x[i] += 6;
    for (int i = 6; i < n; i++)
        x[i] += 7;
    for (int i = 7; i < n; i++)
        x[i] += 8;
    for (int i = 8; i < n; i++)
        x[i] += 9;
    memcpy(y, x, n * n);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    update(n);
    MPI_Bcast(y, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
