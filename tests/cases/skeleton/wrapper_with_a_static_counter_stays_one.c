/* SPDX-License-Identifier: Apache-2.0
 *
 * A wrapper that numbers its messages in a static local is one function: copies would count apart.
 *
 * kept: static int number = 0
 * kept: number++
 * gone: sum += i / 3.0
 */
#include <mpi.h>

static void send_next(const void *data, int n, MPI_Datatype type, int to) {
    static int number = 0;
    MPI_Send(data, n, type, to, number++, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    double u[10] = {0}, sum = 0;
    int rank, size, n = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 10; i++)
        sum += i / 3.0;
    if (rank == 0) {
        n += size;
        send_next(&n, 1, MPI_INT, 1);
        send_next(u, n, MPI_DOUBLE, 1);
    } else if (rank == 1) {
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(u, n, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return sum < 0;
}
