/* SPDX-License-Identifier: Apache-2.0
 *
 * Nobody looks at the contents of the messages: buffers and their allocation go.
 *
 * gone: malloc
 * gone: free(x)
 * made: MPI_Bcast(BSIM_SCRATCH, n, MPI_DOUBLE, 0, MPI_COMM_WORLD)
 * scratch: 3
 * live: 0
 * args: 64
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Init(&argc, &argv);
    double *x = malloc(n * sizeof *x), sum = 0, total;
    for (int i = 0; i < n; i++)
        x[i] = i;
    MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        sum += x[i];
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    printf("%g\n", total);
    free(x);
    MPI_Finalize();
    return 0;
}
