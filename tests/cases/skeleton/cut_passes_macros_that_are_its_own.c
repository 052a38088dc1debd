/* SPDX-License-Identifier: Apache-2.0
 *
 * What is assigned, added or returned can be given though a macro begins or ends it, and of a
 * condition the operand that computes, or all of it.
 *
 * scout: 6
 * generate: --assume=cuts
 * cut: int count = FACTOR(int)(sum(x) * 10 + 50)
 * cut: return (int)(sum(x) * 5) + 7
 * cut: sum(x) > LIMIT
 * cut: if (ELEMENT(k) > LIMIT)
 * cut: total += x[k] - LIMIT
 * made: int count = BSIM_VALUE_I
 * made: k < limit && BSIM_TRIPS
 * made: if (BSIM_BRANCH
 * made: total += BSIM_VALUE_D
 * made: return BSIM_VALUE_I
 * gone: x[i] = sin
 * args: 6
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000
#define FACTOR 3 *
#define LIMIT -0.5
#define ELEMENT(i) x[i]

static double x[N];

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

static int extra(void) {
    return (int)(sum(x) * 5) + 7;
}

static void tell(int count) {
    static char buffer[100000];
    MPI_Bcast(buffer, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int limit = argc > 1 ? atoi(argv[1]) : 6;
    double total = 0;
    MPI_Init(&argc, &argv);
    move(0);
    for (int k = 0; k < limit && sum(x) > LIMIT; k++) {
        int count = FACTOR(int)(sum(x) * 10 + 50);
        move(k);
        tell(count);
        total += x[k] - LIMIT;
        tell((int)total);
        tell(extra());
        if (ELEMENT(k) > LIMIT)
            tell(3);
    }
    MPI_Finalize();
    return 0;
}
