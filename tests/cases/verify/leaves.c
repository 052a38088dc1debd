/* SPDX-License-Identifier: Apache-2.0
 *
 * How many particles leave a rank in a step, of N, is counted in a hot loop, another share of each
 * N that no formula tells; and how much all are sent is counted from that.
 */
#include <mpi.h>
#include <stdlib.h>

static unsigned next(unsigned x) {
    return 1664525 * x + 1013904223;
}

static int count_below(unsigned seed, int n, unsigned limit) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 20; k++)
            seed = next(seed);
        count += (seed >> 8) % 1000 < limit;
    }
    return count;
}

int main(int argc, char **argv) {
    static double out[100000], in[100000];
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 400;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned share = 100 + (next((unsigned)n) >> 11) % 400;
    for (int step = 0; step < 20; step++) {
        int leaving, all;
        leaving = count_below((unsigned)(100 * step + rank), n, share);
        MPI_Sendrecv(out, leaving, MPI_DOUBLE, (rank + 1) % size, 1, in, 100000, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        all = count_below((unsigned)(leaving + step), n / 2, 2 * share);
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Bcast(out, all, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
