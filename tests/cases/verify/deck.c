/* SPDX-License-Identifier: Apache-2.0
 *
 * A solver whose size is in the file size.txt: the larger it is the more often it iterates, by the
 * root of the size. Its arguments tell nothing, and where it decides to go on no size is at hand.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct state {
    double *x, left;
    int size;
};

static void read_size(struct state *state) {
    FILE *file = fopen("size.txt", "r");
    if (file == NULL || fscanf(file, "%d", &state->size) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(file);
}

static void relax(double *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] *= 1 - 1 / sqrt(n);
}

static double residual(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum / n;
}

static int is_done(const struct state *state) {
    return state->left <= 0.01;
}

static void set_up(struct state *state) {
    read_size(state);
    state->left = 1;
    state->x = malloc((size_t)state->size * sizeof *state->x);
    for (int i = 0; i < state->size; i++)
        state->x[i] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void iterate(struct state *state) {
    relax(state->x, state->size);
    double own = residual(state->x, state->size);
    MPI_Allreduce(&own, &state->left, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    struct state state;
    MPI_Init(&argc, &argv);
    set_up(&state);
    while (!is_done(&state))
        iterate(&state);
    MPI_Finalize();
    free(state.x);
    return 0;
}
