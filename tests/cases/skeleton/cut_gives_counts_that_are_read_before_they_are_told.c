/* SPDX-License-Identifier: Apache-2.0
 *
 * A count is sent by before it is told, in a function that two places call; and one is told from
 * a record of which a loop made by goto allocates two. Both are given each time.
 *
 * scout: 3000
 * generate: --assume=cuts
 * cut: what is sent from &d->leaving in MPI_Sendrecv(...)
 * cut: what is sent from &lists[0]->count in MPI_Sendrecv(...)
 * cut: argument d->leaving in MPI_Sendrecv(...)
 * cut: argument lists[1]->count in MPI_Sendrecv(...)
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

struct list {
    int count, kind;
};

static struct domain d;
static struct list *lists[2];

static void send(struct domain *d, int count, int room, int tag) {
    MPI_Sendrecv(d->x, count, MPI_DOUBLE, d->to, tag, d->ghosts, room, MPI_DOUBLE, d->from, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void borders(struct domain *d, int width) {
    d->leaving = 0;
    for (int i = 0; i < d->n; i++)
        if (d->x[i] < 0.1 * width)
            d->list[d->leaving++] = i;
    MPI_Sendrecv(d->x, d->leaving, MPI_DOUBLE, d->to, 7, d->ghosts, d->n, MPI_DOUBLE, d->from, 7,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&d->leaving, 1, MPI_INT, d->to, 1, &d->arriving, 1, MPI_INT, d->from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void count(struct domain *d, int *arriving) {
    lists[0]->count = lists[1]->count = 0;
    for (int i = 0; i < d->n; i++) {
        lists[0]->count += d->x[i] < 0.2;
        lists[1]->count += d->x[i] > 0.7;
    }
    MPI_Sendrecv(&lists[0]->count, 1, MPI_INT, d->to, 3, arriving, 1, MPI_INT, d->from, 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int rank, size, made = 0, arriving = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    d.n = argc > 1 ? atoi(argv[1]) : 3000;
    d.to = (rank + 1) % size;
    d.from = (rank + size - 1) % size;
    d.x = malloc(d.n * sizeof *d.x);
    d.ghosts = calloc(d.n, sizeof *d.ghosts);
    d.list = calloc(d.n, sizeof *d.list);
again:
    lists[made] = calloc(1, sizeof *lists[made]);
    if (++made < 2)
        goto again;
    for (int i = 0; i < d.n; i++)
        d.x[i] = fmod(i * 0.618 + rank * 0.3, 1);
    for (int step = 0; step < 12; step++) {
        if (step % 5 == 2)
            borders(&d, 1);
        else if (step % 5 == 3)
            borders(&d, 2);
        count(&d, &arriving);
        send(&d, d.leaving, d.arriving, 2);
        MPI_Sendrecv(d.x, lists[1]->count, MPI_DOUBLE, d.to, 4, d.ghosts, d.n - (arriving < 0),
                     MPI_DOUBLE, d.from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < d.n; i++)
            d.x[i] = fmod(d.x[i] + 0.01 * sin(i), 1);
    }
    MPI_Finalize();
    return 0;
}
