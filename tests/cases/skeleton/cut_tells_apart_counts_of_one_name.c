/* SPDX-License-Identifier: Apache-2.0
 *
 * How many particles leave is told; what is sent behind it is how many stay, in another array of
 * the same name. Each of the two is given.
 *
 * args: 3 1000
 * args: 5 2100
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 3 1500
 * cut: what is sent from &leaving[k] in MPI_Isend(...)
 * cut: argument leaving[k] in MPI_Isend(...)
 * gone: x[i] = fmod(x[i] + 0.11 * sin(x[i] * (i + step)), 1.0);
 * gone: leaving[k]++;
 * made: MPI_Isend((*(&leaving[k]) = BSIM_VALUE_I(
 * made: MPI_Isend(BSIM_SCRATCH, BSIM_VALUE_I(
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

long leaving[2]; /* those that stay */

static void leave(double *out, long *count, double value) {
    out[2 * *count] = value;
    (*count)++;
}

static void move(double *x, int n, int step, double *out[2], long *left) {
    left[0] = left[1] = leaving[0] = leaving[1] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 20; k++) {
            x[i] = fmod(x[i] + 0.11 * sin(x[i] * (i + step)), 1.0);
            if (k < 2 && x[i] > 0.5)
                leaving[k]++;
            if (k == 19 && x[i] < 0.2)
                leave(out[0], &left[0], x[i]);
            else if (k == 19 && x[i] > 0.7)
                leave(out[1], &left[1], x[i]);
        }
}

int main(int argc, char **argv) {
    int k, rank, ranks, steps = argc > 2 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 100;
    long leaving[2], arriving[2];
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
        for (k = 0; k < 2; k++) {
            MPI_Isend(&leaving[k], 1, MPI_LONG, side[k], 1, MPI_COMM_WORLD, &requests[k]);
            MPI_Irecv(&arriving[k], 1, MPI_LONG, side[k], 1, MPI_COMM_WORLD, &requests[2 + k]);
        }
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (k = 0; k < 2; k++) {
            extern long leaving[2];
            MPI_Isend(out[k], leaving[k], row, side[k], 1, MPI_COMM_WORLD, &requests[k]);
            MPI_Irecv(in[k], arriving[k] + n, row, side[k], 1, MPI_COMM_WORLD, &requests[2 + k]);
        }
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
