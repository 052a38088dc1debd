/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing was counted. The loop over the field is one deeper than the messages and computes with
 * floating-point numbers: it is hot, and the one number that it stays for is given. The loop over
 * the neighbours is not deeper than the messages, and stays.
 *
 * generate: --assume=cuts
 * note: which statements are hot is estimated
 * cut: length = 1 + (int)fabs(fmod(relax(field, N), 10.0))
 * gone: sum += x[i] = fabs(sin(x[i] + i))
 * kept: sizes[k] = length + k
 * args: 5
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000
#define NEIGHBOURS 4

static double relax(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] = fabs(sin(x[i] + i));
    return sum;
}

int main(int argc, char **argv) {
    static double field[N], out[100];
    int length, sizes[NEIGHBOURS], steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        length = 1 + (int)fabs(fmod(relax(field, N), 10.0));
        for (int k = 0; k < NEIGHBOURS; k++)
            sizes[k] = length + k;
        for (int k = 0; k < NEIGHBOURS; k++)
            MPI_Sendrecv_replace(out, sizes[k], MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF,
                                 MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
