/* SPDX-License-Identifier: Apache-2.0
 *
 * The states of a shift register decide who tells the others something. Each is found by many
 * steps, and known it would save most of them; but no model tells such a state, and with another
 * one others would tell it. So it is computed; the time step is given all the same.
 *
 * generate: --assume=cuts
 * scout: 4
 * kept: state = (state << 1) ^ (top ? 7 : 0);
 * kept: int root = (state >> 60) % ranks;
 * gone: x[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1])
 * cut: what all are told in &dt in MPI_Allreduce(...)
 * args: 3
 * args: 6
 * ranks: 4
 */
#include <mpi.h>
#include <stdlib.h>

static unsigned long register_at(long steps) {
    unsigned long state = 1;
    for (long i = 0; i < steps; i++) {
        int top = (long)state < 0;
        state = (state << 1) ^ (top ? 7 : 0);
    }
    return state;
}

static double step_of(double *x, int n) {
    double largest = 0;
    for (int sweep = 0; sweep < 20; sweep++)
        for (int i = 1; i < n - 1; i++)
            x[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1]);
    for (int i = 0; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    return 1 / (1 + largest);
}

int main(int argc, char **argv) {
    static double x[1000];
    static int numbers[100];
    double t = 0, own, dt, end = argc > 1 ? atoi(argv[1]) : 1;
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 50; i++) {
        unsigned long state = register_at(1000 + 13 * i);
        int root = (state >> 60) % ranks;
        MPI_Bcast(numbers, 100, MPI_INT, root, MPI_COMM_WORLD);
    }
    x[rank % 1000] = 9;
    for (long k = 0; t < end; k++) {
        long partner = (rank + k) % 2 == 0 ? rank + 1 : rank - 1;
        own = step_of(x, 1000);
        MPI_Sendrecv_replace(x, 10, MPI_DOUBLE, (partner + ranks) % ranks, 1,
                             (partner + ranks) % ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&own, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        t += dt;
    }
    MPI_Finalize();
    return 0;
}
