/* SPDX-License-Identifier: Apache-2.0
 *
 * What loops go over is in arrays that are handed to functions, of main and of the whole program,
 * with constant and with computed elements; not so in one that the region itself fills.
 *
 * gone: field[(k * extent[1] + j) * extent[0] + i] += 1
 * gone: half[d] = own[d] / 2
 * feature: bsim_trips(0, own[2], 1)
 * feature: BSIM_TIMES(bsim_trips(0, own[2], 1), bsim_trips(0, own[1], 1))
 * feature: BSIM_TIMES(bsim_trips(0, own[2], 1), BSIM_TIMES(bsim_trips(0, own[1], 1), bsim_trips(0, own[0], 1)))
 * feature: bsim_trips(0, whole[2], 1)
 * feature: BSIM_TIMES(bsim_trips(0, whole[2], 1), bsim_trips(0, whole[1], 1))
 * feature: BSIM_TIMES(bsim_trips(0, whole[2], 1), BSIM_TIMES(bsim_trips(0, whole[1], 1), bsim_trips(0, whole[0], 1)))
 * feature: bsim_trips(0, 3, 1)
 * features: 8
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int whole[3];

static void fill(double *field, const int extent[3]) {
    for (int k = 0; k < extent[2]; k++)
        for (int j = 0; j < extent[1]; j++)
            for (int i = 0; i < extent[0]; i++)
                field[(k * extent[1] + j) * extent[0] + i] += 1;
}

/* By a table, if there is one. */
static void scale(double *field, const int *table) {
    int n = table != NULL ? 50 : 5;
    for (int i = 0; i < n; i++)
        field[i] *= 2;
}

static const int weights[3] = {1, 2, 3};

int main(int argc, char **argv) {
    double *field = calloc(1000, sizeof *field);
    MPI_Init(&argc, &argv);
    int own[3] = {4 + argc, 5, 6};
    whole[0] = argc + 2;
    whole[1] = argc + 3;
    whole[2] = 7;
    for (int step = 0; step < 3; step++) {
        int half[3];
        fill(field, own);
        MPI_Barrier(MPI_COMM_WORLD);
        fill(field, whole);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int d = 0; d < 3; d++)
            half[d] = own[d] / 2;
        fill(field, half);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    scale(field, weights);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%g\n", field[1]);
    MPI_Finalize();
    return 0;
}
