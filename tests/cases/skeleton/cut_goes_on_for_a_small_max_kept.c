/* SPDX-License-Identifier: Apache-2.0
 *
 * The hot loop is 99 % of all that is executed; for 0.5 % the other one has to go, too.
 *
 * scout: -
 * generate: --assume=cuts --max-kept=0.5
 * cut: first = 1 + (int)fmod(often(), 10.0)
 * gone: sum += fabs(sin(i))
 * cut: second = 1 + (int)fmod(rarely(), 10.0)
 * gone: sum += fabs(cos(i))
 * args:
 */
#include <math.h>
#include <mpi.h>

static double often(void) {
    double sum = 0;
    for (int i = 0; i < 40000; i++)
        sum += fabs(sin(i));
    return sum;
}

static double rarely(void) {
    double sum = 0;
    for (int i = 0; i < 400; i++)
        sum += fabs(cos(i));
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
    MPI_Finalize();
    return 0;
}
