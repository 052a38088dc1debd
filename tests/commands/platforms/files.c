/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank writes 25 MB to the file that the argument names and reads 5 MB of it; no rank
 * computes.
 */
#include <mpi.h>

#define BYTES 25000000

static char buffer[BYTES];

int main(int argc, char **argv) {
    int rank;
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, (MPI_Offset)rank * BYTES, buffer, BYTES, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_iread_at(file, 0, buffer, BYTES / 5, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
