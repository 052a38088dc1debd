/* SPDX-License-Identifier: Apache-2.0
 *
 * A continue that skips a message stays.
 *
 * kept: continue
 * kept: (step + rank / 2) % 3 == 0
 * gone: 0.125
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[20] = {0};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 9; step++) {
        x[step] += 0.125;
        if ((step + rank / 2) % 3 == 0)
            continue;
        MPI_Sendrecv_replace(x, 20, MPI_DOUBLE, rank ^ 1, step, rank ^ 1, step, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
