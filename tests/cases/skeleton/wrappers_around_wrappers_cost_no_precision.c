/* SPDX-License-Identifier: Apache-2.0
 *
 * Two layers of wrappers, each used for counts and for data: the data go.
 *
 * kept: share(&n, 1, MPI_INT)
 * gone: u[i] = i * 0.5
 */
#include <mpi.h>

static int checked(int code) {
    if (code != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return code;
}

static void spread(void *data, int n, MPI_Datatype type, int root) {
    checked(MPI_Bcast(data, n, type, root, MPI_COMM_WORLD));
}

static void share(void *data, int n, MPI_Datatype type) {
    spread(data, n, type, 0);
}

int main(int argc, char **argv) {
    double u[100];
    int n = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        n = 40 + argc;
    share(&n, 1, MPI_INT);
    for (int i = 0; i < 100; i++)
        u[i] = i * 0.5;
    share(u, n, MPI_DOUBLE);
    MPI_Finalize();
    return 0;
}
