/* SPDX-License-Identifier: Apache-2.0
 *
 * errno is looked at: the calls that set it stay, though their results are not needed.
 *
 * kept: fopen("/nowhere/at/all", "r")
 * kept: mkdir("/", 0777)
 * kept: strtol("99999999999999999999"
 * gone: x[i] = 0.5 * i
 */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
    double x[64];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    errno = 0;
    fopen("/nowhere/at/all", "r");
    if (errno == ENOENT)
        MPI_Bcast(x, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    mkdir("/", 0777);
    if (errno == EEXIST)
        MPI_Bcast(x, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    errno = 0;
    strtol("99999999999999999999", NULL, 10);
    if (errno == ERANGE)
        MPI_Bcast(x, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
