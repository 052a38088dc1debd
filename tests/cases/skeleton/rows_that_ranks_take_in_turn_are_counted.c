/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank works on every so manyth row: a condition on the loop's variable decides, so that the feature
 * looks at all iterations, not at four of them.
 *
 * args: 24
 * gone: at[j] += at[0]
 * feature: bsim_trips((first + 1), n, 1)
 * feature: BSIM_SUM_PARTS(bsim_i1, bsim_last, (first + 1), bsim_trips((first + 1), n, 1), 1, BSIM_TIMES((((bsim_i1 % ranks) == rank) ? 1 : 0), bsim_trips(first, n, 1)))
 * features: 2
 */
#include <mpi.h>
#include <stdlib.h>

static void eliminate(double *rows, int n, int first, int rank, int ranks) {
    for (int i = first + 1; i < n; i++) {
        if (i % ranks == rank) {
            double *at = rows + i * n;
            for (int j = first; j < n; j++)
                at[j] += at[0];
        }
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double *rows = calloc(n * n, sizeof *rows);
    for (int first = 0; first < n; first++) {
        MPI_Bcast(rows + first * n, n, MPI_DOUBLE, first % ranks, MPI_COMM_WORLD);
        eliminate(rows, n, first, rank, ranks);
    }
    free(rows);
    MPI_Finalize();
    return argc < 2;
}
