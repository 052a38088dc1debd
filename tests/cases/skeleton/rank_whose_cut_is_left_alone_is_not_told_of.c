/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a message is hangs on each rank's field, which stays; the sum that tells which rank
 * sends it is a part of the work that would be saved. But that cut saves too little and is not
 * taken, so the rank is computed for another reason than that no model may guess it.
 *
 * args: 200
 * ranks: 2 4
 * generate: --assume=cuts
 * scout: 2000
 * note: % of the executions stay: communication depends on what is computed there
 * kept: sum.value += x[i] * x[i];
 * gone: double checked = 0;
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct place {
    double value;
    int rank;
};

int main(int argc, char **argv) {
    int rank, n = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *x = calloc(n, sizeof *x);
    for (int step = 0; step < 20; step++) {
        struct place sum = {0, rank}, largest;
        int count = 0;
        for (int i = 0; i < n; i++) {
            x[i] = fmod(x[i] * 1.9 + 0.07 * (rank + i), 1.0);
            sum.value += x[i] * x[i];
            count += x[i] > 0.4;
        }
        MPI_Allreduce(&sum, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
        int root = largest.rank;
        MPI_Bcast(&count, 1, MPI_INT, root, MPI_COMM_WORLD);
        MPI_Bcast(x, count, MPI_DOUBLE, root, MPI_COMM_WORLD);
    }
    double checked = 0;
    for (int i = 0; i < n; i++)
        checked += x[i];
    printf("%g\n", checked);
    MPI_Finalize();
    return 0;
}
