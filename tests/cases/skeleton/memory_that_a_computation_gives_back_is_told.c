/* SPDX-License-Identifier: Apache-2.0
 *
 * A computation that the skeleton leaves out decides where memory of each step is given back: that
 * the skeleton's memory grows is told, with the hint that keeps it.
 *
 * note: what memory_that_a_computation_gives_back_is_told.c:21 allocates is given back at memory_that_a_computation_gives_back_is_told.c:28,
 * gone: sum += 1.0 / i;
 * gone: if (sum > 1) free(values);
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < 5; step++) {
        int *values;
        double sum = 0;
        values = malloc(10 * sizeof *values);
        values[0] = rank + step;
        MPI_Bcast(values, 1, MPI_INT, step % ranks, MPI_COMM_WORLD);
        if (values[0] >= 0)
            MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 1; i < 1000; i++)
            sum += 1.0 / i;
        if (sum > 1) free(values);
    }
    MPI_Finalize();
    return 0;
}
