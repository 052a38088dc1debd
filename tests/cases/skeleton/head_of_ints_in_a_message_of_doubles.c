/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of a message of doubles holds ints, which a function reads that gets it as `void *`.
 * Their type is none of the declaration's, but the cast that wrote them tells.
 *
 * kept: *(int *)&message[0] = argc > 1 ? atoi(argv[1]) : 2
 * gone: sum += sin(i)
 * args: 5
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static int count_of(const void *message) {
    const int *head = message;
    return head[0];
}

int main(int argc, char **argv) {
    double message[4] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    *(int *)&message[0] = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < 1000; i++)
        sum += sin(i);
    message[1] = sum;
    for (int i = 0; i < count_of(message); i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
