/* SPDX-License-Identifier: Apache-2.0
 *
 * A statement that a hint keeps is computed: the cut takes the next value on the way to the message.
 *
 * scout: 5
 * flags: -Wno-unused-but-set-variable
 * generate: --assume=cuts
 * hints: keep cut_passes_by_a_statement_that_a_hint_keeps.c:41
 * cut: length = 2 * above + 1
 * made: length = BSIM_VALUE_I
 * kept: above = count_above(x, 0.5)
 * gone: sum += x[i] * i
 * args: 5
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
    static double x[N], out[2 * N + 1], sum;
    int steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        int above, length;
        move(x, step);
        above = count_above(x, 0.5);
        length = 2 * above + 1;
        MPI_Sendrecv_replace(out, length, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++)
            sum += x[i] * i;
    }
    MPI_Finalize();
    return 0;
}
