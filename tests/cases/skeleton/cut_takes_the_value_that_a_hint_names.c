/* SPDX-License-Identifier: Apache-2.0
 *
 * Of the numbers between the hot loops and the messages those that are nearest to the loops would be
 * cut; hints name others, one of which is assigned inside a condition.
 *
 * scout: 5
 * generate: --assume=cuts
 * hints: cut cut_takes_the_value_that_a_hint_names.c:49
 * hints: cut cut_takes_the_value_that_a_hint_names.c:52
 * cut: length = 2 * above + 1
 * cut: to = (int)pivots[i]
 * made: length = BSIM_VALUE_I
 * made: != (to = BSIM_VALUE_I
 * gone: pivots[i] = floor(8 * x[step + i])
 * gone: above = count_above(x, 0.5)
 * gone: x[i] = fabs(sin(x[i] + i + step * k))
 * args: 5
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000

static void move(double *x, int step) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 5; k++)
            x[i] = fabs(sin(x[i] + i + step * k));
}

static int count_above(const double *x, double limit) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += x[i] > limit;
    return count;
}

int main(int argc, char **argv) {
    static double x[N], out[2 * N + 1], pivots[8];
    int above, length, from, to, moved, steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        move(x, step);
        moved = 0;
        for (int i = 0; i < 8; i++)
            pivots[i] = floor(8 * x[step + i]);
        above = count_above(x, 0.5);
        length = 2 * above + 1;
        MPI_Sendrecv_replace(out, length, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        for (int i = 0; i < 8; i++)
            if ((from = i) != (to = (int)pivots[i]))
                moved += to > from;
        MPI_Sendrecv_replace(out, moved, MPI_DOUBLE, 0, 2, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
