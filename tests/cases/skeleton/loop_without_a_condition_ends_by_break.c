/* SPDX-License-Identifier: Apache-2.0
 *
 * A loop that counts, and has no condition: what leaves it is kept, and a loop of this kind that only computes is no
 * feature.
 *
 * kept: if (k == 3)
 * gone: x[i] = 3 * i
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[40];
    MPI_Init(&argc, &argv);
    for (int i = 0;; i++) {
        if (i == 40)
            break;
        x[i] = 3 * i;
    }
    for (int k = 0;; k++) {
        if (k == 3)
            break;
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
