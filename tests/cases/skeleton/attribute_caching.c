/* SPDX-License-Identifier: Apache-2.0
 *
 * A value cached on a communicator comes back as the number of messages; names of a communicator and
 * a datatype decide as well.
 *
 * kept: MPI_Comm_get_attr
 * kept: MPI_Comm_set_name(MPI_COMM_WORLD, "all")
 * kept: MPI_Type_set_name(pair, "pair")
 * gone: x[i] = 3 * i
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int key, found, *stored = malloc(sizeof(int)), *value;
    char of_all[MPI_MAX_OBJECT_NAME], of_pair[MPI_MAX_OBJECT_NAME];
    MPI_Datatype pair;
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
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_set_name(pair, "pair");
    MPI_Type_get_name(pair, of_pair, &found);
    MPI_Comm_set_name(MPI_COMM_WORLD, "all");
    MPI_Comm_get_name(MPI_COMM_WORLD, of_all, &found);
    if (strcmp(of_pair, "pair") == 0 && strcmp(of_all, "all") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    free(stored);
    MPI_Finalize();
    return 0;
}
