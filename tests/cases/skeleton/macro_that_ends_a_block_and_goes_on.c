/* SPDX-License-Identifier: Apache-2.0
 *
 * One macro opens a block, and another ends it and resets a variable that nobody reads any more:
 * without that the block would not end. (HPCC writes its results so.)
 *
 * kept: BEGIN_OUTPUT
 * kept: END_OUTPUT
 * kept: END_NOTE
 * gone: u[i] = i / 7.0
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BEGIN_OUTPUT(rank, file)                                                                   \
    if (rank == 0) {                                                                               \
        file = fopen("/dev/null", "a");                                                            \
        if (file == NULL)                                                                          \
    exit(1)
#define END_OUTPUT(file)                                                                           \
    fflush(file);                                                                                  \
    if (file != stdout)                                                                            \
        fclose(file);                                                                              \
    }                                                                                              \
    file = NULL
#define END_NOTE(value)                                                                            \
    exit(1);                                                                                       \
    }                                                                                              \
    value = 0

static void finish(int rank, int value) {
    FILE *out;
    BEGIN_OUTPUT(rank, out);
    if (fprintf(out, "%d\n", value) < 0) {
        value++;
    END_NOTE(value);
    END_OUTPUT(out);
}

int main(int argc, char **argv) {
    double u[50], sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 50; i++) {
        u[i] = i / 7.0;
        sum += u[i];
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    finish(rank, argc);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
