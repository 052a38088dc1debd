/* SPDX-License-Identifier: Apache-2.0
 *
 * A grid of ranks, found by trying all widths once, is some 0.7 % of a short scout run; a number
 * learned from small runs would be another grid, and neighbours that do not exist. So it is
 * computed, and only the time step is given.
 *
 * generate: --assume=cuts
 * scout: 20
 * gone: x[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1])
 * cut: while (t < end)
 * kept: width = w;
 * kept: best = abs(w - height);
 * args: 3
 * args: 20
 */
#include <mpi.h>
#include <stdlib.h>

static double step_of(double *x, int n) {
    double largest = 0;
    for (int sweep = 0; sweep < 20; sweep++)
        for (int i = 1; i < n - 1; i++)
            x[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1]);
    for (int i = 0; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    return 1 / (1 + largest);
}

static int find_width(int ranks) {
    int width = 1, best = 1 << 30;
    for (int w = 1; w < 20000; w++) {
        int height = ranks / w;
        if (height * w == ranks && abs(w - height) < best) {
            best = abs(w - height);
            width = w;
        }
    }
    return width;
}

int main(int argc, char **argv) {
    double x[1000] = {0}, t = 0, own, dt, end = argc > 1 ? atoi(argv[1]) : 1;
    int rank, ranks, width;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    width = find_width(ranks);
    x[rank % 1000] = 9;
    while (t < end) {
        own = step_of(x, 1000);
        MPI_Sendrecv_replace(x, 10, MPI_DOUBLE, (rank + width) % ranks, 0,
                             (rank + ranks - width) % ranks, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        MPI_Allreduce(&own, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        t += dt;
    }
    MPI_Finalize();
    return 0;
}
