/* SPDX-License-Identifier: Apache-2.0
 *
 * return f(x) * y: the call stays, the value and what it is made of go.
 *
 * kept: reduce(
 * gone: * weight(
 * gone: sqrt
 */
#include <math.h>
#include <mpi.h>

static double reduce(double x) {
    double sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static double weight(double y) {
    return sqrt(y) + 1;
}

static double norm(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return reduce(sum) * weight(sum);
}

int main(int argc, char **argv) {
    double x[25] = {3};
    MPI_Init(&argc, &argv);
    double result = norm(x, 25) + norm(x, 10);
    MPI_Finalize();
    return result < 0;
}
