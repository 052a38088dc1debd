/* SPDX-License-Identifier: Apache-2.0
 *
 * Each element has a pointer to counts, which are needed, and one to data, which is not.
 *
 * kept: patches[i].counts[k] = i + k
 * gone: patches[i].data[k] = 0.5
 */
#include <mpi.h>
#include <stdlib.h>

struct patch {
    double *data;
    int *counts;
    struct patch *next;
};

int main(int argc, char **argv) {
    struct patch patches[3];
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        patches[i].data = malloc(64 * sizeof(double));
        patches[i].counts = malloc(4 * sizeof(int));
        patches[i].next = i < 2 ? &patches[i + 1] : NULL;
        for (int k = 0; k < 64; k++)
            patches[i].data[k] = 0.5;
        for (int k = 0; k < 4; k++)
            patches[i].counts[k] = i + k;
    }
    for (struct patch *p = patches; p != NULL; p = p->next)
        for (int k = 0; k < 4; k++)
            MPI_Bcast(p->data, p->counts[k], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) {
        free(patches[i].data);
        free(patches[i].counts);
    }
    MPI_Finalize();
    return 0;
}
