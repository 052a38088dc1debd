/* SPDX-License-Identifier: Apache-2.0
 *
 * Assignments behind `&&`, `||` and in one branch of `?:` may not happen: the values that were there
 * before are needed as well.
 *
 * args: a
 * args: a b c d e f
 * kept: y = argc
 * kept: z = argc + 1
 * kept: w = argc + 2
 * kept: u = argc + 3
 * gone: v = argc + 4
 */
#include <mpi.h>

static void barriers(int count) {
    for (int i = 0; i < count; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int y, z, w, u, v;
    MPI_Init(&argc, &argv);
    y = argc;
    z = argc + 1;
    w = argc + 2;
    u = argc + 3;
    v = argc + 4;
    if (argc > 5 && (y = 3) > 2)
        MPI_Barrier(MPI_COMM_WORLD);
    argc > 5 ? (z = 1) : 2;
    argc > 5 || (w = 1);
    if (argc > 5 ? (u = 1) : 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if ((v = argc) > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    barriers(y);
    barriers(z);
    barriers(w);
    barriers(u);
    barriers(v);
    MPI_Finalize();
    return 0;
}
