/* SPDX-License-Identifier: Apache-2.0
 *
 * The root gathers loads, orders them, and scatters what each rank has to do; a name is broadcast
 * as text; a record's member is received alone.
 *
 * ranks: 2 4 5
 * kept: loads[i].count = 3 + (7 * i + rank) % 5
 * kept: strcpy(name, "second")
 * kept: report.steps = rank + 1
 * gone: loads[i].heat = 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct load {
    int count;
    double heat;
};

struct report {
    double residual;
    int steps, flags;
};

static int heavier(const void *a, const void *b) {
    return ((const int *)b)[0] - ((const int *)a)[0];
}

int main(int argc, char **argv) {
    struct load loads[4];
    struct report report;
    int rank, size, mine = 0, order[2], (*all)[2] = NULL, task;
    char name[16] = "first";
    double x[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 4; i++) {
        loads[i].count = 3 + (7 * i + rank) % 5;
        loads[i].heat = 0.5 * i;
        mine += loads[i].count;
    }
    for (int i = 0; i < 64; i++)
        x[i] = loads[i % 4].heat;
    order[0] = mine;
    order[1] = rank;
    if (rank == 0)
        all = malloc(size * sizeof *all);
    MPI_Gather(order, 2, MPI_INT, all, 2, MPI_INT, 0, MPI_COMM_WORLD);
    int *tasks = NULL;
    if (rank == 0) {
        tasks = malloc(size * sizeof *tasks);
        qsort(all, size, sizeof *all, heavier);
        for (int i = 0; i < size; i++)
            tasks[all[i][1]] = i + 2;
        strcpy(name, "second");
    }
    MPI_Scatter(tasks, 1, MPI_INT, &task, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(name, 16, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Send(x, task, MPI_DOUBLE, (rank + 1) % size, strcmp(name, "first") ? 5 : 6,
             MPI_COMM_WORLD);
    MPI_Recv(x, 64, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    report.residual = x[0];
    report.steps = rank + 1;
    MPI_Allreduce(MPI_IN_PLACE, &report.residual, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &report.steps, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < report.steps; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    free(tasks);
    free(all);
    MPI_Finalize();
    return 0;
}
