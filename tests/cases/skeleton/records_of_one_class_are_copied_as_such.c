/* SPDX-License-Identifier: Apache-2.0
 *
 * All arrays come out of one pool, so what is in them cannot be told apart by where it lies. Whole
 * records of doubles that are copied there are no neighbours, which are integers; records of both
 * are.
 *
 * gone: flux[i] = half(u[i]);
 * kept: sides[k] = both;
 * args: 3 8
 * args: 5 6
 */
#include <mpi.h>
#include <stdlib.h>

struct state {
    double d, m[3];
};
struct side {
    double area;
    int neighbour, tag;
};

static char *pool;
static size_t used;

static void *take(size_t bytes) {
    used += (bytes + 15) / 16 * 16;
    return pool + used - (bytes + 15) / 16 * 16;
}

static struct state half(struct state s) {
    s.d *= 0.5;
    s.m[0] += s.d;
    return s;
}

int main(int argc, char **argv) {
    int rank, ranks, steps = argc > 2 ? atoi(argv[1]) : 2, n = argc > 2 ? atoi(argv[2]) : 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pool = calloc(1, 1 << 16);
    struct state *u = take((size_t)n * sizeof *u), *flux = take((size_t)n * sizeof *flux);
    struct side *sides = take(2 * sizeof *sides);
    int *neighbours = take(2 * sizeof *neighbours);
    double buffer[64] = {0};
    for (int k = 0; k < 2; k++) {
        struct side both = {.area = 0.5, .neighbour = (rank + 1) % ranks, .tag = k};
        neighbours[k] = (rank + ranks - 1) % ranks;
        sides[k] = both;
    }
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++)
            flux[i] = half(u[i]);
        MPI_Sendrecv(buffer, n, MPI_DOUBLE, sides[step % 2].neighbour, sides[step % 2].tag,
                     buffer + 32, n, MPI_DOUBLE, neighbours[step % 2], step % 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
