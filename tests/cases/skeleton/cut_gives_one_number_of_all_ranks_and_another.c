/* SPDX-License-Identifier: Apache-2.0
 *
 * As in cut_gives_one_number_rather_than_one_of_all_ranks_and_another.c, but the number is made four times: it would cost 28,
 * the two that it is made of 27 and a half.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: what all are told in &all in MPI_Allreduce(...)
 * cut: other = 1 + (int)fmod(cos_often(), 10.0)
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
    for (int k = 0; k < 4; k++) {
        n = all + other + k;
        MPI_Sendrecv_replace(out, n, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
