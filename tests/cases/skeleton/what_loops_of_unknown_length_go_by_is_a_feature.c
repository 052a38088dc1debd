/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops in the direction that a table tells, over bounds that a function gives: how often they
 * iterate is not known, but what the bounds come of, and their product. What nothing tells, such as
 * the length of a list, goes by nothing. Branches that a constant decides have no features.
 *
 * args: 6
 * args: 9
 * ranks: 1 2
 * gone: sum += cells[z * box->n[0] + x]
 * gone: sum += 2 * p->weight
 * gone: cells[i] *= 0.5
 * feature: box.planes
 * feature: box.width
 * feature: BSIM_TIMES(bsim_trips(0, box.octants, 1), (double)box.width * (double)box.planes)
 * feature: bsim_trips(0, box.octants, 1)
 * features: 4
 */
#include <mpi.h>
#include <stdlib.h>

struct box {
    int planes, width, octants, n[2];
    double *cells;
};
struct list {
    struct list *next;
    double weight;
};

static int on_device(void) {
    return 0;
}

static void bounds(int *first, int *last, int n, int half) {
    *first = half ? n / 2 : 0;
    *last = n - 1;
}

static int step_of(int up) {
    return up ? 1 : -1;
}

static double sweep(const struct box *box, const int *up, const double *cells) {
    double sum = 0;
    for (int o = 0; o < box->octants; o++) {
        int low, high, dz = step_of(up[o]), dx = step_of(up[o + 1]);
        bounds(&low, &high, box->planes, up[2]);
        int z_end = up[o] ? high : low, x_begin = up[o + 1] ? 0 : box->width - 1;
        int x_end = up[o + 1] ? box->width - 1 : 0;
        for (int z = up[o] ? low : high; z != z_end + dz; z += dz)
            for (int x = x_begin; x != x_end + dx; x += dx)
                sum += cells[z * box->n[0] + x];
    }
    return sum;
}

static double go_through(const struct list *list) {
    double sum = 0;
    for (const struct list *p = list; p != NULL; p = p->next)
        sum += 2 * p->weight;
    return sum;
}

static void halve(double *cells, int n) {
    if (on_device())
        for (int i = 0; i < n; i++)
            cells[i] *= 0.5;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct box box;
    box.planes = atoi(argv[1]);
    box.width = 2 * box.planes;
    box.octants = 2;
    box.n[0] = box.width;
    struct list second = {NULL, 0.5}, list = {&second, 1};
    double *cells = calloc((size_t)(box.planes * box.width), sizeof *cells), sum = 0;
    const int up[] = {1, (int)cells[0], 0};
    for (int i = box.planes + box.octants; i < box.width; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    sum += sweep(&box, up, cells);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += go_through(&list);
    MPI_Barrier(MPI_COMM_WORLD);
    halve(cells, box.planes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0;
}
