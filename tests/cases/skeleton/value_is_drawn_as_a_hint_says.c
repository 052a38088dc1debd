/* SPDX-License-Identifier: Apache-2.0
 *
 * Pivots are given by hints: both ranks have to draw the same ones, or their messages would not fit;
 * without a scout run. What the hints name stays in the skeleton.
 *
 * generate: --assume=cuts
 * hints: value value_is_drawn_as_a_hint_says.c:48 to = uniform(panel->first, panel->first + panel->rows.count - 1) by panel->first
 * hints: value value_is_drawn_as_a_hint_says.c:51 to = uniform(panel->first + i, ( panel->first+panel->rows.count)-1) by panel->first + i, N   # the others
 * hints: value value_is_drawn_as_a_hint_says.c:69 singular = 0 * N
 * made: to = BSIM_DRAW_I(
 * made: (to = BSIM_DRAW_I(
 * made: singular = BSIM_DRAW_I(
 * gone: x[i] = sin(x[i] + i * k)
 * gone: panel->pivots[i] = first + i + (int)(fabs(x[i]) * (N - first - i))
 * kept: panel->rows.count = N - first
 * note: nothing was counted
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define WIDTH 4

static int N = 40;

struct panel {
    double pivots[WIDTH];
    int first;
    struct {
        int unused, count;
    } rows;
};

static void factor(struct panel *panel, int first) {
    static double x[100];
    panel->first = first;
    panel->rows.count = N - first;
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < 20; k++)
            x[i] = sin(x[i] + i * k);
    for (int i = 0; i < WIDTH; i++)
        panel->pivots[i] = first + i + (int)(fabs(x[i]) * (N - first - i));
}

static int count_far(const struct panel *panel) {
    int count, to;
    to = (int)panel->pivots[0];
    count = to > panel->first + WIDTH;
    for (int i = 1; i < WIDTH; i++)
        if (i < 3 && panel->first + i != (to = (int)panel->pivots[i]))
            count += to > panel->first + WIDTH;
    return count;
}

int main(int argc, char **argv) {
    static double out[WIDTH * 100], in[WIDTH * 100];
    int rank, size, singular, steps = argc > 1 ? atoi(argv[1]) : 3;
    struct panel panel;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        factor(&panel, step * WIDTH);
        int count = count_far(&panel);
        MPI_Sendrecv(out, count * 100, MPI_DOUBLE, (rank + 1) % size, count, in, count * 100,
                     MPI_DOUBLE, (rank + size - 1) % size, count, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        singular = panel.pivots[0] < 0;
        if (singular)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
