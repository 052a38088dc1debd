/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop asks whether a message is there, and computes meanwhile.
 *
 * kept: !flag
 * gone: meanwhile
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[10] = {0}, meanwhile = 0;
    int rank, flag = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Send(u, 10, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irecv(u, 10, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
        while (!flag) {
            meanwhile += 0.5;
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return meanwhile < 0;
}
