/* SPDX-License-Identifier: Apache-2.0
 *
 * What is sent before anything was told was counted as well, at the start: to leave what is read
 * as it is would take that computation. It is given each time.
 *
 * scout: 3000
 * generate: --assume=cuts
 * cut: what is sent from &d->leaving in MPI_Sendrecv(...)
 * cut: argument d->leaving in MPI_Sendrecv(...)
 * gone: d->list[d->leaving++]
 * args: 3000
 * args: 4000
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct domain {
    int n, leaving, arriving, to, from;
    int *list;
    double *x, *ghosts;
};

static void count(struct domain *d) {
    d->leaving = 0;
    for (int i = 0; i < d->n; i++)
        if (d->x[i] < 0.1)
            d->list[d->leaving++] = i;
}

static void borders(struct domain *d) {
    count(d);
    MPI_Sendrecv(&d->leaving, 1, MPI_INT, d->to, 1, &d->arriving, 1, MPI_INT, d->from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void forward(struct domain *d) {
    MPI_Sendrecv(d->x, d->leaving, MPI_DOUBLE, d->to, 2, d->ghosts, d->n + (d->arriving < 0),
                 MPI_DOUBLE, d->from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank, size;
    struct domain d = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    d.n = argc > 1 ? atoi(argv[1]) : 3000;
    d.to = (rank + 1) % size;
    d.from = (rank + size - 1) % size;
    d.x = malloc(d.n * sizeof *d.x);
    d.ghosts = calloc(d.n, sizeof *d.ghosts);
    d.list = calloc(d.n, sizeof *d.list);
    for (int i = 0; i < d.n; i++)
        d.x[i] = fmod(i * 0.618 + rank * 0.3, 1);
    count(&d);
    for (int step = 0; step < 12; step++) {
        if (step % 5 == 2)
            borders(&d);
        forward(&d);
        for (int i = 0; i < d.n; i++)
            d.x[i] = fmod(d.x[i] + 0.01 * sin(i), 1);
    }
    MPI_Finalize();
    return 0;
}
