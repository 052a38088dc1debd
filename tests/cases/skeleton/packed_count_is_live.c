/* SPDX-License-Identifier: Apache-2.0
 *
 * A count is packed, broadcast and unpacked; the data packed with it is not needed.
 *
 * kept: MPI_Unpack(buffer, 100, &place, &count, 1, MPI_INT
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    char buffer[100];
    double x[4], y[64];
    int rank, place = 0, count = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        count = 9;
        for (int i = 0; i < 4; i++)
            x[i] = 0.5 * i;
        MPI_Pack(&count, 1, MPI_INT, buffer, 100, &place, MPI_COMM_WORLD);
    }
    MPI_Bcast(buffer, 100, MPI_PACKED, 0, MPI_COMM_WORLD);
    place = 0;
    MPI_Unpack(buffer, 100, &place, &count, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++)
        y[i] = i + x[0];
    MPI_Allreduce(MPI_IN_PLACE, y, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
