/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that the skeleton allocates is freed there also where the program asks first whether there
 * is any; what it does not allocate is not.
 *
 * kept: if (counts != NULL) free(counts)
 * gone: if (data) free(data)
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc((size_t)size * sizeof *counts);
    double *data = malloc(1000 * sizeof *data);
    for (int i = 0; i < size; i++)
        counts[i] = i + 1;
    for (int i = 0; i < 1000; i++)
        data[i] = 0.5 * i;
    for (int i = 0; i < size; i++)
        MPI_Bcast(data, counts[i], MPI_DOUBLE, i, MPI_COMM_WORLD);
    if (counts != NULL)
        free(counts);
    if (data)
        free(data);
    MPI_Finalize();
    return 0;
}
