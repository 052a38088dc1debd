/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of a wrapper inside a checking macro name the copy that they need.
 *
 * kept: CHECK(spread
 * gone: u[i] = i / 7.0
 */
#include <mpi.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        int code = (call);                                                                         \
        if (code != MPI_SUCCESS)                                                                   \
            MPI_Abort(MPI_COMM_WORLD, code);                                                       \
    } while (0)

static int spread(void *data, int n, MPI_Datatype type) {
    return MPI_Bcast(data, n, type, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    double u[50];
    int n = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        n = 30 + argc;
    CHECK(spread(&n, 1, MPI_INT));
    for (int i = 0; i < 50; i++)
        u[i] = i / 7.0;
    CHECK(spread(u, n, MPI_DOUBLE));
    MPI_Finalize();
    return 0;
}
