/* SPDX-License-Identifier: Apache-2.0
 *
 * Computation that stays is timed up to each jump that leaves it; of a return whose result nobody
 * needs only the call stays.
 *
 * gone: error = grow
 * gone: int error
 * kept: count = (count * 7 + i) % 100
 * made: { grow(n); } BSIM_END(0)
 */
#include <mpi.h>

static int count = 1;
static double numbers[100];

static int grow(int n) {
    for (int i = 0; i < n; i++)
        count = (count * 7 + i) % 100;
    return count < 0;
}

static int step(int wanted, int n) {
    int error;
    if (n == 5)
        MPI_Barrier(MPI_COMM_WORLD);
    else if (wanted)
        if ((error = grow(n)))
            return error;
    return 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    step(argc > 0, argc * 10);
    MPI_Bcast(numbers, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
