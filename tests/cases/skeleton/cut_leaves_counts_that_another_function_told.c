/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of what to send are made now and then, and their length is told there; another function
 * sends what they hold, in each step: by the same number. Before the first list it is what main
 * began with. What something else assigns in between is given for itself.
 *
 * scout: 3000
 * generate: --assume=cuts
 * cut: what is sent from &d->leaving in MPI_Sendrecv(...)
 * cut: what is sent from &d->far in MPI_Sendrecv(...)
 * cut: argument d->far in MPI_Sendrecv(...)
 * made: MPI_Sendrecv(BSIM_SCRATCH, d->leaving, MPI_DOUBLE, d->to, 2
 * kept: d.leaving = 1
 * gone: d->list[d->leaving++]
 * args: 3000
 * args: 5000
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct domain {
    int n, leaving, arriving, far, afar, to, from;
    int *list;
    double *x, *ghosts;
};

static void pack(struct domain *d, int i) {
    d->list[d->leaving++] = i;
}

static void borders(struct domain *d) {
    d->leaving = d->far = 0;
    for (int i = 0; i < d->n; i++) {
        if (d->x[i] > 0.9) {
            d->list[d->n - ++d->far] = i;
            continue;
        }
        if (d->x[i] < 0.1)
            pack(d, i);
    }
    MPI_Sendrecv(&d->leaving, 1, MPI_INT, d->to, 1, &d->arriving, 1, MPI_INT, d->from, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&d->far, 1, MPI_INT, d->to, 3, &d->afar, 1, MPI_INT, d->from, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void forward(struct domain *d) {
    double *buffer = malloc((d->leaving + 1) * sizeof *buffer);
    for (int i = 0; i < d->leaving; i++)
        buffer[i] = d->x[d->list[i]];
    MPI_Sendrecv(buffer, d->leaving, MPI_DOUBLE, d->to, 2, d->ghosts, d->arriving, MPI_DOUBLE,
                 d->from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(d->x, d->far, MPI_DOUBLE, d->to, 4, d->ghosts, d->afar, MPI_DOUBLE, d->from, 4,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(buffer);
}

static void move(struct domain *d) {
    for (int i = 0; i < d->n; i++)
        d->x[i] = fmod(d->x[i] + 0.01 * sin(i), 1);
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
    d.leaving = 1;
    d.arriving = 1;
    d.x = malloc(d.n * sizeof *d.x);
    d.ghosts = calloc(d.n, sizeof *d.ghosts);
    d.list = calloc(d.n, sizeof *d.list);
    for (int i = 0; i < d.n; i++)
        d.x[i] = fmod(i * 0.618 + rank * 0.3, 1);
    for (int step = 0; step < 12; step++) {
        if (step % 5 == 2)
            borders(&d);
        if (step % 5 == 4)
            d.far = d.afar = 1; /* behind what told it */
        forward(&d);
        move(&d);
    }
    MPI_Finalize();
    return 0;
}
