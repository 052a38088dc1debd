/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop only computes, but where it stopped is the next message's length.
 *
 * kept: i < n
 * gone: sum += 1.0 / (i + 1)
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[64] = {0}, sum = 0;
    int i, n;
    MPI_Init(&argc, &argv);
    for (n = 3; n < 30; n += 9) {
        for (i = 0; i < n; i++) {
            sum += 1.0 / (i + 1);
            if (i * i > 200)
                break;
        }
        MPI_Bcast(x, i, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return sum < 0;
}
