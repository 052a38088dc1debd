/* SPDX-License-Identifier: Apache-2.0
 *
 * How many particles a rank has is found by looking at all of them, and decides of no message. But
 * nearly all of the time goes by it: so it is given, and tells the time of the loop over them. How
 * often each particle is looked at is known anyway. A function that calls itself hands the number on
 * to itself.
 *
 * args: 3000
 * args: 5000
 * ranks: 1 4
 * generate: --assume=cuts
 * scout: 3000
 * cut: own->count = counts[rank]
 * gone: counts[(int)(x[i] * ranks)]++;
 * gone: own->sum += sin(x[i] * k);
 * feature: bsim_trips(0, own.count, 1)
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct own {
    int count;
    double sum;
};

static void distribute(struct own *own, const double *x, int n, int rank, int ranks) {
    int *counts = calloc((size_t)ranks, sizeof *counts);
    for (int i = 0; i < n; i++)
        counts[(int)(x[i] * ranks)]++;
    own->count = counts[rank];
    free(counts);
}

static void displace(struct own *own, const double *x, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 50; k++)
            own->sum += sin(x[i] * k);
}

static void halve(struct own *own, const double *x, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 20; k++)
            own->sum += cos(x[i] * k);
    if (count > 1)
        halve(own, x, count / 2);
}

int main(int argc, char **argv) {
    int rank, ranks, n = argc > 1 ? atoi(argv[1]) : 100;
    struct own own = {0, 0};
    double *x = malloc((size_t)n * sizeof *x), all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < n; i++)
        x[i] = fmod(0.618 * i * i, 1.0) * fmod(0.7 * i, 1.0);
    distribute(&own, x, n, rank, ranks);
    displace(&own, x, own.count);
    halve(&own, x, own.count);
    MPI_Allreduce(&own.sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(x);
    MPI_Finalize();
    return all > 1e9;
}
