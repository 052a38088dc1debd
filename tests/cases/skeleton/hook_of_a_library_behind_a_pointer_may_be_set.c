/* SPDX-License-Identifier: Apache-2.0
 *
 * A pointer leads to a library's hook, which the program never sets: the library may have done so.
 *
 * kept: (*failed)()
 * gone: x[i] = 3 * i
 */
#include <mpi.h>
#include <obstack.h>

int main(int argc, char **argv) {
    void (**failed)(void) = &obstack_alloc_failed_handler;
    double x[40];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    if (argc > 7)
        (*failed)();
    MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
