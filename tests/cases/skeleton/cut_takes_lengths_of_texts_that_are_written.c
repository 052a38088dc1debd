/* SPDX-License-Identifier: Apache-2.0
 *
 * How much is written to a file is the length of a text with numbers in it, for which all would
 * have to be computed. It is given where it is written, or sent; a length that a function of the
 * program adds up is given where that is assigned.
 *
 * args: 500 3
 * args: 901 4
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 500 3
 * cut: argument strlen(line) in MPI_File_write_shared(...)
 * cut: argument (int)strlen(line) + 1 in MPI_Send(...)
 * cut: return used
 * gone: x[i] = sin(x[i] + k) + 1.1
 * gone: snprintf(line
 * gone: used += sprintf(
 * engine: lacks MPI-IO
 * made: MPI_File_write_shared(file, BSIM_SCRATCH, BSIM_VALUE_I(
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double move(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 20; k++)
            x[i] = sin(x[i] + k) + 1.1;
        sum += x[i];
    }
    return sum;
}

static int print(char *text, const double *x, int n) {
    int used = 0;
    for (int i = 0; i < n; i++)
        used += sprintf(text + used, "%g\n", x[i]);
    return used;
}

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *x = calloc(n, sizeof *x);
    char line[64], other[64], *text = malloc(n * 20);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "numbers.txt", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                  &file);
    for (int step = 0; step < steps; step++) {
        snprintf(line, sizeof line, "rank %d step %d: %g\n", rank, step, move(x, n));
        MPI_File_write_shared(file, line, strlen(line), MPI_CHAR, MPI_STATUS_IGNORE);
    }
    MPI_Request request;
    MPI_Irecv(other, sizeof other, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);
    MPI_Send(line, (int)strlen(line) + 1, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int length = print(text, x, n);
    MPI_File_write_ordered(file, text, length, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
