/* SPDX-License-Identifier: Apache-2.0
 *
 * All of main leads to a function that ends the program with the status that it is given, 8, which is no error here. In
 * that function nothing is an error exit.
 *
 * generate: --assume=no-abnormal-exit
 * kept: finish(8);
 * kept: exit(status);
 * gone: x += 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>

static void finish(int status) {
    MPI_Finalize();
    exit(status);
}

int main(int argc, char **argv) {
    double x = 0, sum;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        x += 0.5 * i;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    finish(8);
}
