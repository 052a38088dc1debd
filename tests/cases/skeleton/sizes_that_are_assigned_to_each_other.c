/* SPDX-License-Identifier: Apache-2.0
 *
 * Two sizes get their values from each other and from nowhere else: no feature, and an end.
 *
 * gone: x[i] += n
 * flags: -Wno-maybe-uninitialized -Wno-uninitialized
 * args: 5
 */
#include <mpi.h>

static double x[1000];

static void update(int rounds) {
    int n, m;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++)
            x[i] += n;
        m = n;
        n = m;
    }
    if (rounds != 7)
        return;
    return;
    for (;;) {
        for (int i = 0; i < n; i++)
            x[i] -= n;
        n = m;
        m = n;
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc > 100)
        update(argc);
    MPI_Bcast(x, 1000, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
