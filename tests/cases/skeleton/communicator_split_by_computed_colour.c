/* SPDX-License-Identifier: Apache-2.0
 *
 * The colour of a split is computed from the rank; who is in a communicator decides what is sent.
 *
 * kept: colour
 * gone: energy +=
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[10] = {0}, energy = 0;
    int rank, size, row, row_size, colour = 0;
    MPI_Comm line;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int r = rank; r > 1; r /= 2)
        colour++;
    MPI_Comm_split(MPI_COMM_WORLD, colour, -rank, &line);
    MPI_Comm_rank(line, &row);
    MPI_Comm_size(line, &row_size);
    for (int i = 0; i < 10; i++)
        energy += x[i] * row;
    MPI_Bcast(x, 10 - row_size, MPI_DOUBLE, row_size - 1, line);
    if (row == 0)
        MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
