/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers to members of what such pointers point to, time after time: there are as many offsets as
 * one cares to count. What is stored there is found wherever it may be.
 *
 * gone: x[i] = x[i] * 0.5 + 1;
 * kept: at->next = made(step + 1);
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

struct cell {
    double value;
    int *next;
    struct {
        int kind;
        double more[3];
    } inner;
};

static int *made(int n) {
    int *number = malloc(sizeof *number);
    *number = n;
    return number;
}

int main(int argc, char **argv) {
    static double x[200];
    int steps = argc > 1 ? atoi(argv[1]) : 1;
    char *block = calloc(100, sizeof(struct cell));
    struct cell *at = (struct cell *)block;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 200; i++)
            x[i] = x[i] * 0.5 + 1;
        at = (struct cell *)&at->inner;
        at->next = made(step + 1);
        MPI_Bcast(x, *at->next, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
