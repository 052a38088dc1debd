/* SPDX-License-Identifier: Apache-2.0
 *
 * A count that is changed through a pointer to a member.
 *
 * kept: bump(&box.count
 * gone: box.mass *= 0.5
 */
#include <mpi.h>

struct box {
    double mass;
    int count;
};

static void bump(int *what, int by) {
    *what += by;
}

int main(int argc, char **argv) {
    struct box box = {1.0, 1};
    double x[50] = {0};
    int *count = &box.count;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 4; step++) {
        bump(&box.count, step);
        *count += 2;
        box.mass *= 0.5;
        for (int i = 0; i < 50; i++)
            x[i] += box.mass;
        MPI_Bcast(x, box.count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
