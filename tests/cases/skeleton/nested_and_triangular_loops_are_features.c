/* SPDX-License-Identifier: Apache-2.0
 *
 * Trip counts of nested loops multiply; a triangular loop is a sum.
 *
 * gone: a[i * n + j]
 * regions: 4
 * features: 4
 * feature: BSIM_TIMES(bsim_trips(0, n, 1), bsim_trips(0, m, 2))
 * args: 12
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 6, m = 2 * n;
    MPI_Init(&argc, &argv);
    double *a = calloc(n * m, sizeof *a), sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 2)
            sum += a[i * n + j];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            sum -= a[i * n + k];
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    free(a);
    MPI_Finalize();
    return sum < 0;
}
