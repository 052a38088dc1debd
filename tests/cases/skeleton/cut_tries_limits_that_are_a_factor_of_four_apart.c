/* SPDX-License-Identifier: Apache-2.0
 *
 * Of three loops one has 78 % of all that is executed, others 13 and 8 %. To keep no more than a tenth it is enough that the
 * first two go. But the limits that are tried are the first one's executions, a fourth and a sixteenth of them, and the third
 * one is above the last limit as well.
 *
 * scout: -
 * generate: --assume=cuts --max-kept=10
 * cut: first = 1 + (int)fmod(sin_often(), 10.0)
 * cut: second = 1 + (int)fmod(cos_often(), 10.0)
 * cut: third = 1 + (int)fmod(tan_often(), 10.0)
 * gone: sum += fabs(sin(i))
 * gone: sum += fabs(cos(i))
 * gone: sum += fabs(tan(i))
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
    for (int i = 0; i < 6700; i++)
        sum += fabs(cos(i));
    return sum;
}

static double tan_often(void) {
    double sum = 0;
    for (int i = 0; i < 4000; i++)
        sum += fabs(tan(i));
    return sum;
}

int main(int argc, char **argv) {
    static double out[100];
    int first, second, third;
    MPI_Init(&argc, &argv);
    first = 1 + (int)fmod(sin_often(), 10.0);
    MPI_Sendrecv_replace(out, first, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    second = 1 + (int)fmod(cos_often(), 10.0);
    MPI_Sendrecv_replace(out, second, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    third = 1 + (int)fmod(tan_often(), 10.0);
    MPI_Sendrecv_replace(out, third, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
