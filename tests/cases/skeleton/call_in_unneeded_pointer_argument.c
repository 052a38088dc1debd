/* SPDX-License-Identifier: Apache-2.0
 *
 * A call that communicates lies in a pointer argument that nobody needs: it stays in its place,
 * followed by a null pointer.
 *
 * gone: weights[visit(x)]
 * made: (void *)0)
 */
#include <mpi.h>

static double weights[2] = {0.5, 2.0};
static double (*const ways[2])(double);

static int visit(double *x) {
    MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return x[0] > 0;
}

static void scale(double *x, const double *weight, double (*way)(double)) {
    MPI_Barrier(MPI_COMM_WORLD);
    x[0] *= weight != NULL && way == NULL ? *weight : 1;
}

int main(int argc, char **argv) {
    double x[1] = {1.0};
    MPI_Init(&argc, &argv);
    scale(x, &weights[visit(x)], ways[visit(x)]);
    MPI_Finalize();
    return 0;
}
