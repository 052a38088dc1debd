/* SPDX-License-Identifier: Apache-2.0
 *
 * A helper swaps two limits that are needed, and in another call two values that are not.
 *
 * kept: swap(&first, &last)
 * gone: high = high * 3 + low
 */
#include <mpi.h>

static void swap(int *one, int *other) {
    int keep = *one;
    *one = *other;
    *other = keep;
}

int main(int argc, char **argv) {
    int first = 5, last = argc, low = 1, high = 2;
    double u[10] = {0};
    MPI_Init(&argc, &argv);
    swap(&first, &last);
    for (int i = 0; i < 100; i++) {
        high = high * 3 + low;
        swap(&low, &high);
    }
    u[0] = high;
    for (int i = first; i < last; i++)
        MPI_Bcast(u, i, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
