/* SPDX-License-Identifier: Apache-2.0
 *
 * A value cached on a communicator comes back as the number of messages.
 *
 * kept: MPI_Comm_get_attr
 * gone: x[i] = 3 * i
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int key, found, *stored = malloc(sizeof(int)), *value;
    double x[40];
    MPI_Init(&argc, &argv);
    *stored = 6;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, stored);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found);
    for (int k = 0; found && k < *value; k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    free(stored);
    MPI_Finalize();
    return 0;
}
