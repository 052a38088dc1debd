/* SPDX-License-Identifier: Apache-2.0
 *
 * In each step ranks send each their own number of numbers to the right, between a fifth and four
 * fifths of N (an argument), and all meet at as many barriers: another number in each step, the
 * same on all ranks, which no model knows. Both are counted in hot loops.
 */
#include <mpi.h>
#include <stdlib.h>

#define STEPS 64

static unsigned mix(unsigned x) {
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ (x >> 15);
}

static void fill(double *x, int n, unsigned seed) {
    double limit = 0.2 + 0.6 * (mix(seed) % 1000) / 1000.0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 20; k++)
            x[i] = (i + 0.5) / n - limit + 0 * k;
}

static int count_below(const double *x, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        count += x[i] < 0;
    return count;
}

static int count_common(const double *x, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        count += x[i] < 0;
    return count;
}

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 100;
    double *x = malloc((size_t)n * sizeof *x), *in = malloc((size_t)n * sizeof *in);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int step = 0; step < STEPS; step++) {
        fill(x, n, (unsigned)(step * 1000 + rank + 77));
        int own = count_below(x, n);
        MPI_Sendrecv(x, own, MPI_DOUBLE, right, 1, in, n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        fill(x, n, (unsigned)step);
        int common = count_common(x, n);
        for (int i = 0; i < common; i += 10)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    free(x);
    free(in);
    return 0;
}
