/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters and numbers are received as bytes, and sent as such, longs as 64 bits: MPI 3.1 wants
 * equal datatypes (section 3.3.1), implementations do not look, and programs count on that.
 *
 * args: 3
 * kept: text[0] = (char)(1 + rank + step)
 * kept: number = 1 + rank + step
 * kept: longer = 2 + rank + step
 * gone: work += sin(i)
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    static double buffer[64];
    int rank, size;
    double work = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int step = 0; step < atoi(argv[1]); step++) {
        char text[4] = {0};
        unsigned char bytes[4] = {0};
        unsigned number;
        int received = 0;
        long longer;
        int64_t wide = 0;
        for (int i = 0; i < 1000; i++)
            work += sin(i);
        text[0] = (char)(1 + rank + step);
        number = 1 + rank + step;
        longer = 2 + rank + step;
        MPI_Sendrecv(text, 4, MPI_CHAR, next, 1, bytes, 4, MPI_BYTE, last, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&number, sizeof number, MPI_BYTE, next, 2, &received, 1, MPI_INT, last, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&longer, 1, MPI_LONG, next, 3, &wide, sizeof wide, MPI_BYTE, last, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(buffer, bytes[0], MPI_DOUBLE, last, 4, buffer, 64, MPI_DOUBLE, next, 4,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(buffer, received, MPI_DOUBLE, last, 5, buffer, 64, MPI_DOUBLE, next, 5,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(buffer, (int)wide, MPI_DOUBLE, last, 6, buffer, 64, MPI_DOUBLE, next, 6,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return work < -1;
}
