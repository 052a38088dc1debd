/* SPDX-License-Identifier: Apache-2.0
 *
 * Statements that stay for a part of them, and are executed once, are no computation as a whole: a
 * branch on one rank that reads sizes and fills what they are the sizes of, and a function that
 * sets sizes and does so. In a loop, and where nothing in them goes or a function is called
 * twice, they are.
 *
 * with: sizes.txt
 * args: sizes.txt
 * ranks: 1 3
 * gone: grid[i] = i * 0.5;
 * gone: field[i * columns + j] = 1.0 / (i + j + 1);
 * gone: twice[i] += 1;
 * feature: bsim_trips(0, (width * height), 1)
 * feature: BSIM_TIMES(bsim_trips(0, rows, 1), bsim_trips(0, columns, 1))
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rows, columns, again;
static double *field;
static double twice[100];

static void make_field(int rank, int size) {
    rows = 40 / size + (rank < 40 % size);
    columns = 30;
    field = malloc((size_t)(rows * columns) * sizeof *field);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            field[i * columns + j] = 1.0 / (i + j + 1);
}

static void count_again(int n) {
    for (int i = 0; i < n; i++)
        twice[i] += 1;
    again += n;
}

int main(int argc, char **argv) {
    int rank, size, width = 0, height = 0;
    double *grid = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        char line[80], word[80];
        FILE *file = fopen(argv[1], "r");
        if (file == NULL || fgets(line, sizeof line, file) == NULL ||
            sscanf(line, "%79s %d", word, &width) != 2 || fgets(line, sizeof line, file) == NULL ||
            sscanf(line, "%79s %d", word, &height) != 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
        grid = malloc((size_t)(width * height) * sizeof *grid);
        for (int i = 0; i < width * height; i++)
            grid[i] = i * 0.5;
        fclose(file);
    }
    MPI_Bcast(&width, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&height, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(grid, rank == 0 ? width : 0 * height, MPI_DOUBLE, 0, MPI_COMM_SELF);
    make_field(rank, size);
    MPI_Bcast(field, rows * columns, MPI_DOUBLE, 0, MPI_COMM_SELF);
    count_again(rows);
    count_again(columns);
    for (int i = 0; i < again; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
