/* SPDX-License-Identifier: Apache-2.0
 *
 * A check of the arguments that would abort is kept, condition and call.
 *
 * kept: n < 1
 * kept: MPI_Abort(MPI_COMM_WORLD, 3)
 * gone: sin(
 * args: 12
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    double sum = 0, total;
    MPI_Init(&argc, &argv);
    if (n < 1) {
        fprintf(stderr, "n has to be positive\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    for (int i = 0; i < n; i++)
        sum += sin(i);
    for (int i = 0; i < n; i++)
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return total > 1e30;
}
