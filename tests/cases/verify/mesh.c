/* SPDX-License-Identifier: Apache-2.0
 *
 * A wave on a mesh that the ranks share, until time 1; how many cells there are is in the file
 * size.txt. The more cells, the shorter the time steps, which hot loops find, whoever has which;
 * and as the wave grows they become shorter, too.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct wave {
    double *x, *next;
    int cells, own;
};

static int read_size(void) {
    int size = 0;
    FILE *file = fopen("size.txt", "r");
    if (file == NULL || fscanf(file, "%d", &size) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(file);
    return size;
}

static void set_up(struct wave *wave, int ranks) {
    wave->cells = read_size();
    wave->own = wave->cells / ranks;
    wave->x = malloc((size_t)wave->own * sizeof *wave->x);
    wave->next = malloc((size_t)wave->own * sizeof *wave->next);
    for (int i = 0; i < wave->own; i++)
        wave->x[i] = 1.0;
}

static void advance(struct wave *wave, double step) {
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < wave->own; i++)
            wave->next[i] = wave->x[i] * 0.5 + wave->x[(i + 1) % wave->own] * 0.5;
        for (int i = 0; i < wave->own; i++)
            wave->x[i] = wave->next[i] + 0.05 * step;
    }
}

static double longest_step(const struct wave *wave) {
    double speed = 0;
    for (int i = 0; i < wave->own; i++)
        speed = fmax(speed, sqrt(wave->x[i]));
    return 20.0 / (speed * wave->cells);
}

int main(int argc, char **argv) {
    struct wave wave;
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    set_up(&wave, ranks);
    for (double t = 0; t < 1;) {
        double own = longest_step(&wave), step;
        MPI_Allreduce(&own, &step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        advance(&wave, step);
        t += step;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
