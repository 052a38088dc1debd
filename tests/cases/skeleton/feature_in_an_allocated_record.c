/* SPDX-License-Identifier: Apache-2.0
 *
 * The only thing that tells how long the loop is lies in a record on the heap that nothing else
 * needs. It is allocated all the same; an array of more than a page is not, nor one each time.
 *
 * args: 500
 * made: BSIM_UNREAD_malloc(4, sizeof *sizes)
 * kept: sizes->n = atoi(argv[1])
 * feature: bsim_trips(0, sizes->n, 1)
 * gone: bounds[1] = atoi(argv[1])
 * gone: step->n = k
 * gone: waste[i] = i * 0.5;
 */
#include <mpi.h>
#include <stdlib.h>

struct sizes {
    int n, unused[749];
};

int main(int argc, char **argv) {
    static double waste[100000];
    struct sizes *sizes = malloc(sizeof *sizes);
    int *bounds = malloc(6000);
    sizes->n = atoi(argv[1]);
    bounds[1] = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < sizes->n; i++)
        waste[i] = i * 0.5;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < bounds[1]; i++)
        waste[i] = i * 0.25;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < 100; k++) {
        struct sizes *step = malloc(sizeof *step);
        step->n = k;
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < step->n; i++)
            waste[i] = i * 0.125;
        MPI_Barrier(MPI_COMM_WORLD);
        free(step);
    }
    free(sizes);
    free(bounds);
    MPI_Finalize();
    return 0;
}
