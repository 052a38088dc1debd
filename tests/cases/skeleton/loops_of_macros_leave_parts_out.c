/* SPDX-License-Identifier: Apache-2.0
 *
 * Headers of for loops that macros write, each without some of the parts, are read like others.
 *
 * kept: DOWN(m)
 * kept: ROUNDS(round)
 * kept: FOREVER
 * gone: fill_int(counts
 * feature: bsim_trips(0, m, 1)
 * args: 5 3
 */
#include <mpi.h>
#include <stdlib.h>

#define FILL(T)                                                                                    \
    static void fill_##T(T *a, int n, T value) {                                                   \
        for (; n; --n)                                                                             \
            *a++ += value;                                                                         \
    }
#define DOWN(count) for (; (count) > 0;)
#define ROUNDS(k) for (k = 0; /* until it leaves; */; k++)
#define FOREVER for (;;)
#define ALL(k, n) for (int k = 0; k < n; k++)

FILL(int)
FILL(double)

int main(int argc, char **argv) {
    int counts[100] = {0}, round;
    double work[100] = {0};
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]), m = atoi(argv[2]);
    fill_int(counts, n, 1);
    fill_double(work, n, 0.5);
    ALL(k, m)
        work[k] *= 2;
    DOWN(m) {
        MPI_Bcast(work, m, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        m--;
    }
    ROUNDS(round) {
        if (round == n)
            break;
        MPI_Bcast(work, round, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    FOREVER {
        MPI_Barrier(MPI_COMM_WORLD);
        if (--n < 2)
            break;
    }
    MPI_Allreduce(MPI_IN_PLACE, counts, 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
