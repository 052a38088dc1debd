/* SPDX-License-Identifier: Apache-2.0
 *
 * Communicators that are copied twelve times, by calls under different conditions, are apart since the first ones are. A
 * communicator that is made anew out of itself in a loop may be any of its copies.
 *
 * kept: n = 3 + argc
 * kept: m = 4 + argc
 * gone: x[i] = 7 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Comm a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, c;
    MPI_Comm b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, d;
    int rank, n = 0, m = 0, x[20], y[20] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &a0);
    MPI_Comm_dup(MPI_COMM_WORLD, &b0);
    if (argc > 0) {
        MPI_Comm_dup(a0, &a1);
        MPI_Comm_dup(a1, &a2);
        MPI_Comm_dup(a2, &a3);
        MPI_Comm_dup(a3, &a4);
        MPI_Comm_dup(a4, &a5);
        MPI_Comm_dup(a5, &a6);
        MPI_Comm_dup(a6, &a7);
        MPI_Comm_dup(a7, &a8);
        MPI_Comm_dup(a8, &a9);
        MPI_Comm_dup(a9, &a10);
        MPI_Comm_dup(a10, &a11);
        MPI_Comm_dup(a11, &a12);
    }
    if (argc > -1) {
        MPI_Comm_dup(b0, &b1);
        MPI_Comm_dup(b1, &b2);
        MPI_Comm_dup(b2, &b3);
        MPI_Comm_dup(b3, &b4);
        MPI_Comm_dup(b4, &b5);
        MPI_Comm_dup(b5, &b6);
        MPI_Comm_dup(b6, &b7);
        MPI_Comm_dup(b7, &b8);
        MPI_Comm_dup(b8, &b9);
        MPI_Comm_dup(b9, &b10);
        MPI_Comm_dup(b10, &b11);
        MPI_Comm_dup(b11, &b12);
    }
    if (rank == 0) {
        n = 3 + argc;
        MPI_Send(&n, 1, MPI_INT, 1, 1, a12);
        for (int i = 0; i < 20; i++)
            x[i] = 7 * i;
        MPI_Send(x, 20, MPI_INT, 1, 1, b12);
    }
    if (rank == 1) {
        MPI_Recv(&n, 1, MPI_INT, 0, 1, a12, MPI_STATUS_IGNORE);
        MPI_Recv(y, 20, MPI_INT, 0, 1, b12, MPI_STATUS_IGNORE);
    }
    MPI_Comm_dup(a12, &c);
    MPI_Comm_dup(a12, &d);
    if (argc > -2)
        for (int i = 0; i < 2; i++)
            MPI_Comm_dup(c, &c);
    if (argc > -3)
        for (int i = 0; i < 2; i++)
            MPI_Comm_dup(d, &d);
    if (rank == 0) {
        m = 4 + argc;
        MPI_Send(&m, 1, MPI_INT, 1, 2, c);
    }
    if (rank == 1)
        MPI_Recv(&m, 1, MPI_INT, 0, 2, c, MPI_STATUS_IGNORE);
    for (int i = 0; i < n + m; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
