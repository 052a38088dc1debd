/* SPDX-License-Identifier: Apache-2.0
 *
 * An operation of the program's own: its function stays a function, what it computes is not needed.
 *
 * kept: MPI_Op_create(largest, 1, &op)
 * gone: fabs(x[i])
 */
#include <math.h>
#include <mpi.h>

static void largest(void *in, void *inout, int *n, MPI_Datatype *type) {
    double *a = in, *b = inout;
    for (int i = 0; i < *n; i++)
        if (fabs(a[i]) > fabs(b[i]))
            b[i] = a[i];
}

int main(int argc, char **argv) {
    double x[10] = {0}, y[10];
    MPI_Op op;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        x[i] = i - fabs(x[i]);
    MPI_Op_create(largest, 1, &op);
    MPI_Allreduce(x, y, 10, MPI_DOUBLE, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Finalize();
    return y[0] > 1e9;
}
