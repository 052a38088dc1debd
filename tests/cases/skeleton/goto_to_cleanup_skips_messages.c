/* SPDX-License-Identifier: Apache-2.0
 *
 * A jump forward over communication is kept, whatever else is computed on the way.
 *
 * kept: goto done
 * kept: rank >= 2
 * gone: sum / 10
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double sum = 0, x = 1;
    int rank, size;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &pair);
    for (int i = 0; i < 10; i++)
        sum += i * x;
    if (rank >= 2)
        goto done;
    x = sum / 10;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_MAX, pair);
done:
    printf("%g\n", sum);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
