/* SPDX-License-Identifier: Apache-2.0
 *
 * What reaches a function that nobody describes stays, and the user is told; what does not goes.
 *
 * note: put into the hints: extern sched_get_priority_max(v) value
 * kept: sched_get_priority_max(0)
 * gone: u[i] *= 2
 */
#include <mpi.h>
#include <sched.h>

int main(int argc, char **argv) {
    double u[100] = {0};
    MPI_Init(&argc, &argv);
    int n = sched_get_priority_max(0) < 0 ? 20 : 10;
    for (int i = 0; i < 100; i++)
        u[i] *= 2;
    MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
