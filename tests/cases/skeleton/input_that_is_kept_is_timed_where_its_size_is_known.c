/* SPDX-License-Identifier: Apache-2.0
 *
 * The first rank reads numbers that steer, as many as the file says first. That is known in the
 * function that reads, behind the first number, and not where it is called: so the loop has a timer
 * of its own, with its length, and not all of the condition has one without.
 *
 * with: numbers.txt
 * args: numbers.txt
 * ranks: 2 4
 * made: BSIM_BEGIN(0, bsim_trips(0, count, 1));
 * feature: bsim_trips(0, count, 1)
 * kept: fscanf(file, "%d", &(*values)[i])
 * gone: work[i] = work[i] * 0.5 + i
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int read_file(const char *name, int **values) {
    FILE *file = fopen(name, "r");
    int count;
    if (file == NULL || fscanf(file, "%d", &count) != 1)
        return -1;
    *values = malloc(count * sizeof **values);
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%d", &(*values)[i]) != 1)
            return -1;
    fclose(file);
    return count;
}

int main(int argc, char **argv) {
    int rank, size, count, *values = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if ((count = read_file(argv[1], &values)) < 0)
            return 2;
    }
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank != 0)
        values = malloc(count * sizeof *values);
    MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_WORLD);
    double *work = calloc(1000, sizeof *work);
    for (int i = 0; i < count; i++)
        work[i] = work[i] * 0.5 + i;
    for (int i = 0; i < count; i++)
        MPI_Bcast(work, values[i], MPI_DOUBLE, i % size, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
