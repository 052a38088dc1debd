/* SPDX-License-Identifier: Apache-2.0
 *
 * One variable is the handle of several files. What is written to the one that is read back is
 * needed; what is written to another one, opened in between, is not.
 *
 * kept: MPI_File_write_at(file, 0, &steps, 1, MPI_INT, MPI_STATUS_IGNORE)
 * gone: MPI_File_write_at_all(file, 512 * rank, x, 64, MPI_DOUBLE, MPI_STATUS_IGNORE)
 * gone: x[i] = 0.5 * i + rank
 * engine: lacks MPI-IO
 */
#include <mpi.h>

#define RESULT "result"
#define STATE "state.even"

int main(int argc, char **argv) {
    int rank, steps, back = 0;
    double x[64];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    steps = 2 + argc;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i + rank;
    MPI_File_open(MPI_COMM_SELF, rank % 2 == 0 ? STATE : "state.odd",
                  MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, &steps, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_WORLD, RESULT, MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 512 * rank, x, 64, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_SELF, rank % 2 == 0 ? STATE : "state.odd", MPI_MODE_RDONLY,
                  MPI_INFO_NULL, &file);
    MPI_File_read(file, &back, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    for (int i = 0; i < back; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
