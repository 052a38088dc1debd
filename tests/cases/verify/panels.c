/* SPDX-License-Identifier: Apache-2.0
 *
 * Pivots as a factorisation in panels has them. For each column of a panel rank 0 looks for the
 * largest element below the diagonal, in a hot loop, and tells all where they are; each of these
 * rows changes places with the diagonal's, if another rank has it. The order of the matrix is in
 * size.txt and unknown where rows are exchanged, so that only another region tells it.
 */
#include <mpi.h>
#include <stdio.h>

#define WIDTH 8
#define BLOCK 4

struct panel {
    int first, width;
    double pivots[WIDTH];
};

static unsigned mix(unsigned x) {
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ (x >> 15);
}

static void find_pivots(struct panel *panel, int n) {
    for (int i = 0; i < panel->width; i++) {
        int column = panel->first + i;
        double best = -1;
        for (int row = column; row < n; row++) {
            double size = mix((unsigned)(column * 7919 + row * 31 + n)) * 1e-9;
            if (size > best) {
                best = size;
                panel->pivots[i] = row;
            }
        }
    }
}

static void swap_rows(const struct panel *panel, double *row, double *other, int rank, int ranks) {
    for (int i = 0; i < panel->width; i++) {
        int from = panel->first + i, to = (int)panel->pivots[i];
        int owner = from / BLOCK % ranks, partner = to / BLOCK % ranks;
        if (owner != partner && (rank == owner || rank == partner))
            MPI_Sendrecv(row, BLOCK, MPI_DOUBLE, rank == owner ? partner : owner, 1, other, BLOCK,
                         MPI_DOUBLE, rank == owner ? partner : owner, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    }
}

static double fill(double *row, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 50; k++) {
            row[i % BLOCK] += 1.0 / (i + k + 1);
            sum += row[i % BLOCK];
        }
    return sum;
}

int main(int argc, char **argv) {
    static double row[BLOCK], other[BLOCK];
    struct panel panel = {0, 0, {0}};
    int rank, ranks, n = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) {
        FILE *file = fopen("size.txt", "r");
        if (file == NULL || fscanf(file, "%d", &n) != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
        fclose(file);
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    double sum = fill(row, n);
    for (panel.first = 0; panel.first < n; panel.first += panel.width) {
        panel.width = n - panel.first < WIDTH ? n - panel.first : WIDTH;
        if (rank == 0)
            find_pivots(&panel, n);
        MPI_Bcast(panel.pivots, panel.width, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        swap_rows(&panel, row, other, rank, ranks);
    }
    if (rank == 0)
        printf("%d columns, %.3g\n", n, sum);
    MPI_Finalize();
    return 0;
}
