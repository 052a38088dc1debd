/* SPDX-License-Identifier: Apache-2.0
 *
 * How much goes up, from a record behind a pointer, is told to one neighbour: nobody gets what the
 * last rank tells, which so says nothing of what others tell. Who the neighbour is says nothing.
 *
 * args: 3 1000
 * args: 4 1700
 * ranks: 1 3
 * generate: --assume=cuts
 * scout: 3 1500
 * cut: what is sent from &grains->leaving in MPI_Send(...)
 * gone: grains->x[i] = fmod(grains->x[i] + 0.3 * fabs(sin(grains->x[i] * (i + step))), 1.0);
 * gone: grains->leaving++;
 * made: MPI_Send((*(&grains->leaving) = BSIM_VALUE_I(
 * feature: BSIM_PLACE(0, grains->up, line)
 * made: steps, n, grains->arriving), &grains->leaving
 * live: 2
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct grains {
    int leaving, arriving, up, down;
    double *x, *out;
};

static void shake(struct grains *grains, int n, int step) {
    grains->leaving = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 10; k++) {
            grains->x[i] = fmod(grains->x[i] + 0.3 * fabs(sin(grains->x[i] * (i + step))), 1.0);
            if (k == 9 && grains->x[i] > 0.7 && grains->up != MPI_PROC_NULL)
                grains->leaving++;
        }
}

int main(int argc, char **argv) {
    int rank, ranks, steps = argc > 2 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 100;
    MPI_Comm line;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &line);
    MPI_Comm_rank(line, &rank);
    MPI_Comm_size(line, &ranks);
    struct grains *grains = malloc(sizeof *grains);
    grains->up = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    grains->down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    grains->x = malloc((size_t)n * sizeof *grains->x);
    grains->out = malloc((size_t)n * sizeof *grains->out);
    for (int i = 0; i < n; i++)
        grains->x[i] = (i * 37 + rank * 11) % 101 * 0.01;
    for (int step = 0; step < steps; step++) {
        shake(grains, n, step);
        grains->arriving = 0;
        MPI_Send(&grains->leaving, 1, MPI_INT, grains->up, 0, line);
        MPI_Send(grains->out, grains->leaving, MPI_DOUBLE, grains->up, 1, line);
        MPI_Recv(&grains->arriving, 1, MPI_INT, grains->down, 0, line, MPI_STATUS_IGNORE);
        MPI_Recv(grains->out, grains->arriving, MPI_DOUBLE, grains->down, 1, line,
                 MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
