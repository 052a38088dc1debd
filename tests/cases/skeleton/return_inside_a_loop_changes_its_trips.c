/* SPDX-License-Identifier: Apache-2.0
 *
 * A search ends by return, a nest by goto, a loop by an assignment to its counter.
 *
 * args: 4
 * args: 30
 * kept: return i
 * kept: goto out
 * kept: i = 100
 * gone: x[i] = 0.5 * i
 */
#include <mpi.h>
#include <stdlib.h>

static int table[20];

static int find(int wanted) {
    for (int i = 0; i < 20; i++)
        if (table[i] > wanted)
            return i;
    return 3;
}

int main(int argc, char **argv) {
    double x[64];
    int wanted = argc > 1 ? atoi(argv[1]) : 7, steps = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 20; i++)
        table[i] = i;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int k = 0; k < find(wanted); k++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            if (i * k > wanted)
                goto out;
            steps++;
        }
out:
    for (int i = 0; i < 10; i++) {
        if (i == wanted)
            i = 100;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Bcast(x, steps, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
