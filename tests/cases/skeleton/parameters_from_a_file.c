/* SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 reads parameters from a file, in order; a line between is not needed but has to be read.
 *
 * with: parameters.txt
 * kept: fscanf(file, "%d", &steps)
 * gone: u[i] *=
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    char title[100];
    double u[50] = {1}, factor = 0;
    int rank, steps = 0, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        FILE *file = fopen("parameters.txt", "r");
        if (file != NULL && fgets(title, sizeof title, file) != NULL &&
            fscanf(file, "%d", &steps) == 1 && fscanf(file, "%lf", &factor) == 1 &&
            fscanf(file, "%d", &n) == 1)
            fclose(file);
    }
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++)
            u[i] *= factor;
        MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
