/* SPDX-License-Identifier: Apache-2.0
 *
 * A value that a function returns has the trip count of the loop before it and the direction as
 * features, though the skeleton needs neither otherwise: not the rank of the neighbour, nor the
 * variable of the loop over the steps.
 *
 * scout: 5
 * generate: --assume=cuts
 * cut: return total
 * made: return BSIM_VALUE_I(2, bsim_trips(0, cells, 1), BSIM_TIMES(bsim_trips(0, cells, 1), bsim_trips(0, 40, 1)), face, cells);
 * gone: x[c * DEPTH + k] = fabs(sin(x[c * DEPTH + k] + c + step))
 * args: 5
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define DEPTH 40

struct faces {
    int cells[2];
};

static double x[200 * DEPTH], out[200 * DEPTH];

static int load(const struct faces *faces, int face) {
    int cells = faces->cells[face], total = 0;
    for (int c = 0; c < cells; c++)
        for (int k = 0; k < DEPTH; k++)
            total += x[c * DEPTH + k] > 0.5;
    return total;
}

static void move(int step) {
    for (int c = 0; c < 200; c++)
        for (int k = 0; k < DEPTH; k++)
            x[c * DEPTH + k] = fabs(sin(x[c * DEPTH + k] + c + step));
}

static void exchange(const struct faces *faces, int face, int to, int from) {
    int count = load(faces, face);
    MPI_Sendrecv_replace(out, count, MPI_DOUBLE, to, face, from, face, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 3, rank, ranks;
    struct faces *faces = malloc(sizeof *faces);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    faces->cells[0] = 20 * steps;
    faces->cells[1] = 10 * steps;
    for (int step = 0; step < steps; step++) {
        move(step);
        for (int face = 0; face < 2; face++)
            exchange(faces, face, (rank + 1) % ranks, (rank + ranks - 1) % ranks);
    }
    free(faces);
    MPI_Finalize();
    return 0;
}
