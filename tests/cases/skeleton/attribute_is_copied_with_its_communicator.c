/* SPDX-License-Identifier: Apache-2.0
 *
 * A copy callback doubles what the duplicate of a communicator carries, a delete callback counts.
 *
 * kept: *count *= 2
 * kept: deleted += 1
 * gone: x[i] = 3 * i
 */
#include <mpi.h>
#include <stdlib.h>

static int deleted;

static int copy(MPI_Comm from, int key, void *extra, void *in, void *out, int *flag) {
    int *count = malloc(sizeof *count);
    *count = *(int *)in;
    *count *= 2;
    *(int **)out = count;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm from, int key, void *value, void *extra) {
    deleted += 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int key, found, stored = 3, *value;
    double x[40];
    MPI_Comm twin;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &stored);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    for (int i = 0; i < 40; i++)
        x[i] = 3 * i;
    MPI_Comm_get_attr(twin, key, &value, &found);
    for (int k = 0; found && k < *value; k++)
        MPI_Bcast(x, 40, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Comm_free(&twin);
    for (int k = 0; k < deleted; k++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Finalize();
    return 0;
}
