/* SPDX-License-Identifier: Apache-2.0
 *
 * A record goes through a file, and what its pointer leads to is changed through the copy.
 *
 * kept: again.values[1] = 11
 * gone: sum += 0.5 * i
 */
#include <mpi.h>
#include <stdio.h>

struct list {
    int count;
    int *values;
};

int main(int argc, char **argv) {
    int values[2] = {3, 4};
    struct list list = {2, values}, again;
    double sum = 0, x[64];
    FILE *file;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        sum += 0.5 * i;
    for (int i = 0; i < 64; i++)
        x[i] = sum;
    file = tmpfile();
    if (file == NULL || fwrite(&list, sizeof list, 1, file) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    rewind(file);
    if (fread(&again, sizeof again, 1, file) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(file);
    again.values[1] = 11;
    MPI_Bcast(x, values[1], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, again.count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", x[0]);
    MPI_Finalize();
    return 0;
}
