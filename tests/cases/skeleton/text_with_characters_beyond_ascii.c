/* SPDX-License-Identifier: Apache-2.0
 *
 * Comments and strings in UTF-8 do not shift the edits.
 *
 * kept: "größer"
 * gone: u[i] *= 2
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
    double u[100] = {0}; /* das Gitter, Länge in µm */
    MPI_Init(&argc, &argv);
    /* Σ über alle */ for (int i = 0; i < 100; i++) /* ü */
        u[i] *= 2;
    if (argc > 1 && strcmp(argv[1], "größer") == 0) /* → */
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(u, 100, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* ∀ */
    MPI_Finalize();
    return 0;
}
