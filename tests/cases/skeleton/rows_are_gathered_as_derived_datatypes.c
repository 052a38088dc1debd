/* SPDX-License-Identifier: Apache-2.0
 *
 * A derived datatype at both ends, or at one, of gathers and scatters at whose contents nobody
 * looks. The root takes part, also where what it has for all and its own part lie at one address.
 *
 * made: MPI_Gather(BSIM_SCRATCH, ROWS, row, BSIM_SCRATCH, ROWS, row, k % 2, MPI_COMM_WORLD
 * made: MPI_Scatter(BSIM_SCRATCH, ROWS, row, BSIM_SCRATCH, ROWS, row, 0, MPI_COMM_WORLD
 * made: MPI_Gatherv(BSIM_SCRATCH, ROWS, row, BSIM_SCRATCH, counts, places, row, 0, MPI_COMM_WORLD
 * gone: b[0] + 1
 * ranks: 2 5
 */
#include <mpi.h>
#include <stdlib.h>

#define ROWS 20
#define COLUMNS 1000

int main(int argc, char **argv) {
    int size;
    MPI_Datatype row;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(COLUMNS, MPI_INT, &row);
    MPI_Type_commit(&row);
    int *a = calloc(ROWS * COLUMNS, sizeof *a),
        *b = calloc((size_t)size * ROWS * COLUMNS, sizeof *b);
    int *counts = malloc((size_t)size * sizeof *counts),
        *places = malloc((size_t)size * sizeof *places);
    for (int i = 0; i < size; i++) {
        counts[i] = ROWS;
        places[i] = i * ROWS;
    }
    for (int k = 0; k < 20; k++) {
        MPI_Gather(a, ROWS, row, b, ROWS, row, k % 2, MPI_COMM_WORLD);
        a[0] = b[0] + 1;
        MPI_Scatter(b, ROWS, row, a, ROWS, row, 0, MPI_COMM_WORLD);
        MPI_Gatherv(a, ROWS, row, b, counts, places, row, 0, MPI_COMM_WORLD);
        MPI_Scatter(b, ROWS, row, a, ROWS * COLUMNS, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Scatter(b, ROWS * COLUMNS, MPI_INT, a, ROWS, row, 1, MPI_COMM_WORLD);
        MPI_Gather(a, ROWS * COLUMNS, MPI_INT, b, ROWS, row, 1, MPI_COMM_WORLD);
        MPI_Gatherv(a, ROWS * COLUMNS, MPI_INT, b, counts, places, row, 0, MPI_COMM_WORLD);
        MPI_Allgather(a, ROWS * COLUMNS, MPI_INT, b, ROWS, row, MPI_COMM_WORLD);
        MPI_Alltoall(b, ROWS * COLUMNS / size, MPI_INT, a, ROWS * COLUMNS / size, MPI_INT,
                     MPI_COMM_WORLD);
    }
    MPI_Type_free(&row);
    free(a);
    free(b);
    free(counts);
    free(places);
    MPI_Finalize();
    return 0;
}
