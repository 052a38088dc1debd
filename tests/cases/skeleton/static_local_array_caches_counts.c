/* SPDX-License-Identifier: Apache-2.0
 *
 * A function fills a static table on its first call, and gives numbers from it.
 *
 * kept: filled = 1
 * gone: exp(
 */
#include <math.h>
#include <mpi.h>

static int lookup(int i) {
    static int table[10], filled;
    static double logs[10];
    if (!filled) {
        for (int k = 0; k < 10; k++) {
            table[k] = k * k % 11;
            logs[k] = exp(k);
        }
        filled = 1;
    }
    logs[i] += 1;
    return table[i];
}

int main(int argc, char **argv) {
    double x[20] = {0};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        MPI_Bcast(x, lookup(i), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
