/* SPDX-License-Identifier: Apache-2.0
 *
 * A macro expands to computation and a message: all of it stays, computation around it goes.
 *
 * kept: EXCHANGE(x, 30, step);
 * gone: 0.75
 */
#include <mpi.h>

#define EXCHANGE(buffer, count, tag)                                                               \
    do {                                                                                           \
        buffer[0] = (tag);                                                                         \
        MPI_Sendrecv_replace(buffer, count, MPI_DOUBLE, rank ^ 1, tag, rank ^ 1, tag,              \
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);                                   \
        calls++;                                                                                   \
    } while (0)

int main(int argc, char **argv) {
    double x[30] = {0};
    int rank, calls = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 30; i++)
            x[i] = 0.75 * x[i] + 1;
        EXCHANGE(x, 30, step);
    }
    MPI_Finalize();
    return calls != 3;
}
