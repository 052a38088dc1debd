/* SPDX-License-Identifier: Apache-2.0
 *
 * What an attribute cleanup calls where a scope is left is kept with what it needs, whichever way
 * leads out; guards that only free go.
 *
 * args: 5
 * args: 11
 * kept: g.tag = i;
 * kept: GUARD(at_end, 2);
 * kept: duplicate
 * gone: scratch[k] =
 * gone: drop(double **
 */
#include <mpi.h>
#include <math.h>
#include <stdlib.h>

#define CLEANUP(f) __attribute__((cleanup(f)))
#define GUARD(name, n) CLEANUP(leave) struct guard name = {n, 1}

struct guard {
    int count, tag;
};
static double row[256];
static int left;

static void leave(struct guard *g) {
    left++;
    MPI_Bcast(row, g->count + g->tag, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void drop(double **p) {
    free(*p);
}
static void unlock(int *depth) {
    for (int i = 0; i < *depth; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static double step(int s, int n) {
    CLEANUP(drop) double *scratch = malloc(100 * sizeof *scratch);
    for (int k = 0; k < 100; k++)
        scratch[k] = cos(k + s);
    for (int i = 0; i < n; i++) {
        CLEANUP(leave) struct guard g = {i + 1, 0};
        CLEANUP(unlock) int depth = 1;
        g.tag = i;
        if (i == s)
            continue;
        depth = i % 3;
        if (i > s + 2)
            break;
        if (i == 6)
            goto out;
        if (i == 7)
            return scratch[i];
        depth++;
    }
    MPI_Allreduce(MPI_IN_PLACE, row, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
out:
    return scratch[n];
}

static int quotient(int n) {
    GUARD(at_end, 2);
    CLEANUP(MPI_Comm_free) MPI_Comm duplicate;
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Barrier(duplicate);
    return ({
        GUARD(inner, n);
        inner.tag + n;
    });
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int s = 0; s < n; s++)
        sum += step(s, n);
    for (int i = quotient(n); i > 0; i--)
        MPI_Bcast(row, left, MPI_INT, 0, MPI_COMM_WORLD);
    row[0] = sum;
    MPI_Finalize();
    return 0;
}
