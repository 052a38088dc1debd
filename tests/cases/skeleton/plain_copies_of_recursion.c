/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that calls itself computes a value that is given, and is called by code that goes, too:
 * that calls a copy which records nothing, and calls itself.
 *
 * generate: --assume=cuts
 * hints: value plain_copies_of_recursion.c:35 count = 3
 * note: nothing was counted
 * made: count = BSIM_DRAW_I(
 * gone: sum += counted(x, 3, 0.1 * step)
 * flags: -Wno-missing-prototypes
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 100

#ifdef __STDC__
int counted(const double *x, int depth, double limit) {
#else
int counted(x, depth, limit)
    const double *x;
    int depth;
    double limit;
{
#endif
    int count, found = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 20; k++)
            found += x[i] * k > limit;
    if (depth > 0)
        found += counted(x, depth - 1, limit + 1);
    count = found;
    return count;
}

int main(int argc, char **argv) {
    static double x[N], out[N * 20 * 4];
    int sum = 0, steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < N; i++)
            x[i] = fabs(sin(x[i] + i));
        int n = counted(x, 2, 0.5);
        MPI_Bcast(out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        sum += counted(x, 3, 0.1 * step);
    }
    MPI_Finalize();
    return sum < 0;
}
