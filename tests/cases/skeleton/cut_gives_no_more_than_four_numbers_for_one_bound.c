/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a loop takes goes by a number that is one of five, each of which is found by looking at all elements. Five models
 * for one loop are too many; no message needs any of them.
 *
 * ranks: 2
 * generate: --assume=cuts
 * scout: 1000
 * gone: n = count(x, size, 0.1)
 * gone: sum += sin(x[i % size] * k)
 * args: 1000
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static int count(const double *x, int size, double limit) {
    int found = 0;
    for (int i = 0; i < size; i++)
        if (x[i] > limit)
            found++;
    return found;
}

static int choose(const double *x, int size, int kind) {
    int n;
    if (kind == 0)
        n = count(x, size, 0.1);
    else if (kind == 1)
        n = count(x, size, 0.2);
    else if (kind == 2)
        n = count(x, size, 0.3);
    else if (kind == 3)
        n = count(x, size, 0.4);
    else
        n = count(x, size, 0.5);
    return n;
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 100, n = 0;
    double *x = malloc((size_t)size * sizeof *x), sum = 0, all;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < size; i++)
        x[i] = fmod(0.618 * i, 1.0);
    for (int kind = 0; kind < 5; kind++)
        n += choose(x, size, kind);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 50; k++)
            sum += sin(x[i % size] * k);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(x);
    MPI_Finalize();
    return all > 1e9;
}
