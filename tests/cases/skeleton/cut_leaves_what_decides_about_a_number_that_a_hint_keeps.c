/* SPDX-License-Identifier: Apache-2.0
 *
 * A hint keeps a number that a sieve decides: what is computed from it is not given instead, which
 * would save nothing.
 *
 * scout: -
 * generate: --assume=cuts
 * hints: keep cut_leaves_what_decides_about_a_number_that_a_hint_keeps.c:40
 * cut: while (t < 1)
 * kept: prime[j] += j % i == 0;
 * kept: width = widths[n];
 * gone: own = fmin(own, x[i] = fabs(x[i] * 0.5 + 0.01 + 1e-5 * i));
 */
#include <math.h>
#include <mpi.h>

static double x[4000];

static int factors(int n) {
    static double prime[1000];
    int k = 0;
    for (int i = 2; i < 1000; i++)
        for (int j = i + 1; j < 1000; j++)
            prime[j] += j % i == 0;
    for (int j = 2; n > 1; j++)
        while (prime[j] < 1 && n % j == 0) {
            n /= j;
            k++;
        }
    return k;
}

int main(int argc, char **argv) {
    int size, n, width, widths[20];
    double t = 0, dt, own;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 20; i++)
        widths[i] = (int)(pow(2.0, i) + 0.01);
    n = factors(size);
    width = widths[n];
    while (t < 1) {
        own = 0.5;
        for (int k = 0; k < 50; k++)
            for (int i = 0; i < 4000; i++)
                own = fmin(own, x[i] = fabs(x[i] * 0.5 + 0.01 + 1e-5 * i));
        MPI_Allreduce(&own, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        t += dt;
        for (int i = 0; i < width; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
