/* SPDX-License-Identifier: Apache-2.0
 *
 * A function-like macro checks the result of each MPI call.
 *
 * kept: CHECK(MPI_Bcast(
 * gone: * 1.25
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
    if ((call) != MPI_SUCCESS) {                                                                   \
        fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #call);                          \
        exit(1);                                                                                   \
    }

int main(int argc, char **argv) {
    double x[10] = {0};
    CHECK(MPI_Init(&argc, &argv));
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 10; i++)
            x[i] = x[i] * 1.25 + step;
        CHECK(MPI_Bcast(x, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    }
    CHECK(MPI_Finalize());
    return 0;
}
