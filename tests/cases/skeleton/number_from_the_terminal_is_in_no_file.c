/* SPDX-License-Identifier: Apache-2.0
 *
 * How many messages there are is read from the terminal, if anybody types it: what is written to a file of MPI is not what
 * is read there.
 *
 * kept: fscanf(stdin, "%d", &n)
 * gone: x[i] = 3 * i
 * engine: lacks MPI-IO
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_File file;
    double x[40];
    int rank, n = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    MPI_File_open(MPI_COMM_SELF, rank == 0 ? "first" : "others", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, x, 40, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (rank == 0 && fscanf(stdin, "%d", &n) != 1)
        n = 5;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int k = 0; k < n; k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
