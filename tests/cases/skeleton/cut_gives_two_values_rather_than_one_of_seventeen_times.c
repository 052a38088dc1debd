/* SPDX-License-Identifier: Apache-2.0
 *
 * A number that is computed seventeen times of two others, which are computed once each: given, it would cost as much as 54
 * executions by two ranks, the two cost 44.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: first = 1 + (int)fmod(sin_often(), 10.0)
 * cut: second = 1 + (int)fmod(cos_often(), 10.0)
 * gone: sum += fabs(sin(i))
 * gone: sum += fabs(cos(i))
 * args:
 */
#include <math.h>
#include <mpi.h>

static double sin_often(void) {
    double sum = 0;
    for (int i = 0; i < 40000; i++)
        sum += fabs(sin(i));
    return sum;
}

static double cos_often(void) {
    double sum = 0;
    for (int i = 0; i < 40000; i++)
        sum += fabs(cos(i));
    return sum;
}

int main(int argc, char **argv) {
    static double out[1000];
    int first, second, n;
    MPI_Init(&argc, &argv);
    first = 1 + (int)fmod(sin_often(), 10.0);
    second = 1 + (int)fmod(cos_often(), 10.0);
    for (int k = 0; k < 17; k++) {
        n = first + second * k;
        MPI_Sendrecv_replace(out, n, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
