/* SPDX-License-Identifier: Apache-2.0
 *
 * The same with a datatype made by MPI_Type_create_struct from offsets.
 *
 * kept: parameters.n = atoi(argv[1])
 * gone: u[i] -=
 * args: 30
 */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

struct parameters {
    double factor;
    int n;
};

int main(int argc, char **argv) {
    struct parameters parameters = {0.5, 10};
    int rank, lengths[2] = {1, 1};
    MPI_Aint offsets[2] = {offsetof(struct parameters, factor), offsetof(struct parameters, n)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, type;
    double u[100] = {1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && argc > 1)
        parameters.n = atoi(argv[1]);
    MPI_Type_create_struct(2, lengths, offsets, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&parameters, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    for (int i = 0; i < parameters.n; i++)
        u[i] -= parameters.factor;
    MPI_Bcast(u, parameters.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
