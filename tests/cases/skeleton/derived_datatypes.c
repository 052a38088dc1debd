/* SPDX-License-Identifier: Apache-2.0
 *
 * Datatypes stay with the strides and block lengths that they are made of.
 *
 * kept: MPI_Type_vector(ny, 1, nx, MPI_DOUBLE, &column)
 * kept: lengths[
 * gone: 0.25 * (
 * args: 6 9
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int nx = argc > 2 ? atoi(argv[1]) : 4, ny = argc > 2 ? atoi(argv[2]) : 5, rank;
    int lengths[2], offsets[2];
    MPI_Datatype column, blocks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *field = calloc(nx * ny, sizeof *field);
    MPI_Type_vector(ny, 1, nx, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int k = 0; k < 2; k++) {
        lengths[k] = k + 1;
        offsets[k] = k * nx;
    }
    MPI_Type_indexed(2, lengths, offsets, MPI_DOUBLE, &blocks);
    MPI_Type_commit(&blocks);
    for (int i = nx; i < nx * ny - nx; i++)
        field[i] = 0.25 * (field[i - 1] + field[i + 1] + field[i - nx] + field[i + nx]);
    MPI_Sendrecv(field, 1, column, rank ^ 1, 0, field + nx - 1, 1, column, rank ^ 1, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(field, 1, blocks, 0, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
