/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts in bit fields, truncated by their width.
 *
 * kept: header.count += 5
 * gone: header.quality
 */
#include <mpi.h>

struct header {
    unsigned count : 4;
    unsigned tag : 3;
    float quality;
};

int main(int argc, char **argv) {
    struct header header = {3, 0, 0};
    double u[20] = {1};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 6; step++) {
        header.count += 5;
        header.tag ^= 5;
        header.quality += 0.5f;
        MPI_Sendrecv_replace(u, header.count, MPI_DOUBLE, rank ^ 1, header.tag, rank ^ 1,
                             header.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
