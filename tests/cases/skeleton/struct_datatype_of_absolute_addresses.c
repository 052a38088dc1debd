/* SPDX-License-Identifier: Apache-2.0
 *
 * A datatype of absolute addresses is used with MPI_BOTTOM.
 *
 * kept: MPI_Get_address
 * kept: MPI_BOTTOM
 * gone: a *= 1.5
 */
#include <mpi.h>

int main(int argc, char **argv) {
    double a = 1, b[4] = {0};
    int n = 7, lengths[3] = {1, 4, 1};
    MPI_Aint places[3];
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_DOUBLE, MPI_INT}, all;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10; i++)
        a *= 1.5;
    MPI_Get_address(&a, &places[0]);
    MPI_Get_address(b, &places[1]);
    MPI_Get_address(&n, &places[2]);
    MPI_Type_create_struct(3, lengths, places, types, &all);
    MPI_Type_commit(&all);
    MPI_Bcast(MPI_BOTTOM, 1, all, 0, MPI_COMM_WORLD);
    MPI_Type_free(&all);
    MPI_Finalize();
    return a < 0;
}
