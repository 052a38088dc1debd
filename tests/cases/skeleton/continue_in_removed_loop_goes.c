/* SPDX-License-Identifier: Apache-2.0
 *
 * A continue and a break inside computation go with it; the region is one stub.
 *
 * gone: continue
 * gone: break
 * regions: 1
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double x[200] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 200; i++) {
        if (i % 3 == 0)
            continue;
        if (x[i] > 100)
            break;
        x[i] += i;
    }
    MPI_Bcast(x, 200, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
