/* SPDX-License-Identifier: Apache-2.0
 *
 * A size is assigned in two places, one of them inside a condition. For each loop one of the
 * assignments is the one that counts, and what it assigns is the loop's size.
 *
 * gone: x[i] = sin(x[i] + i)
 * gone: x[i] = cos(x[i] * i)
 * feature: bsim_trips(0, (total - done), 1)
 * feature: bsim_trips(0, (2 * done), 1)
 * features: 2
 * args: 90
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static double x[1000];

static void update(int total, int done) {
    int n;
    if ((n = total - done) > 0)
        for (int i = 0; i < n; i++)
            x[i] = sin(x[i] + i);
    MPI_Bcast(x, total - done, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    n = 2 * done;
    for (int i = 0; i < n; i++)
        x[i] = cos(x[i] * i);
    MPI_Bcast(x, done, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int total = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    update(total, total / 3);
    update(total, total / 2);
    MPI_Finalize();
    return 0;
}
