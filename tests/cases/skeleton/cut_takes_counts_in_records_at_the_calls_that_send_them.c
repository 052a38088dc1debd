/* SPDX-License-Identifier: Apache-2.0
 *
 * How many particles leave to each side is a member of a record for each side, which hot loops count up. It is given where
 * the neighbour is told, and stored there, so that the count of what is sent then is what was told.
 *
 * args: 3 1000
 * args: 5 2100
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 3 1500
 * cut: what is sent from &leaving[k].count in MPI_Isend(...)
 * gone: x[i] = fmod(x[i] + 0.11 * sin(x[i] * (i + step)), 1.0);
 * gone: (*count)++;
 * made: MPI_Isend((*(&leaving[k].count) = BSIM_VALUE_I(
 * kept: if (leaving[k].count > 0)
 * made: MPI_Isend(BSIM_SCRATCH, leaving[k].count, row, side[k], 1,
 * live: 2
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct leaving {
    long count;
};

static void leave(double *out, long *count, double value) {
    out[2 * *count] = value;
    (*count)++;
}

static void move(double *x, int n, int step, double *out[2], struct leaving *leaving) {
    leaving[0].count = leaving[1].count = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 20; k++) {
            x[i] = fmod(x[i] + 0.11 * sin(x[i] * (i + step)), 1.0);
            if (k == 19 && x[i] < 0.2)
                leave(out[0], &leaving[0].count, x[i]);
            else if (k == 19 && x[i] > 0.7)
                leave(out[1], &leaving[1].count, x[i]);
        }
}

static double *grown(double *in, long count) {
    free(in);
    return malloc((size_t)(count + 1) * sizeof *in);
}

int main(int argc, char **argv) {
    int k, rank, ranks, steps = argc > 2 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 100;
    long arriving[2];
    struct leaving leaving[2];
    MPI_Datatype row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(2, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    int side[2] = {(rank + ranks - 1) % ranks, (rank + 1) % ranks};
    double *x = malloc((size_t)n * sizeof *x), *out[2], *in[2];
    for (k = 0; k < 2; k++) {
        out[k] = malloc((size_t)n * 2 * sizeof *out[k]);
        in[k] = malloc((size_t)n * 2 * sizeof *in[k]);
    }
    for (int i = 0; i < n; i++)
        x[i] = (i * 37 + rank * 11) % 101 * 0.01;
    for (int step = 0; step < steps; step++) {
        MPI_Request requests[4];
        move(x, n, step, out, leaving);
        for (int k = 0; k < 2; k++) {
            MPI_Isend(&leaving[k].count, 1, MPI_LONG, side[k], 1, MPI_COMM_WORLD, &requests[k]);
            MPI_Irecv(&arriving[k], 1, MPI_LONG, side[k], 1, MPI_COMM_WORLD, &requests[2 + k]);
        }
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (k = 0; k < 2; k++)
            in[k] = grown(in[k], 2 * arriving[k]);
        for (k = 0; k < 2; k++) {
            requests[k] = requests[2 + k] = MPI_REQUEST_NULL;
            if (leaving[k].count > 0)
                MPI_Isend(out[k], leaving[k].count, row, side[k], 1, MPI_COMM_WORLD, &requests[k]);
            if (arriving[k] > 0)
                MPI_Irecv(in[k], arriving[k], row, side[k], 1, MPI_COMM_WORLD, &requests[2 + k]);
        }
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
