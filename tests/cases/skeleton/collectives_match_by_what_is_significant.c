/* SPDX-License-Identifier: Apache-2.0
 *
 * The root and the others call a collective at places of their own, and name datatypes that MPI
 * ignores there as they like: none, another one, or one beside MPI_IN_PLACE. Their contents steer.
 *
 * args: 3
 * kept: mine = rank + step + 1
 * kept: values[r] = r + step + 2
 * gone: work += sin(i)
 * live: 7
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static int rank, size, *values, *ones, *offsets;

static void send_as_told(const int *counts) {
    static double buffer[64];
    if (rank == 0)
        for (int r = 1; r < size; r++)
            MPI_Send(buffer, counts[r], MPI_DOUBLE, r, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(buffer, 64, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void gather(int step) {
    int mine = rank + step + 1;
    if (rank == 0)
        MPI_Gather(&mine, 1, MPI_INT, values, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&mine, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    send_as_told(values);
}

static void gather_in_place(int step) {
    int mine = rank + step + 1;
    values[0] = mine;
    if (rank == 0)
        MPI_Gatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values, ones, offsets, MPI_INT, 0,
                    MPI_COMM_WORLD);
    else
        MPI_Gatherv(&mine, 1, MPI_INT, NULL, NULL, NULL, MPI_CHAR, 0, MPI_COMM_WORLD);
    send_as_told(values);
}

static void scatter(int step) {
    static double buffer[64];
    int mine;
    for (int r = 0; r < size; r++)
        values[r] = r + step + 2;
    if (rank == 0)
        MPI_Scatter(values, 1, MPI_INT, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    else
        MPI_Scatter(NULL, 0, MPI_DOUBLE, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    mine = rank == 0 ? values[0] : mine;
    MPI_Allgather(&mine, 1, MPI_INT, values, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Sendrecv(buffer, mine, MPI_DOUBLE, (rank + 1) % size, 1, buffer, 64, MPI_DOUBLE,
                 (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    double work = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    values = calloc(size, sizeof(int));
    ones = calloc(size, sizeof(int));
    offsets = calloc(size, sizeof(int));
    for (int r = 0; r < size; r++) {
        ones[r] = 1;
        offsets[r] = r;
    }
    for (int step = 0; step < atoi(argv[1]); step++) {
        for (int i = 0; i < 1000; i++)
            work += sin(i);
        gather(step);
        gather_in_place(step);
        scatter(step);
    }
    MPI_Finalize();
    return work < -1;
}
