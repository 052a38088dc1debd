/* SPDX-License-Identifier: Apache-2.0
 *
 * A function with a head for each of two compilers computes a value that is given, and is called by
 * code that goes, too: that calls a copy which records nothing.
 *
 * generate: --assume=cuts
 * hints: value plain_copies_of_functions_with_two_heads.c:35 count = 3
 * note: nothing was counted
 * made: count = BSIM_DRAW_I(
 * gone: sum += count_above(x, 0.1 * step)
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 100

#ifdef __STDC__
static int count_above
(
    const double *x,
    double limit
)
#else
static int count_above(x, limit)
    const double *x;
    double limit;
#endif
{
    int count, found = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 20; k++)
            found += x[i] * k > limit;
    count = found;
    return count;
}

int main(int argc, char **argv) {
    static double x[N], out[N * 20];
    int sum = 0, steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < N; i++)
            x[i] = fabs(sin(x[i] + i));
        int n = count_above(x, 0.5);
        MPI_Bcast(out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        sum += count_above(x, 0.1 * step);
    }
    MPI_Finalize();
    return sum < 0;
}
