/* SPDX-License-Identifier: Apache-2.0
 *
 * Each element of the larger field may call for a message, which no value in front of it tells; the
 * smaller one gives a number. Given, it would save a quarter of the work: it is computed.
 *
 * scout: 4
 * generate: --assume=cuts
 * note: nothing is cut; --max-kept 46.9 takes it all the same
 * kept: x[i] = fabs(sin(x[i] + i + step))
 * kept: y[i] = fabs(cos(y[i] + i))
 * gone: sum += x[i]
 * args: 4
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000

static double x[N], y[N / 3], out[100];

static int largest(void) {
    double most = 0;
    for (int i = 0; i < N / 3; i++) {
        y[i] = fabs(cos(y[i] + i));
        most = y[i] > most ? y[i] : most;
    }
    return (int)(most * 50);
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 3;
    double sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < N; i++) {
            x[i] = fabs(sin(x[i] + i + step));
            if (x[i] > 0.99999)
                MPI_Barrier(MPI_COMM_WORLD);
        }
        int length = largest();
        MPI_Sendrecv_replace(out, length, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        for (int i = 0; i < N; i++)
            sum += x[i];
    }
    MPI_Finalize();
    return sum < 0;
}
