/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions defined in the style of K&R, and a call without a prototype.
 *
 * kept: share(
 * gone: scale
 * flags: -std=gnu89 -Wno-implicit-function-declaration
 */
#include <mpi.h>

double scale(x, n, by)
    double *x;
    int n;
    double by;
{
    double sum = 0;
    int i;
    for (i = 0; i < n; i++)
        sum += x[i] *= by;
    return sum;
}

static int share(n, x, root)
    int n, root;
    double *x;
{
    MPI_Bcast(x, n, MPI_DOUBLE, root, MPI_COMM_WORLD);
    return n + 1;
}

int main(argc, argv)
    int argc;
    char **argv;
{
    double x[60], sum = 0;
    int n = 3, step;
    MPI_Init(&argc, &argv);
    for (step = 0; step < 4; step++) {
        sum += scale(x, 60, 0.5);
        n = share(n, x, step % 2);
    }
    MPI_Finalize();
    return 0;
}
