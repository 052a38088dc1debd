/* SPDX-License-Identifier: Apache-2.0
 *
 * How many particles leave is the result of the hot loops; two numbers stand between them and the
 * messages. The sums do not matter.
 *
 * scout: -
 * cut: return count
 * cut: residual > 1e-3
 * kept: leaving = count_above(x, 0.5)
 * gone: sum += x[i] * i
 * args: 9
 */
#include <math.h>
#include <mpi.h>

#define N 2000

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

static double largest(const double *x) {
    double value = 0;
    for (int i = 0; i < N; i++)
        value = x[i] > value ? x[i] : value;
    return value;
}

int main(int argc, char **argv) {
    static double x[N], out[N], sum;
    double residual = 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 20 && residual > 1e-3; step++) {
        move(x, step);
        int leaving = count_above(x, 0.5);
        MPI_Sendrecv_replace(out, leaving, MPI_DOUBLE, 0, step, MPI_ANY_SOURCE, step, MPI_COMM_SELF,
                             MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++)
            sum += x[i] * i;
        residual = largest(x);
    }
    MPI_Finalize();
    return sum < 0;
}
