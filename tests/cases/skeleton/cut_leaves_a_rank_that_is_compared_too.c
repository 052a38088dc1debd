/* SPDX-License-Identifier: Apache-2.0
 *
 * Hot loops find which rank a message goes to. That how much is sent goes by the same number makes it no other one: no model
 * may name a rank.
 *
 * scout: 5
 * generate: --assume=cuts
 * note: no few numbers were found that models could give instead
 * kept: x[i] = fabs(sin(x[i] + i + step * k))
 * gone: sum += x[i] * i
 * args: 5
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 3000

static void move(double *x, int step) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 5; k++)
            x[i] = fabs(sin(x[i] + i + step * k));
}

static int count_below(const double *x, double limit) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += x[i] < limit;
    return count;
}

int main(int argc, char **argv) {
    static double x[N], out[20], sum;
    int to, length, steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        move(x, step);
        to = count_below(x, -0.5);
        length = 10;
        if (to > 0)
            length = 20;
        MPI_Sendrecv_replace(out, length, MPI_DOUBLE, to, 1, to, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < N; i++)
        sum += x[i] * i;
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
