/* SPDX-License-Identifier: Apache-2.0
 *
 * The same name in nested scopes: only one of them counts.
 *
 * kept: int n = 5
 * gone: double n = 0.25
 */
#include <mpi.h>

static int rank = 17;

int main(int argc, char **argv) {
    double x[100] = {0};
    int n = 5;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 3; step++) {
        double n = 0.25;
        for (int i = 0; i < 100; i++)
            x[i] += n * i;
        {
            int rank = step % 2;
            MPI_Bcast(x, rank + 20, MPI_DOUBLE, rank, MPI_COMM_WORLD);
        }
    }
    MPI_Bcast(x, n + rank, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
