/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes asked of a datatype are counts of bytes.
 *
 * kept: MPI_Type_size(pair, &bytes)
 * gone: u[i] *= 2
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double u[100] = {0};
    int bytes;
    MPI_Aint lower, extent;
    MPI_Datatype pair;
    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_size(pair, &bytes);
    MPI_Type_get_extent(pair, &lower, &extent);
    for (int i = 0; i < 100; i++)
        u[i] *= 2;
    MPI_Bcast(u, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(u, (int)extent / 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
