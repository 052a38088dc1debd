/* SPDX-License-Identifier: Apache-2.0
 *
 * In a function that nobody calls, a pointer to a function points nowhere. That is no call of
 * unknown code, which could pass the matrix of a panel as a panel.
 *
 * gone: x[i] = x[i] * 0.5 + i
 * kept: panel->n += step
 * scratch: 1
 * args: 100
 */
#include <mpi.h>
#include <stdlib.h>

struct panel;

struct algorithm {
    void (*update)(struct panel *panel, int step);
};

struct panel {
    int n;
    double *x;
    struct algorithm *algorithm;
};

static void panel_make(struct panel **out, int n, struct algorithm *algorithm) {
    *out = malloc(sizeof **out);
    (*out)->n = n;
    (*out)->x = calloc((size_t)n, sizeof(double));
    (*out)->algorithm = algorithm;
}

static void share(struct panel *panel, int step) {
    double *x = panel->x;
    for (int i = 0; i < panel->n; i++)
        x[i] = x[i] * 0.5 + i;
    MPI_Bcast(panel->x, panel->n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    panel->n += step;
}

void never_called(struct algorithm *algorithm) {
    struct panel **panels = malloc(2 * sizeof *panels);
    panel_make(&panels[0], 7, algorithm);
    algorithm->update(panels[0], 1);
    free(panels);
}

int main(int argc, char **argv) {
    struct algorithm algorithm = {share};
    struct panel **panels = malloc(2 * sizeof *panels);
    MPI_Init(&argc, &argv);
    panel_make(&panels[0], argc > 1 ? atoi(argv[1]) : 8, &algorithm);
    panels[0]->algorithm->update(panels[0], -1);
    algorithm.update(panels[0], 0);
    MPI_Finalize();
    return 0;
}
