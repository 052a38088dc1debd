/* SPDX-License-Identifier: Apache-2.0
 *
 * A solver's loop ends in its middle or at its end, by norms, or after fifty iterations. What is
 * given is how many tests of the two norms pass until one ends it, as one number; the limit is
 * computed. Calls in a test that have to happen are made in front of it.
 *
 * args: 100
 * args: 300
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 1000
 * cut: if (norm(v, n) < 1e-4 * first)
 * made: if ((norm(0, n), !BSIM_TRIPS(6, bsim_trips(0, n, 1), n))) break;
 * made: if ((norm(0, n), !BSIM_TRIPS(6, bsim_trips(0, n, 1), n))) return;
 * kept: it < 50
 * gone: v[i] *= 0.5;
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static double norm(const double *v, int n) {
    double own = 0, all;
    for (int i = 0; i < n; i++)
        own += v[i] * v[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(all);
}

static void solve(double *v, int n, double start) {
    for (int i = 0; i < n; i++)
        v[i] = start;
    double first = norm(v, n) * start;
    for (int it = 0; it < 50; it++) {
        for (int i = 0; i < n; i++)
            v[i] *= 0.2;
        if (norm(v, n) < 1e-4 * first)
            break;
        for (int i = 0; i < n; i++)
            v[i] *= 0.5;
        if (norm(v, n) < 1e-4 * first)
            return;
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    double *v = malloc(n * sizeof *v);
    for (int k = 0; k < 4; k++)
        solve(v, n, 1 + k % 7 * 0.9);
    MPI_Finalize();
    return 0;
}
