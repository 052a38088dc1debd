/* SPDX-License-Identifier: Apache-2.0
 *
 * A wrapper chooses the datatype by what it is told, which is a constant in each of its calls: the
 * doubles that one call sends are not the ints that another one receives.
 *
 * gone: x[i] = sin(x[i] + i)
 * scratch: 2
 * live: 2
 * ranks: 2
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

enum type { INTS, DOUBLES };

#define TYPE_OF(type) ((type) == INTS ? MPI_INT : MPI_DOUBLE)

static void put(void *buffer, int count, enum type type, int tag) {
    MPI_Send(buffer, count, TYPE_OF(type), 1, tag, MPI_COMM_WORLD);
}

static void get(void *buffer, int count, enum type type, int tag) {
    MPI_Recv(buffer, count, TYPE_OF(type), 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    static double x[1000];
    int steps = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        steps = argc > 1 ? atoi(argv[1]) : 2;
        put(&steps, 1, INTS, argc);
    } else {
        get(&steps, 1, INTS, argc);
    }
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 1000; i++)
            x[i] = sin(x[i] + i);
        if (rank == 0)
            put(x, 1000, DOUBLES, argc);
        else
            get(x, 1000, DOUBLES, argc);
    }
    MPI_Finalize();
    return 0;
}
