/* SPDX-License-Identifier: Apache-2.0
 *
 * A number is made of one that all ranks agree on and one of each rank. One for all ranks costs a fourth of what others do: by
 * two ranks as much as 5 and a half executions, the other one 22. The number that is made of them three times costs 26.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: n = all + other + k
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
    int own, all, other, n;
    MPI_Init(&argc, &argv);
    own = 1 + (int)fmod(sin_often(), 10.0);
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    other = 1 + (int)fmod(cos_often(), 10.0);
    for (int k = 0; k < 3; k++) {
        n = all + other + k;
        MPI_Sendrecv_replace(out, n, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
