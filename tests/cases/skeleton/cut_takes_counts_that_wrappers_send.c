/* SPDX-License-Identifier: Apache-2.0
 *
 * A count that is read in memory and handed to MPI by wrappers is given where the outermost of them
 * is called.
 *
 * args: 3 1000
 * args: 4 1700
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 3 1500
 * cut: argument list->count in send_block(...)
 * gone: x[i] = fabs(sin(x[i] + i + step * k));
 * gone: list->count++;
 * made: send_block(0, BSIM_VALUE_I(
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct list {
    int count;
    double values[4000];
};

static void send_some(const double *out, int count, int to) {
    MPI_Send(out, count, MPI_DOUBLE, to, 3, MPI_COMM_WORLD);
}

static void send_block(const double *out, int count, int to) {
    send_some(out, count, to);
}

static void move(double *x, struct list *list, int n, int step) {
    list->count = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 10; k++) {
            x[i] = fabs(sin(x[i] + i + step * k));
            if (k == 9 && x[i] > 0.8) {
                list->values[list->count] = x[i];
                list->count++;
            }
        }
}

static void exchange(struct list *list, int rank, int ranks) {
    double in[4000];
    if (rank % 2 == 0 && rank + 1 < ranks)
        send_block(list->values, list->count, rank + 1);
    if (rank % 2 == 1)
        MPI_Recv(in, 4000, MPI_DOUBLE, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank, ranks, steps = argc > 2 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 100;
    struct list *list = calloc(1, sizeof *list);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++)
        x[i] = (i * 37 + rank * 11) % 101 * 0.01;
    for (int step = 0; step < steps; step++) {
        move(x, list, n, step);
        exchange(list, rank, ranks);
    }
    free(x);
    MPI_Finalize();
    return 0;
}
