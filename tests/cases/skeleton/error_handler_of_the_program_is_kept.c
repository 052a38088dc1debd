/* SPDX-License-Identifier: Apache-2.0
 *
 * An error handler is a function that only MPI calls, and so is a copy function of an attribute.
 *
 * kept: MPI_Comm_create_errhandler(on_error
 * kept: copies++
 * gone: x[i] += 2
 * engine: not compared, since ranks would have copies of its variables
 */
#include <mpi.h>
#include <stdio.h>

static int copies;

static void on_error(MPI_Comm *comm, int *code, ...) {
    fprintf(stderr, "error %d\n", *code);
    MPI_Abort(*comm, *code);
}

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    double x[50] = {0};
    int key, value = 3;
    MPI_Comm other;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int i = 0; i < 50; i++)
        x[i] += 2;
    MPI_Bcast(x, 10 + copies, MPI_DOUBLE, 0, other);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
