/* SPDX-License-Identifier: Apache-2.0
 *
 * A static counter in a function that also computes goes on counting.
 *
 * kept: counter++
 * gone: sum += x[i]
 */
#include <mpi.h>

static int next_tag(const double *x, int n, double *total) {
    static int counter = 10;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    *total += sum;
    return counter++;
}

int main(int argc, char **argv) {
    double x[50] = {0}, total = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 4; step++) {
        int tag = next_tag(x, 50, &total);
        int to = (rank + 1) % size, from = (rank + size - 1) % size;
        MPI_Sendrecv_replace(x, 50, MPI_DOUBLE, to, tag, from, tag, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return total < 0;
}
