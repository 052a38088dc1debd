/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a handle may come out of an int (as with MPICH) a message in one communicator may be one of any other.
 *
 * flags: -Wno-int-to-pointer-cast
 * kept: count = 3 + argc
 * gone: x[i] = 3 * i
 */
#include <mpi.h>

static int handle;

int main(int argc, char **argv) {
    int rank, count, steps = 0, unread;
    double x[40];
    MPI_Comm one, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    handle = argc;
    if (argc > 7)
        other = (MPI_Comm)handle;
    if (rank == 0) {
        count = 3 + argc;
        MPI_Send(&count, 1, MPI_INT, 1, 1, one);
    }
    if (rank == 1 && argc > 7)
        MPI_Recv(&steps, 1, MPI_INT, 0, 1, other, MPI_STATUS_IGNORE);
    else if (rank == 1)
        MPI_Recv(&unread, 1, MPI_INT, 0, 1, one, MPI_STATUS_IGNORE);
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv_replace(x, 40, MPI_DOUBLE, rank, 9, rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
