/* SPDX-License-Identifier: Apache-2.0
 *
 * A number in a file, which a stream has written, says how often there is a barrier. What is
 * computed is written to another file: the skeleton leaves that one alone, though it knows its
 * size.
 *
 * live: 1
 * kept: fprintf(out, "%d ", 4)
 * kept: MPI_File_read_all(file, text, 2, MPI_CHAR, MPI_STATUS_IGNORE)
 * gone: MPI_File_write_at_all(file, 8 * 64 * rank, x, 64, MPI_DOUBLE, &status)
 * gone: x[i] = 0.5 * i + rank
 * engine: lacks MPI-IO
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int read_count(void) {
    MPI_File file;
    char text[4] = "";
    MPI_File_open(MPI_COMM_WORLD, "count.txt", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_read_all(file, text, 2, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return atoi(text);
}

static int write_result(int rank) {
    MPI_File file;
    MPI_Offset bytes;
    MPI_Status status;
    double x[64];
    int count;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i + rank;
    MPI_File_open(MPI_COMM_WORLD, "result", MPI_MODE_WRONLY | MPI_MODE_CREATE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_size(file, 0);
    MPI_File_write_at_all(file, 8 * 64 * rank, x, 64, MPI_DOUBLE, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_size(file, &bytes);
    MPI_File_close(&file);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    return (int)(bytes / 512) + count / 64; /* ranks and one */
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_File none;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        FILE *out = fopen("count.txt", "w");
        fprintf(out, "%d ", 4);
        fclose(out);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int count = read_count() + write_result(rank);
    if (count != 4 + size + 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (MPI_File_open(MPI_COMM_WORLD, "nowhere", MPI_MODE_RDONLY, MPI_INFO_NULL, &none) ==
        MPI_ERR_NO_SUCH_FILE)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
