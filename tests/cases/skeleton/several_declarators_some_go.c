/* SPDX-License-Identifier: Apache-2.0
 *
 * Of one declaration some names stay, with their initialisers, and some go.
 *
 * kept: n = argc > 1 ? atoi(argv[1]) : 6
 * kept: to
 * gone: sum = 0
 * gone: *last
 * gone: x[100]
 * args: 9
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    double sum = 0, x[100] = {0}, *last = x + 99;
    int rank, unused_size = 7, n = argc > 1 ? atoi(argv[1]) : 6, *count = &n, to, k;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    to = rank ^ 1;
    for (k = 0; k < 100; k++)
        sum += x[k] + *last * unused_size;
    MPI_Sendrecv_replace(x, *count, MPI_DOUBLE, to, 0, to, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum < 0;
}
