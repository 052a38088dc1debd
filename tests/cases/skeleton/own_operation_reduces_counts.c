/* SPDX-License-Identifier: Apache-2.0
 *
 * What an operation of the program's own makes of counts and of records steers: its function stays,
 * with what it reads beside its arguments.
 *
 * kept: limit = 9
 * kept: b[i] = a[i] + b[i] > limit ? limit : a[i] + b[i]
 * kept: mine.count = rank + 2
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>

struct pair {
    int count, where;
};

static int limit;

static void capped(void *in, void *inout, int *n, MPI_Datatype *type) {
    int *a = in, *b = inout;
    for (int i = 0; i < *n; i++)
        b[i] = a[i] + b[i] > limit ? limit : a[i] + b[i];
}

static void largest(void *in, void *inout, int *n, MPI_Datatype *type) {
    struct pair *a = in, *b = inout;
    for (int i = 0; i < *n; i++)
        if (a[i].count > b[i].count)
            b[i] = a[i];
}

int main(int argc, char **argv) {
    double x[64];
    int rank, count;
    struct pair mine, best;
    MPI_Op cap, max;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    limit = 9;
    count = rank + 4;
    mine.count = rank + 2;
    mine.where = rank;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    MPI_Op_create(capped, 1, &cap);
    MPI_Op_create(largest, 1, &max);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, cap, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &best, 1, type, max, MPI_COMM_WORLD);
    MPI_Bcast(x, count + best.count, MPI_DOUBLE, best.where, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Op_free(&cap);
    MPI_Op_free(&max);
    MPI_Finalize();
    return 0;
}
