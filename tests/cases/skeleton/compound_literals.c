/* SPDX-License-Identifier: Apache-2.0
 *
 * A compound literal as an argument: what steers stays.
 *
 * kept: (struct span){
 * gone: norm
 */
#include <mpi.h>

struct span {
    int first, last;
};

static void share(double *x, struct span span) {
    MPI_Bcast(x + span.first, span.last - span.first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static double norm(const double *x, const int *range) {
    double sum = 0;
    for (int i = range[0]; i < range[1]; i++)
        sum += x[i] * x[i];
    return sum;
}

int main(int argc, char **argv) {
    double x[40] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 4; step++) {
        sum += norm(x, (int[]){step, 40});
        share(x, (struct span){step, 10 * step + 5});
    }
    MPI_Finalize();
    return sum < 0;
}
