/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers whose calls need different parts are copied: static ones of a header that two units
 * include, one that is defined behind its caller, one with directives inside.
 *
 * with: copied_wrappers.h
 * with: copied_wrappers.c
 * flags: -Wextra
 * kept: spread(&n, 1, MPI_INT)
 * gone: u[i] = 0.25 * i
 * gone: w[i] = u[i] * 2
 * gone: u[i] += 1.5
 * args: 1 2
 */
#include "copied_wrappers.h"

/* Defined behind its caller. */
static double largest(double mine);

int main(int argc, char **argv) {
    double u[64], w[64], limit = argc, norm = 0;
    int n = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        n = 40 + argc;
    spread(&n, 1, MPI_INT);
    for (int i = 0; i < n; i++)
        u[i] = 0.25 * i;
    spread(u, n, MPI_DOUBLE);
    for (int i = 0; i < n; i++)
        w[i] = u[i] * 2;
    distribute(w, &n);
    while (limit > 0.5) {
        limit = largest(limit) / 2;
        for (int i = 0; i < n; i++)
            u[i] += 1.5;
        norm = largest(u[0]);
    }
    shift(u, n, rank);
    MPI_Finalize();
    return norm < 0;
}

static double largest(double mine) {
    double all = 0;
#ifdef MPI_MAX
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
#else
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#endif
    return all;
}
