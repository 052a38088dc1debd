/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that are compiled and included hold the text of two functions each, of which one is called:
 * it stays, whichever comes first.
 *
 * with: shared_text_growth.c
 * with: shared_text_limit.c
 * flags: -Wno-missing-prototypes -Wno-unused-function
 * gone: x[i] = x[i] * 0.5 + n;
 * kept: n = limited(grown(n, step));
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

int limited(int n);

#define GROWTH grown
#include "shared_text_growth.c"
#define LIMIT limited_elsewhere
#include "shared_text_limit.c"

int main(int argc, char **argv) {
    double x[100] = {0};
    int n = 4, steps = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 100; i++)
            x[i] = x[i] * 0.5 + n;
        n = limited(grown(n, step));
        MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
