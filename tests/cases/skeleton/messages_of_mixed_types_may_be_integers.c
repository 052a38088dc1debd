/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable that holds a datatype of integers at one time and of doubles at another, one whose
 * datatype comes from elsewhere, and one of integers: what is sent with them may be the lengths
 * that others wait for.
 *
 * args: 3
 * args: 17
 * kept: numbers[i] = rows + i;
 * kept: more[i] = rows + 2 * i;
 * gone: grid[i] = sin(grid[i] + i);
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int rank, rows = argc > 1 ? atoi(argv[1]) : 2, told[2] = {1, 1}, again[2] = {1, 1};
    MPI_Datatype changing, pair;
    MPI_Status status;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *numbers = malloc(2 * sizeof *numbers), *more = malloc(2 * sizeof *more);
    double *grid = calloc(1000, sizeof *grid), *in = calloc(1000, sizeof *in);
    for (int i = 0; i < 1000; i++)
        grid[i] = sin(grid[i] + i);
    for (int i = 0; i < 2; i++)
        numbers[i] = rows + i;
    for (int i = 0; i < 2; i++)
        more[i] = rows + 2 * i;
    MPI_Type_contiguous(2, MPI_INT, &changing);
    MPI_Type_commit(&changing);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Isend(numbers, 1, changing, rank, 2, MPI_COMM_WORLD, &request);
    MPI_Recv(told, 1, pair, rank, 2, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, &status);
    MPI_Type_free(&changing);
    MPI_Type_contiguous(2, MPI_DOUBLE, &changing);
    MPI_Type_commit(&changing);
    MPI_Sendrecv(grid, 10, changing, rank, 1, in, 10, changing, rank, 1, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(more, 1, pair, rank, 3, again, 2, MPI_INT, rank, 3, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(grid, told[0] + told[1], MPI_DOUBLE, rank, 4, in, 1000, MPI_DOUBLE, rank, 4,
                 MPI_COMM_WORLD, &status);
    MPI_Sendrecv(grid, again[0] + again[1], MPI_DOUBLE, rank, 5, in, 1000, MPI_DOUBLE, rank, 5,
                 MPI_COMM_WORLD, &status);
    MPI_Finalize();
    return 0;
}
