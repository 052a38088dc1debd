/* SPDX-License-Identifier: Apache-2.0
 *
 * A third of all that is executed stays for messages that each element may call for. That two hundred decisions could be
 * given as well, which are a tenth, is no reason to give them.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: first = 1 + (int)fmod(often(), 10.0)
 * gone: sum += fabs(sin(i))
 * kept: sum += fabs(cos(i + k))
 * kept: x = fabs(sin(x + i))
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
    for (int i = 0; i < 40; i++)
        sum += fabs(cos(i + k));
    return sum;
}

int main(int argc, char **argv) {
    static double out[100], x;
    int first;
    MPI_Init(&argc, &argv);
    first = 1 + (int)fmod(often(), 10.0);
    MPI_Sendrecv_replace(out, first, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int k = 0; k < 200; k++)
        if (piece(k) > 26.2)
            MPI_Barrier(MPI_COMM_SELF);
    for (int i = 0; i < 10000; i++) {
        x = fabs(sin(x + i));
        if (x > 0.9999999)
            MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
