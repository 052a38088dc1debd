/* SPDX-License-Identifier: Apache-2.0
 *
 * Points go to the nearest centre until none changes, which a reduction tells all ranks. Given is
 * that, by how many sweeps say so: not the nearest centre of each point, of which nobody takes a single one,
 * and not what each rank says, since what all of them say is none of it. Flags are characters here.
 *
 * args: 200
 * args: 300
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 400
 * cut: what all are told in &any in MPI_Allreduce(...)
 * made: MPI_Allreduce(BSIM_SCRATCH, &any, 1, MPI_CHAR, MPI_BOR, MPI_COMM_WORLD), *(&any) = BSIM_TRIPS(
 * gone: char own = assign(x, centres, nearest, n);
 * gone: best = j;
 * kept: again = any;
 */
#include <mpi.h>
#include <stdlib.h>
#define CENTRES 6

static int find_nearest(double x, const double *centres) {
    int best = 0;
    for (int j = 1; j < CENTRES; j++)
        if ((x - centres[j]) * (x - centres[j]) < (x - centres[best]) * (x - centres[best]))
            best = j;
    return best;
}

static char assign(const double *x, const double *centres, int *nearest, int n) {
    char changed = 0;
    for (int i = 0; i < n; i++) {
        int found = find_nearest(x[i], centres);
        if (nearest[i] != found)
            changed = 1;
        nearest[i] = found;
    }
    return changed;
}

static void move(double *centres, const double *x, const int *nearest, int n) {
    double sums[2 * CENTRES] = {0};
    for (int i = 0; i < n; i++) {
        sums[2 * nearest[i]] += x[i];
        sums[2 * nearest[i] + 1]++;
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2 * CENTRES, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int j = 0; j < CENTRES; j++)
        centres[j] = sums[2 * j + 1] > 0 ? sums[2 * j] / sums[2 * j + 1] : centres[j];
}

int main(int argc, char **argv) {
    int rank, size, n;
    double centres[CENTRES] = {0, 1, 2, 3, 4, 5};
    char any, again = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = atoi(argv[1]) / size;
    double *x = malloc(n * sizeof *x);
    int *nearest = calloc(n, sizeof *nearest);
    srand(rank + 1);
    for (int i = 0; i < n; i++)
        x[i] = rand() % 1000;
    while (again) {
        move(centres, x, nearest, n);
        char own = assign(x, centres, nearest, n);
        MPI_Allreduce(&own, &any, 1, MPI_CHAR, MPI_BOR, MPI_COMM_WORLD);
        again = any;
        if (any)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
