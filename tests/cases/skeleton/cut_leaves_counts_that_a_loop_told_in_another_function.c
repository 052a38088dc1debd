/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts in arrays, made now and then and told there; another function sends by them in each step.
 * Where a loop tells all elements, they are what was told, in a record as in a variable of its own.
 * Where only some are told, by a loop or by a call, the others are given for themselves.
 *
 * scout: 3000
 * generate: --assume=cuts
 * cut: what is sent from &d->leaving[k] in MPI_Sendrecv(...)
 * cut: what is sent from &far[k] in MPI_Sendrecv(...)
 * cut: what is sent from &d->first[0] in MPI_Sendrecv(...)
 * cut: what is sent from &d->most[k] in MPI_Sendrecv(...)
 * cut: argument d->first[1] in MPI_Sendrecv(...)
 * cut: argument d->most[k] in MPI_Sendrecv(...)
 * cut: what is sent from &d->every[k] in MPI_Sendrecv(...)
 * cut: argument d->every[k] in MPI_Sendrecv(...)
 * made: MPI_Sendrecv(BSIM_SCRATCH, d->leaving[k], MPI_DOUBLE, d->to, 2
 * made: MPI_Sendrecv(BSIM_SCRATCH, far[k], MPI_DOUBLE, d->to, 3
 * made: MPI_Sendrecv(BSIM_SCRATCH, d->first[0], MPI_DOUBLE, d->to, 4
 * gone: d->leaving[0]++
 * args: 3000
 * args: 5000
 * ranks: 1 4
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

enum { FACES = 2 };

struct domain {
    int n, to, from, leaving[FACES], arriving[FACES], first[FACES], arriving_first, most[3], every[4];
    double *x;
};

static int far[FACES], afar[FACES];

static void count(struct domain *d, int step) {
    for (int i = 0; i < d->n; i++) {
        d->x[i] = fabs(sin(d->x[i] + i * 0.37 + step));
        if (d->x[i] < 0.05)
            d->leaving[0]++;
        if (d->x[i] > 0.9)
            d->leaving[1]++;
        far[d->x[i] > 0.5] += d->x[i] > 0.48 && d->x[i] < 0.53;
        d->first[d->x[i] > 0.3] += d->x[i] < 0.35 && d->x[i] > 0.28;
        d->most[i % 3] += d->x[i] > 0.95;
        d->every[i % 4] += d->x[i] > 0.97;
    }
}

static void borders(struct domain *d, int step) {
    int most[3];
    for (int k = 0; k < FACES; k++)
        d->leaving[k] = far[k] = d->first[k] = 0;
    for (int k = 0; k < 3; k++)
        d->most[k] = 0;
    for (int k = 0; k < 4; k++)
        d->every[k] = 0;
    count(d, step);
    for (int k = 0; k < FACES; k++) {
        MPI_Sendrecv(&d->leaving[k], 1, MPI_INT, d->to, 1, &d->arriving[k], 1, MPI_INT, d->from, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < FACES; k++)
        MPI_Sendrecv(&far[k], 1, MPI_INT, d->to, 1, &afar[k], 1, MPI_INT, d->from, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&d->first[0], 1, MPI_INT, d->to, 1, &d->arriving_first, 1, MPI_INT, d->from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; k++, k++)
        MPI_Sendrecv(&d->every[k], 1, MPI_INT, d->to, 1, &most[0], 1, MPI_INT, d->from, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 2; k++)
        MPI_Sendrecv(&d->most[k], 1, MPI_INT, d->to, 1, &most[k], 1, MPI_INT, d->from, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void forward(const struct domain *d, const double *out, double *in) {
    for (int k = 0; k < FACES; k++) {
        MPI_Sendrecv(out, d->leaving[k], MPI_DOUBLE, d->to, 2, in, d->arriving[k], MPI_DOUBLE,
                     d->from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(out, far[k], MPI_DOUBLE, d->to, 3, in, afar[k], MPI_DOUBLE, d->from, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(out, d->first[0], MPI_DOUBLE, d->to, 4, in, d->arriving_first, MPI_DOUBLE, d->from,
                 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, d->first[1], MPI_DOUBLE, d->to, 5, in, d->n, MPI_DOUBLE, d->from, 5,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; k++)
        MPI_Sendrecv(out, d->every[k], MPI_DOUBLE, d->to, 7, in, d->n, MPI_DOUBLE, d->from, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 3; k++)
        MPI_Sendrecv(out, d->most[k], MPI_DOUBLE, d->to, 6, in, d->n, MPI_DOUBLE, d->from, 6,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    struct domain d = {0};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    d.n = atoi(argv[1]);
    d.to = (rank + 1) % size;
    d.from = (rank + size - 1) % size;
    d.x = calloc((size_t)d.n, sizeof *d.x);
    double *out = calloc((size_t)d.n, sizeof *out), *in = calloc((size_t)d.n, sizeof *in);
    for (int step = 0; step < 6; step++) {
        if (step % 3 == 0)
            borders(&d, step);
        forward(&d, out, in);
    }
    MPI_Finalize();
    return 0;
}
