/* SPDX-License-Identifier: Apache-2.0
 *
 * Two plans with counts are swapped each step; the two fields that are swapped too go.
 *
 * kept: plan = other
 * gone: u = v
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double a[20] = {0}, b[20] = {0}, *u = a, *v = b;
    int even[2] = {3, 5}, odd[2] = {8, 13}, *plan = even, *other = odd;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 5; step++) {
        for (int i = 0; i < 20; i++)
            v[i] = 0.9 * u[i];
        double *w = u;
        u = v;
        v = w;
        int *swap = plan;
        plan = other;
        other = swap;
        MPI_Bcast(u, plan[step % 2], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
