/* SPDX-License-Identifier: Apache-2.0
 *
 * A function with a head for each of two compilers is copied where its calls need different parts:
 * the payload of one broadcast steers, that of the other one does not.
 *
 * gone: x[i] = sin(x[i] + i)
 * made: share__2(
 * made: #if 1
 * scratch: 1
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#ifdef __STDC__
static void share
(
    void *buffer,
    const int count,
    const MPI_Datatype type
)
#else
static void share(buffer, count, type)
    void *buffer;
    const int count;
    const MPI_Datatype type;
#endif
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1)
        MPI_Bcast(buffer, count, type, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    static double x[1000];
    int steps = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        steps = argc > 1 ? atoi(argv[1]) : 2;
    share(&steps, 1, MPI_INT);
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 1000; i++)
            x[i] = sin(x[i] + i);
        share(x, 1000, MPI_DOUBLE);
    }
    MPI_Finalize();
    return 0;
}
