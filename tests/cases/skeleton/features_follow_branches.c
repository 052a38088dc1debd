/* SPDX-License-Identifier: Apache-2.0
 * Bounds that branches of the region assign are conditional expressions where it begins, and the
 * rest of a loop over blocks counts as one block, not as the mean of them.
 *
 * args: 30 40 7 0
 * args: 40 30 64 1
 * ranks: 2
 * gone: field[i * 64 + k] += 0.5
 * feature: bsim_trips(((turned ^ (step & 1)) ? 0 : 1), ((turned ^ (step & 1)) ? columns : rows), ((turned ^ (step & 1)) ? block : (2 * block)))
 * features: 4
 * kept: MPI_Allreduce
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double field[64 * 64];

static void smooth(int first, int count, int width) {
    for (int i = first; i < first + count; i++)
        for (int k = 0; k < width; k++)
            field[i * 64 + k] += 0.5;
}

static void sweep(int rows, int columns, int block, int turned) {
    int begin, end, width, step;
    if (turned) {
        begin = 0;
        end = columns;
        width = rows;
        step = block;
    } else {
        begin = 1;
        end = rows;
        width = columns;
        step = 2 * block;
    }
    for (int i = begin; i < end; i += step) {
        int last = i + step;
        if (last > end)
            last = end;
        smooth(i, last - i, width);
    }
}

int main(int argc, char **argv) {
    int rank;
    double sum = 0, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int rows = atoi(argv[1]), columns = atoi(argv[2]), block = atoi(argv[3]), turned = atoi(argv[4]);
    for (int step = 0; step < 3; step++) {
        sweep(rows, columns, block, turned ^ (step & 1));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < 64 * 64; i++)
        sum += field[i];
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", rows, columns);
    MPI_Finalize();
    return 0;
}
