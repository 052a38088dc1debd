/* SPDX-License-Identifier: Apache-2.0
 *
 * In each step ranks count, in hot loops, how many of N numbers leave, vanish (none does) and stay.
 * The most of each is found by one reduction, and copied by a function that knows neither what
 * they are nor how many: that copy is what is given.
 */
#include <mpi.h>
#include <stdlib.h>

enum { LEAVE, VANISH, STAY, KINDS };

static void maximum(const int *own, int *all, int *out, int count) {
    MPI_Allreduce(own, all, count, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int j = 0; j < count; j++)
        out[j] = all[j];
}

static double uniform(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return (*state >> 8) / 16777216.0;
}

int main(int argc, char **argv) {
    int rank, size, n = atoi(argv[1]), steps = atoi(argv[2]), own[KINDS], all[KINDS], most[KINDS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x = malloc(n * sizeof *x), *out = malloc(n * sizeof *out), *in = malloc(n * sizeof *in);
    unsigned state = (unsigned)rank + 1;
    for (int i = 0; i < n; i++)
        x[i] = uniform(&state);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int step = 0; step < steps; step++) {
        own[LEAVE] = own[VANISH] = own[STAY] = 0;
        for (int i = 0; i < n; i++) {
            x[i] += 0.1 * uniform(&state);
            if (x[i] >= 1)
                out[own[LEAVE]++] = x[i] -= 1;
            else if (x[i] < 0)
                own[VANISH]++;
            else
                own[STAY]++;
        }
        maximum(own, all, most, KINDS);
        if (most[VANISH] > 0)
            MPI_Barrier(MPI_COMM_WORLD);
        MPI_Sendrecv(out, most[LEAVE], MPI_DOUBLE, next, 1, in, most[LEAVE], MPI_DOUBLE, before, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(x, most[STAY], MPI_DOUBLE, next, 2, in, most[STAY], MPI_DOUBLE, before, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
