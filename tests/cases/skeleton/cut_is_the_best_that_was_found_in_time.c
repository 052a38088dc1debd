/* SPDX-License-Identifier: Apache-2.0
 *
 * A search that has no time left is content with what its first round has found, and says so.
 *
 * args: 100
 * ranks: 2
 * generate: --assume=cuts --cut-time=0
 * scout: 1000
 * cut: int length = 1 + (int)largest(x, n) % 5
 * note: was ended by its budget of time and memory
 * gone: x[i] = 0.5 * (x[i] + x[(i + 7) % n]);
 */
#include <mpi.h>
#include <stdlib.h>

static double largest(double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        x[i] = 0.5 * (x[i] + x[(i + 7) % n]);
        most = x[i] > most ? x[i] : most;
    }
    return most;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    double *x = malloc(n * sizeof *x), out[5] = {0};
    for (int i = 0; i < n; i++)
        x[i] = i * 37 % 101;
    for (int step = 0; step < 20; step++) {
        int length = 1 + (int)largest(x, n) % 5;
        MPI_Allreduce(MPI_IN_PLACE, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Sendrecv_replace(out, length, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF,
                             MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
