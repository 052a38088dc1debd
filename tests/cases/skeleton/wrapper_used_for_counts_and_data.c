/* SPDX-License-Identifier: Apache-2.0
 *
 * One wrapper sends integers that are needed and doubles that are not: the doubles go. The wrapper
 * that receives them is static by its prototype only.
 *
 * kept: send(&n, 1, MPI_INT, to)
 * gone: u[i] *= 2
 */
#include <mpi.h>

static void send(const void *data, int n, MPI_Datatype type, int to) {
    MPI_Send(data, n, type, to, 1, MPI_COMM_WORLD);
}

static void receive(void *data, int n, MPI_Datatype type, int from);

void receive(void *data, int n, MPI_Datatype type, int from) {
    MPI_Recv(data, n, type, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    double u[100] = {0};
    int rank, size, n = 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 100; i++)
        u[i] *= 2;
    if (rank == 0) {
        for (int to = 1; to < size; to++) {
            n = 10 + to;
            send(&n, 1, MPI_INT, to);
            send(u, n, MPI_DOUBLE, to);
        }
    } else {
        receive(&n, 1, MPI_INT, 0);
        receive(u, n, MPI_DOUBLE, 0);
    }
    MPI_Finalize();
    return 0;
}
