/* SPDX-License-Identifier: Apache-2.0
 *
 * As in cut_gives_bounds_of_what_takes_the_time.c, but the function with the loop is called in twenty places.
 *
 * args: 3000
 * ranks: 1 4
 * generate: --assume=cuts
 * scout: 3000
 * cut: own->count = counts[rank]
 * gone: counts[(int)(x[i] * ranks)]++;
 * gone: own->sum += sin(x[i] * k);
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

__attribute__((noinline)) static void displace(struct own *own, const double *x, int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 9; k++)
            own->sum += sin(x[i] * k);
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
    displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count);
    displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count);
    displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count);
    displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count);
    displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count); displace(&own, x, own.count);
    MPI_Allreduce(&own.sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(x);
    MPI_Finalize();
    return all > 1e9;
}
