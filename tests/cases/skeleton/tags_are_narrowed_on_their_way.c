/* SPDX-License-Identifier: Apache-2.0
 *
 * A tag is handed on by a function that has it as a byte, and in another one as a truth value: what arrives is another
 * number than the first caller's.
 *
 * ranks: 2
 * kept: n = 3 + argc
 * kept: m = 4 + argc
 * gone: x[i] = i * 0.5
 */
#include <mpi.h>
#include <stdbool.h>

static void give_by_byte(int *number, unsigned char tag) {
    MPI_Send(number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
}

static void give(int *number, int tag) {
    give_by_byte(number, tag);
}

static void give_if(int *number, bool tag) {
    MPI_Send(number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, n, m, k = 0, l = 0;
    double x[30];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 30; i++)
        x[i] = i * 0.5;
    if (rank == 0) {
        n = 3 + argc;
        give(&n, 300);
        m = 4 + argc;
        give_if(&m, 5);
    } else {
        MPI_Recv(&k, 1, MPI_INT, 0, 44, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&l, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < k + l; i++)
            MPI_Barrier(MPI_COMM_SELF);
    }
    MPI_Bcast(x, 30, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
