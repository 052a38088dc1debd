/* SPDX-License-Identifier: Apache-2.0
 *
 * `real` is a macro, as in many programs that come in two precisions. Declarations that begin with
 * it go as others do: the call stays, for its broadcast, and not what its result is computed from.
 *
 * kept: real width = owner_of(
 * gone: u[i] = u[i] * 0.5 + 1
 * gone: element = u[n / 2]
 */
#include <mpi.h>
#include <stdlib.h>
#define real double
#define CONST_REAL const real

static real *u;

static real get(int n, int owner, int rank) {
    real element = 0;
    if (rank == owner)
        element = u[n / 2];
    MPI_Bcast(&element, 1, MPI_DOUBLE, owner, MPI_COMM_WORLD);
    return element;
}

static real owner_of(int n) {
    return n / 8;
}

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = i;
    real sum = 0;
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < n; i++)
            u[i] = u[i] * 0.5 + 1;
        real e = get(n, 0, rank), other = 2 * e;
        CONST_REAL both = e + other;
        sum += both;
    }
    real width = owner_of(n);
    MPI_Bcast(u, (int)width, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(u);
    MPI_Finalize();
    return sum < 0;
}
