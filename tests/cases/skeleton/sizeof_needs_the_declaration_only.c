/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts are sizes of an array and of a member; what is in the array is not needed.
 *
 * kept: sizeof u / sizeof u[0]
 * gone: u[i] = i
 */
#include <mpi.h>

struct cell {
    double state[7];
    int id;
};

int main(int argc, char **argv) {
    double u[23];
    struct cell cell, *cells = &cell;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 23; i++)
        u[i] = i;
    cell.id = 4;
    MPI_Bcast(u, sizeof u / sizeof u[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(cells, sizeof *cells, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(cell.state, sizeof cells->state / sizeof(double), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
