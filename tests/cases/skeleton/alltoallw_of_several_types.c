/* SPDX-License-Identifier: Apache-2.0
 *
 * Every pair of ranks has its own type: the types stay, contents go.
 *
 * kept: types[i] = i % 2 ? MPI_DOUBLE : vector
 * gone: out[i] = i * 0.5
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double out[512], in[512];
    int rank, size;
    MPI_Datatype vector;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int));
    int *back = malloc(size * sizeof(int));
    MPI_Datatype *types = malloc(size * sizeof *types), *back_types = malloc(size * sizeof *types);
    MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    for (int i = 0; i < size; i++) {
        types[i] = i % 2 ? MPI_DOUBLE : vector;
        back_types[i] = MPI_DOUBLE;
        counts[i] = i % 2 ? 2 : 1;
        back[i] = 2;
        places[i] = i * 64;
    }
    for (int i = 0; i < 512; i++)
        out[i] = i * 0.5;
    MPI_Alltoallw(out, counts, places, types, in, back, places, back_types, MPI_COMM_WORLD);
    MPI_Type_free(&vector);
    free(counts);
    free(places);
    free(back);
    free(types);
    free(back_types);
    MPI_Finalize();
    return 0;
}
