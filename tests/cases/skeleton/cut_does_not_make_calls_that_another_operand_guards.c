/* SPDX-License-Identifier: Apache-2.0
 *
 * The first rank reads a field, of which messages are as long as it says, and how many there are is
 * found out by computing. Given as a whole, that number would leave the reading in front of it, on
 * all ranks, whose own fields would be lost. So it is computed.
 *
 * with: numbers.txt
 * args: numbers.txt
 * ranks: 2 4
 * generate: --assume=cuts,no-abnormal-exit
 * scout: numbers.txt
 * kept: fscanf(file, "%d", &(*field)[i])
 * note: of which no few numbers were found
 * kept: int count = rank == 0 ? read_field(argv[1], &field) : 2
 * kept: sum += sin((*field)[i] + k);
 * gone: checked += own[i];
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int read_field(const char *name, int **field) {
    FILE *file = fopen(name, "r");
    int count;
    double sum = 0;
    if (file == NULL || fscanf(file, "%d", &count) != 1)
        exit(1);
    *field = malloc(count * sizeof **field);
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%d", &(*field)[i]) != 1)
            exit(1);
    fclose(file);
    for (int k = 0; k < 40; k++) { for (int i = 0; i < count; i++) sum += sin((*field)[i] + k); } return sum > 1e30 ? 0 : count;
}

int main(int argc, char **argv) {
    int rank, own[2] = {1, 2}, *field = own, checked = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int count = rank == 0 ? read_field(argv[1], &field) : 2;
    MPI_Bcast(&count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, malloc(4 * field[i]), field[i], MPI_INT,
                      MPI_COMM_SELF);
    for (int i = 0; i < count; i += 5)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        checked += own[i];
    printf("%d\n", checked);
    MPI_Finalize();
    return 0;
}
