/* SPDX-License-Identifier: Apache-2.0
 *
 * Static variables, arrays and functions that only serve computation are not in the skeleton.
 *
 * kept: static int rank
 * gone: static double table
 * gone: static int lookups
 * gone: build
 * gone: lookup
 */
#include <math.h>
#include <mpi.h>

static int rank;
static double table[1000];
static int lookups = 0, limit = 1000;

static void build(void) {
    for (int i = 0; i < limit; i++)
        table[i] = cos(i * 0.001);
}

static double lookup(double x) {
    lookups++;
    return table[(int)x % limit];
}

int main(int argc, char **argv) {
    double sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    build();
    for (int i = 0; i < 100; i++)
        sum += lookup(i);
    MPI_Sendrecv_replace(&sum, 1, MPI_DOUBLE, rank ^ 1, 0, rank ^ 1, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
