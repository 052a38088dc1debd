/* SPDX-License-Identifier: Apache-2.0
 *
 * Extensions of GNU C: a statement expression that steers, __typeof__, case ranges.
 *
 * kept: case 1 ... 3:
 * kept: MAX(step, 4)
 * gone: 0.7
 */
#include <mpi.h>

#define MAX(a, b)                                                                                  \
    ({                                                                                             \
        __typeof__(a) a_ = (a);                                                                    \
        __typeof__(b) b_ = (b);                                                                    \
        a_ > b_ ? a_ : b_;                                                                         \
    })

int main(int argc, char **argv) {
    double u[20] = {0};
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 7; step++) {
        u[step] += 0.7;
        switch (step) {
        case 1 ... 3:
            MPI_Bcast(u, MAX(step, 4), MPI_DOUBLE, 0, MPI_COMM_WORLD);
            break;
        default:
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
