/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that includes <unistd.h>, behind mpi.h, calls the functions of that.
 *
 * gone: x[i] = x[i] * 0.5 + 1
 * kept: access(
 */
#include <mpi.h>
#include <unistd.h>

static int (*const all[])(const char *, const char *) = {link};

int main(int argc, char **argv) {
    double x[100] = {0};
    int count = access("/", F_OK) == 0 ? 10 : 20;
    MPI_Init(&argc, &argv);
    if (getppid() < 0)
        count = all[argc % 1]("a", "b") + dup(1);
    for (int i = 0; i < 100; i++)
        x[i] = x[i] * 0.5 + 1;
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
