/* SPDX-License-Identifier: Apache-2.0
 *
 * Under the assumption cuts the hot loops go: numbers, a branch, a switch and how often a loop
 * iterates are taken as given. What a helper returns for the end of that loop is not: the mean of
 * it would end no loop as it ended.
 *
 * scout: 5
 * generate: --assume=cuts
 * cut: return count
 * cut: if (largest(x) > 0.9)
 * cut: way = (int)(largest(x) * 3)
 * cut: for (int more = 0; largest(x) > 0.2 + more * 0.2; more++)
 * cut: int n = (int)scale
 * gone: x[i] = fabs(sin(x[i] + i + step * k))
 * gone: value = x[i] > value ? x[i] : value
 * gone: scale = largest(x) * 4
 * made: BSIM_BRANCH
 * args: 5
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000

static void move(double *x, int step, int rank) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 5; k++)
            x[i] = fabs(sin(x[i] + i + step * k));
    x[0] = step % 3 == 0 ? 0.99 : 0.01 * rank;
    for (int i = 1; i < N && step % 2 == 0; i++)
        x[i] *= 0.7;
}

static int count_above(const double *x, double limit) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += x[i] > limit;
    return count;
}

static double largest(const double *x) {
    double value = 0;
    for (int i = 0; i < N; i++)
        value = x[i] > value ? x[i] : value;
    return value;
}

static void exchange(double *out, int n, int tag) {
    MPI_Sendrecv_replace(out, n, MPI_DOUBLE, 0, tag, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    static double x[N], out[N];
    int rank, steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < steps; step++) {
        int way;
        double scale;
        move(x, step, rank);
        int leaving = count_above(x, 0.5);
        exchange(out, leaving, step);
        if (largest(x) > 0.9)
            exchange(out, 1, 100 + step);
        way = (int)(largest(x) * 3);
        switch (way) {
        case 0:
            exchange(out, 2, 0);
            break;
        case 2:
            exchange(out, 3, 0);
        }
        for (int more = 0; largest(x) > 0.2 + more * 0.2; more++)
            exchange(out, 4, more);
        scale = largest(x) * 4;
        int n = (int)scale;
        exchange(out, n, 1);
    }
    MPI_Finalize();
    return 0;
}
