/* SPDX-License-Identifier: Apache-2.0
 *
 * A call is a macro's argument and its semicolon is in the macro: one that goes, one that stays and
 * computes, and a jump out of what computes.
 *
 * gone: SAFE(reset(f));
 * kept: MPI_Barrier(MPI_COMM_WORLD)
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

#define SAFE(call) call;

static double f[1000], g[1000];

static void reset(double *x) {
    for (int i = 0; i < 1000; i++)
        x[i] = 0.0;
}

static int fill(int n) {
    for (int i = 0; i < 1000; i++) {
        g[i] = i % (n + 2);
        if (i > 600 + n)
            SAFE(return i)
    }
    return 1000;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 1, n = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        SAFE(reset(f));
        f[step] += 3;
        MPI_Bcast(f, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        SAFE(n = fill(step));
        for (int i = 0; i < 1000; i++)
            if (g[i] > 3)
                n++;
    }
    if (n > 3)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
