/* SPDX-License-Identifier: Apache-2.0
 *
 * heatcl ROWS COLUMNS STEPS: heat in a plate whose upper edge is hot, on devices by OpenCL. Rows
 * are distributed over ranks. In each step neighbours exchange their outermost rows while the
 * devices compute the others; each tenth step tells how much has changed. Changes never grow: the
 * difference of two steps follows the same rule, with edges that are 0. Where they do the result is
 * wrong.
 */
#include "device.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct plate {
    int rank, ranks, rows, columns;
    float *edges, *halos; /* two rows each: above, below */
};

static void start(struct plate *plate, int rows, int columns) {
    MPI_Comm_rank(MPI_COMM_WORLD, &plate->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &plate->ranks);
    plate->rows = rows / plate->ranks;
    plate->columns = columns;
    plate->edges = calloc(2 * (size_t)columns, sizeof(float));
    plate->halos = calloc(2 * (size_t)columns, sizeof(float));
    device_start(plate->rows, columns);
}

/* All is cold but the edge of the first rank. */
static void write_plate(const struct plate *plate) {
    float *values = calloc((size_t)(plate->rows + 2) * (size_t)plate->columns, sizeof(float));
    for (int j = 0; j < plate->columns && plate->rank == 0; j++)
        values[j] = 1;
    for (int j = 0; j < plate->columns; j++)
        plate->halos[j] = values[j];
    device_write(values);
    free(values);
}

/* Where there is no neighbour the halo stays as it is. */
static void exchange(struct plate *plate) {
    int above = plate->rank > 0 ? plate->rank - 1 : MPI_PROC_NULL;
    int below = plate->rank + 1 < plate->ranks ? plate->rank + 1 : MPI_PROC_NULL;
    MPI_Request requests[4];
    MPI_Irecv(plate->halos, plate->columns, MPI_FLOAT, above, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(plate->halos + plate->columns, plate->columns, MPI_FLOAT, below, 1, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Isend(plate->edges, plate->columns, MPI_FLOAT, above, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(plate->edges + plate->columns, plate->columns, MPI_FLOAT, below, 0, MPI_COMM_WORLD,
              &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void step(struct plate *plate) {
    device_begin_step(plate->edges);
    device_wait_for_edges();
    exchange(plate);
    device_end_step(plate->halos);
}

int main(int argc, char **argv) {
    struct plate plate;
    float change = 0, largest = 0, before = 1;
    int wrong = 0;
    MPI_Init(&argc, &argv);
    if (argc != 4) {
        fprintf(stderr, "usage: heatcl ROWS COLUMNS STEPS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    start(&plate, atoi(argv[1]), atoi(argv[2]));
    write_plate(&plate);
    int steps = atoi(argv[3]);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 1; i <= steps; i++) {
        step(&plate);
        if (i % 10 == 0) {
            change = device_change();
            MPI_Allreduce(&change, &largest, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
            wrong |= !(largest <= before);
            before = largest;
        }
    }
    if (plate.rank == 0)
        printf("%d steps in %.6f s, the last change is %.3e: %s\n", steps, MPI_Wtime() - begin,
               largest, wrong ? "wrong" : "plausible");
    device_stop();
    free(plate.edges);
    free(plate.halos);
    MPI_Finalize();
    return wrong;
}
