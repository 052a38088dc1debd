/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes and an integer go from one rank to another with one tag. The integer is sent as one, by the first call of the text,
 * and the bytes are received as bytes: so what is in them decides nothing.
 *
 * kept: count = 3 + argc
 * gone: name[i] = (char)('a' + i % 26)
 */
#include <mpi.h>

static void put(const int *number) {
    MPI_Send(number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, count = 0, steps = 0;
    char name[400] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        count = 3 + argc;
        for (int i = 0; i < 400; i++)
            name[i] = (char)('a' + i % 26);
        put(&count);
        MPI_Send(name, sizeof name, MPI_BYTE, 1, 3, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(&steps, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(name, sizeof name, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv_replace(name, 9, MPI_CHAR, rank, 9, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
