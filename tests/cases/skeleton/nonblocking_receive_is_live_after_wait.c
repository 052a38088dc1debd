/* SPDX-License-Identifier: Apache-2.0
 *
 * A count comes in by a nonblocking receive; another message of the same type, by another tag, is
 * data.
 *
 * kept: n = 5 + rank
 * gone: marks[i] = i * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[100] = {0};
    int rank, n, other, marks[30], theirs[30];
    MPI_Request requests[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n = 5 + rank;
    for (int i = 0; i < 30; i++)
        marks[i] = i * i;
    MPI_Irecv(&other, 1, MPI_INT, rank ^ 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(theirs, 30, MPI_INT, rank ^ 1, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&n, 1, MPI_INT, rank ^ 1, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(marks, 30, MPI_INT, rank ^ 1, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(x, n, MPI_DOUBLE, rank ^ 1, 3, x + 50, other, MPI_DOUBLE, rank ^ 1, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
