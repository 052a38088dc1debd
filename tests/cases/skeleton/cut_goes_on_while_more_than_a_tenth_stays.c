/* SPDX-License-Identifier: Apache-2.0
 *
 * A sixth of all that is executed is work in front of two hundred decisions, which are too many for the first limit. With a
 * higher one they are given as well.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: first = 1 + (int)fmod(often(), 10.0)
 * cut: if (piece(k) > 38.5)
 * gone: sum += fabs(sin(i))
 * gone: sum += fabs(cos(i + k))
 * real: differs, since SMPI tells another source of what a rank sends to itself
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

static double piece(int k) {
    double sum = 0;
    for (int i = 0; i < 60; i++)
        sum += fabs(cos(i + k));
    return sum;
}

int main(int argc, char **argv) {
    static double out[100];
    int first;
    MPI_Init(&argc, &argv);
    first = 1 + (int)fmod(often(), 10.0);
    MPI_Sendrecv_replace(out, first, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int k = 0; k < 200; k++)
        if (piece(k) > 38.5)
            MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
