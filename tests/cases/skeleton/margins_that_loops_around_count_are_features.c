/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds are members of records, widened by a margin that the loop around takes away from, beside
 * its own counter; they are features with the margin that it begins with. A record whose number
 * itself is counted is not looked into, nor what is behind a bound that is counted before it is read.
 *
 * args: 30
 * gone: at[j * side + i] += 1
 * gone: at[side] += boxes[which].side
 * gone: at[i] += j
 * feature: bsim_trips(0, count, 1)
 * feature: BSIM_TIMES(bsim_trips(0, count, 1), bsim_trips(0, 2, 1))
 * feature: BSIM_SUM(bsim_i1, bsim_last, 0, bsim_trips(0, count, 1), 1, BSIM_TIMES(bsim_trips(0, 2, 1), bsim_trips((0 - (2 - 1)), (boxes[(long)bsim_i1].side + (2 - 1)), 1)))
 * feature: BSIM_SUM(bsim_i1, bsim_last, 0, bsim_trips(0, count, 1), 1, BSIM_TIMES(bsim_trips(0, 2, 1), BSIM_TIMES(bsim_trips((0 - (2 - 1)), (boxes[(long)bsim_i1].side + (2 - 1)), 1), bsim_trips(0, boxes[(long)bsim_i1].side, 1))))
 * feature: bsim_trips(0, count, 1)
 * features: 8
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct box {
    int side;
    double *values;
};

static void smooth(struct box *boxes, int count) {
    for (int b = 0; b < count; b++) {
        int side = boxes[b].side, margin = 2 - 1;
        double *at = boxes[b].values;
        for (int s = 0; s < 2; s++, margin--)
            for (int j = 0 - margin; j < side + margin; j++)
                for (int i = 0; i < side; i++)
                    at[j * side + i] += 1;
    }
}

static void gather(struct box *boxes, int count, double *at) {
    int which = -1;
    for (int s = 0; s < count; s++) {
        which++;
        for (int side = 0; side < boxes[which].side; side++)
            at[side] += boxes[which].side;
    }
}

/* Nothing is left when it comes to the box that is not there. */
static void finish(const struct box *none, double *at) {
    int left = 1;
    for (int s = 0; s < 3; s++) {
        left--;
        for (int j = 0; j < left; j++)
            for (int i = 0; i < none->side; i++)
                at[i] += j;
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), count = 4;
    struct box boxes[4];
    double *all = calloc(1000, sizeof *all);
    MPI_Init(&argc, &argv);
    for (int b = 0; b < count; b++) {
        boxes[b].side = n >> b;
        boxes[b].values = (double *)calloc(4000, sizeof(double)) + 100;
    }
    for (int b = 0; b < count; b++)
        MPI_Bcast(all, boxes[b].side, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    smooth(boxes, count);
    MPI_Barrier(MPI_COMM_WORLD);
    gather(boxes, count, all);
    MPI_Barrier(MPI_COMM_WORLD);
    finish(n > 1000 ? boxes : NULL, all);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%g\n", all[0]);
    MPI_Finalize();
    return 0;
}
