/* SPDX-License-Identifier: Apache-2.0
 *
 * while ((n = next()) > 0): the assignment in the condition gives the count.
 *
 * kept: (n = next(&left)) > 0
 * gone: sum +=
 */
#include <mpi.h>

static int next(int *left) {
    int n = *left > 5 ? 5 : *left;
    *left -= n;
    return n;
}

int main(int argc, char **argv) {
    double u[20] = {1}, sum = 0;
    int n, left = 13, calls = 0;
    MPI_Init(&argc, &argv);
    while ((n = next(&left)) > 0) {
        calls += 1;
        for (int i = 0; i < n; i++)
            sum += u[i];
        MPI_Bcast(u, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return calls != 3;
}
