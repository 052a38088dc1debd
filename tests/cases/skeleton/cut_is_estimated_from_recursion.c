/* SPDX-License-Identifier: Apache-2.0
 *
 * Nothing was counted and there is no loop at all: what calls itself, here through another function,
 * is executed often.
 *
 * generate: --assume=cuts
 * note: which statements are hot is estimated
 * cut: length = 1 + (int)fabs(fmod(left(1), 10.0))
 * gone: values[at] = values[at] * 0.5 + at
 * args:
 */
#include <math.h>
#include <mpi.h>

#define N 4000

static double values[N];

static double right(int at);

static double left(int at) {
    if (at >= N)
        return 0;
    values[at] = values[at] * 0.5 + at;
    return values[at] + right(2 * at);
}

static double right(int at) {
    return left(at) + left(at + 1);
}

int main(int argc, char **argv) {
    static double out[100];
    int length;
    MPI_Init(&argc, &argv);
    length = 1 + (int)fabs(fmod(left(1), 10.0));
    MPI_Sendrecv_replace(out, length, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
