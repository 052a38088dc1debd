/* SPDX-License-Identifier: Apache-2.0
 *
 * A fifth of all that is executed stays, more than half of it for a number that a hint keeps. That two hundred decisions
 * could be given as well, which are the rest of it, is no reason to give them.
 *
 * scout: -
 * generate: --assume=cuts
 * hints: keep cut_that_is_a_little_better_is_not_taken.c:45
 * cut: first = 1 + (int)fmod(often(), 10.0)
 * gone: sum += fabs(sin(i))
 * kept: sum += fabs(cos(i + k))
 * kept: sum += fabs(tan(i))
 * args:
 */
#include <math.h>
#include <mpi.h>

static double often(void) {
    double sum = 0;
    for (int i = 0; i < 60000; i++)
        sum += fabs(sin(i));
    return sum;
}

static double rarely(void) {
    double sum = 0;
    for (int i = 0; i < 9000; i++)
        sum += fabs(tan(i));
    return sum;
}

static double piece(int k) {
    double sum = 0;
    for (int i = 0; i < 30; i++)
        sum += fabs(cos(i + k));
    return sum;
}

int main(int argc, char **argv) {
    static double out[100];
    int first, second;
    MPI_Init(&argc, &argv);
    first = 1 + (int)fmod(often(), 10.0);
    MPI_Sendrecv_replace(out, first, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    second = 1 + (int)fmod(rarely(), 10.0);
    MPI_Sendrecv_replace(out, second, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int k = 0; k < 200; k++)
        if (piece(k) > 19.55)
            MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
