/* SPDX-License-Identifier: Apache-2.0
 *
 * A line whose text nobody needs has to be read to get to the next one, also inside a function that
 * is handed the file.
 *
 * with: parameters.txt
 * kept: fgets(heading, sizeof heading, file)
 * kept: skip(file)
 * gone: u[i] *= 0.5
 */
#include <mpi.h>
#include <stdio.h>

static void skip(FILE *file) {
    float ignored;
    (void)!fscanf(file, "%f", &ignored);
}

int main(int argc, char **argv) {
    char heading[100];
    double u[50] = {1};
    int n = 0;
    MPI_Init(&argc, &argv);
    FILE *file = fopen("parameters.txt", "r");
    if (file == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    (void)!fgets(heading, sizeof heading, file);
    skip(file);
    skip(file);
    (void)!fscanf(file, "%d", &n);
    fclose(file);
    for (int i = 0; i < 50; i++)
        u[i] *= 0.5;
    MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
