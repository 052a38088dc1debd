/* SPDX-License-Identifier: Apache-2.0
 *
 * What a program sets itself up with is computed: in twelve steps, each of which is little. What it does in twenty steps, or
 * what takes one and a half hundredth of the time, is given.
 *
 * scout: -
 * generate: --assume=cuts
 * cut: result = 1 + (int)fmod(work(400000), 10.0)
 * cut: twenty[k] = 1 + (int)fmod(work_at(k), 5.0)
 * cut: once = 1 + (int)fmod(work_once(6000), 10.0)
 * kept: sum += fabs(tan(i + k))
 * gone: sum += fabs(sin(i))
 * args:
 */
#include <math.h>
#include <mpi.h>

static double work(int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(sin(i));
    return sum;
}

static double work_once(int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(atan(i));
    return sum;
}

static double work_at(int k) {
    double sum = 0;
    for (int i = 0; i < 30; i++)
        sum += fabs(cos(i + k));
    return sum;
}

static double work_near(int k) {
    double sum = 0;
    for (int i = 0; i < 30; i++)
        sum += fabs(tan(i + k));
    return sum;
}

int main(int argc, char **argv) {
    static double out[100];
    int twelve[12], twenty[20], once, result;
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 12; k++)
        twelve[k] = 1 + (int)fmod(work_near(k), 5.0);
    for (int k = 0; k < 20; k++)
        twenty[k] = 1 + (int)fmod(work_at(k), 5.0);
    once = 1 + (int)fmod(work_once(6000), 10.0);
    result = 1 + (int)fmod(work(400000), 10.0);
    for (int k = 0; k < 12; k++)
        MPI_Sendrecv_replace(out, twelve[k], MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (int k = 0; k < 20; k++)
        MPI_Sendrecv_replace(out, twenty[k], MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, once, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, result, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
