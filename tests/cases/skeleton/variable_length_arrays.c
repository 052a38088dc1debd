/* SPDX-License-Identifier: Apache-2.0
 *
 * An array of variable length with counts stays, one with data goes.
 *
 * kept: int counts[size]
 * gone: double data[
 */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int counts[size], offsets[size], total = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        offsets[i] = total;
        total += counts[i];
    }
    double data[total];
    for (int i = 0; i < total; i++)
        data[i] = 1.0 / (i + rank + 1);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, counts, offsets, MPI_DOUBLE,
                   MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
