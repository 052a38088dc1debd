/* SPDX-License-Identifier: Apache-2.0
 *
 * Records with pointers and arrays go by value, come back, are nested and copied in arrays.
 *
 * kept: grid.plan.counts[i] = i + 2
 * kept: copy.plan.fixed[0] = 4
 * gone: data[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

struct plan {
    int *counts;
    int fixed[3];
    double *data;
};

struct grid {
    struct plan plan;
    struct grid *coarser;
};

static struct plan shift(struct plan plan, int by) {
    plan.counts += by;
    plan.fixed[1] = plan.fixed[0] + by;
    return plan;
}

static int largest(struct plan plan) {
    return plan.counts[0] + plan.fixed[1];
}

int main(int argc, char **argv) {
    int counts[8];
    double data[64];
    struct grid grid = {0}, levels[2], copy;
    MPI_Init(&argc, &argv);
    grid.plan.counts = counts;
    grid.plan.data = data;
    for (int i = 0; i < 8; i++)
        grid.plan.counts[i] = i + 2;
    for (int i = 0; i < 64; i++)
        data[i] = 0.5 * i;
    levels[0] = grid;
    levels[1] = levels[0];
    levels[1].coarser = &levels[0];
    memcpy(&copy, &levels[1], sizeof copy);
    copy.plan.fixed[0] = 4;
    copy.coarser->plan = shift(copy.plan, 3);
    MPI_Bcast(levels[0].plan.data, largest(levels[1].coarser->plan), MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
    MPI_Bcast(copy.plan.data, shift(copy.plan, 1).counts[1], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
