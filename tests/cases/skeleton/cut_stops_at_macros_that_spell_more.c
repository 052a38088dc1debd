/* SPDX-License-Identifier: Apache-2.0
 *
 * What a macro spells together with something else cannot be given: what is behind it is.
 *
 * scout: 6
 * generate: --assume=cuts
 * kept: RETURN_SUM(x)
 * kept: COUNT_AND_TELL
 * cut: return all / N
 * gone: y[i] += 2
 * args: 6
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000
#define COUNT_AND_TELL count = (int)(sum(x) * 10 + 50), tell(2)
#define RETURN_SUM(x) return 10 + (int)sum(x)

static double x[N], y[N];

static double sum(const double *values) {
    double all = 0;
    for (int i = 0; i < N; i++)
        all += values[i];
    return all / N;
}

static void move(int step) {
    for (int i = 0; i < N; i++)
        x[i] = sin(x[i] + i + step);
}

static void tell(int count) {
    static char buffer[100000];
    MPI_Bcast(buffer, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static int other(void) {
    RETURN_SUM(x);
}

int main(int argc, char **argv) {
    int limit = argc > 1 ? atoi(argv[1]) : 6;
    MPI_Init(&argc, &argv);
    move(0);
    for (int k = 0; k < limit; k++) {
        int count = 0;
        COUNT_AND_TELL;
        move(k);
        tell(count);
        tell(other());
    }
    for (int i = 0; i < N; i++)
        y[i] += 2;
    MPI_Finalize();
    return 0;
}
