/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over what is left, of which loops around them take some away: they are features with the
 * bounds that they begin with. Bounds that are computed anew each time are not; what they come of is.
 *
 * args: 30
 * args: 9
 * ranks: 1 3
 * gone: done += work[k];
 * gone: done -= work[k];
 * gone: left = left / 2 + 1;
 * feature: BSIM_TIMES(bsim_trips(0, 5, 1), bsim_trips(0, n, 1))
 * feature: BSIM_TIMES(bsim_trips(0, 5, 1), BSIM_TIMES(bsim_trips(0, n, 1), bsim_trips(1, 7, 1)))
 * feature: bsim_trips(0, 5, 1)
 * feature: bsim_trips(0, 6, 1)
 * feature: n
 * feature: BSIM_TIMES(bsim_trips(0, 6, 1), (double)n)
 * features: 6
 */
#include <mpi.h>
#include <stdlib.h>

static double shrinks(const double *work, int n) {
    double done = 0;
    int first = 0, end = n;
    for (int round = 0; round < 5; round++)
        for (int k = first; k < end; k++) {
            for (int m = 1; m < 7; m++)
                done += work[k];
            if (work[k] > 2)
                first++;
            else if (work[k] < 0)
                end -= 2;
        }
    return done;
}

static double halves(const double *work, int n) {
    double done = 0;
    int left = n;
    for (int round = 0; round < 6; round++) {
        for (int k = 0; k < left; k++)
            done -= work[k];
        left = left / 2 + 1;
    }
    return done;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int n = atoi(argv[1]);
    double *work = calloc((size_t)n + 8, sizeof *work), sum = 0;
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    sum += shrinks(work, n);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += halves(work, n);
    MPI_Barrier(MPI_COMM_WORLD);
    free(work);
    MPI_Finalize();
    return sum < 0;
}
