/* SPDX-License-Identifier: Apache-2.0
 *
 * How many parcels there are is found by hot loops, and ends a loop over messages. No memory is read by that number, so a
 * model may give it.
 *
 * scout: 5
 * generate: --assume=cuts
 * cut: return count
 * gone: x[i] = fabs(sin(x[i] + i + step * k))
 * args: 5
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000

static void move(double *x, int step) {
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 5; k++)
            x[i] = fabs(sin(x[i] + i + step * k));
}

static int count_above(const double *x, double limit) {
    int count = 0;
    for (int i = 0; i < N; i += 500)
        count += x[i] > limit;
    return count;
}

int main(int argc, char **argv) {
    static double x[N], out[20];
    int parcels, steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        move(x, step);
        parcels = count_above(x, 0.5);
        for (int parcel = 0; parcel < parcels; parcel++)
            MPI_Sendrecv_replace(out, 20, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
