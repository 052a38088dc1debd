/* SPDX-License-Identifier: Apache-2.0
 *
 * The function at the top of a program writes a file of MPI, and main reads it: the first call of the text is looked at as
 * all others are.
 *
 * kept: n = 3 + argc
 * gone: x[i] = 3 * i
 * engine: lacks MPI-IO
 */
#include <mpi.h>

static void put(MPI_File file, int *number) {
    MPI_File_write_at(file, 0, number, 1, MPI_INT, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_File file;
    double x[40];
    int rank, n = 0, found = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    MPI_File_open(MPI_COMM_SELF, rank == 0 ? "first" : "others", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    n = 3 + argc;
    if (rank == 0)
        put(file, &n);
    if (rank == 0)
        MPI_File_read_at(file, 0, &found, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_File_close(&file);
    for (int k = 0; k < found; k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
