/* SPDX-License-Identifier: Apache-2.0
 *
 * A function takes a pointer to anything, and gives it a type in a variable of its own. That one
 * has the name of what its caller hands on, which has no type there: a feature that follows it from
 * where it is called has to say the type.
 *
 * gone: data->sums[i] += 0.5 * i
 * feature: bsim_trips(0, ((struct cells *)data)->count, 1)
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

struct cells {
    int count;
    double *sums;
};

static void sum_up(void *any) {
    struct cells *data = (struct cells *)any;
    for (int i = 0; i < data->count; i++)
        data->sums[i] += 0.5 * i;
}

static void exchange(void *data, int *numbers, int count) {
    MPI_Bcast(numbers, count, MPI_INT, 0, MPI_COMM_WORLD);
    sum_up(data);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int numbers[10];
    struct cells cells = {argc > 1 ? atoi(argv[1]) : 10, NULL};
    MPI_Init(&argc, &argv);
    cells.sums = calloc((size_t)cells.count, sizeof *cells.sums);
    exchange(&cells, numbers, cells.count % 10);
    exchange(&cells, numbers, cells.count % 7);
    MPI_Finalize();
    return 0;
}
