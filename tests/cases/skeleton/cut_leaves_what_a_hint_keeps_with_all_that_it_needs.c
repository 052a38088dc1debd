/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement that a hint keeps is computed, and so is what it needs; other values are given.
 *
 * scout: 5
 * generate: --assume=cuts
 * hints: keep cut_leaves_what_a_hint_keeps_with_all_that_it_needs.c:42
 * cut: rest = (int)y[0] / 15
 * kept: above = count_above(x, 0.5)
 * kept: count += values[i] > limit
 * kept: x[i] = fabs(sin(x[i] + i + step * k))
 * gone: y[i] = fabs(cos
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000

static double x[N], y[N], out[2 * N + 1];

static void move(int step) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 5; k++)
            x[i] = fabs(sin(x[i] + i + step * k));
}

static int count_above(const double *values, double limit) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += values[i] > limit;
    return count;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        int above, rest;
        move(step);
        above = count_above(x, 0.5);
        for (int i = 0; i < N; i++)
            y[i] = fabs(cos(y[i] + i)) * 100;
        rest = (int)y[0] / 15;
        MPI_Sendrecv_replace(out, above + rest, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF,
                             MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
