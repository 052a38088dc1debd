/* SPDX-License-Identifier: Apache-2.0
 *
 * A control block and data in one allocation, each at an address that a macro aligns.
 *
 * kept: head->count = 3 + rank
 * gone: data[i] * 0.5
 */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#define ALIGN(p, n) ((void *)(((uintptr_t)(p) + (n)-1) & ~(uintptr_t)((n)-1)))

struct head {
    int count, used;
};

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *raw = malloc(8192);
    struct head *head = ALIGN(raw, 64);
    double *data = ALIGN((char *)head + sizeof *head, 128);
    head->count = 3 + rank;
    head->used = 0;
    for (int i = 0; i < 100; i++)
        data[i] = i;
    for (int i = 0; i < 100; i++)
        data[i] = data[i] * 0.5 + 1;
    struct head *again = (struct head *)((uintptr_t)head | 0);
    MPI_Send(data, again->count, MPI_DOUBLE, rank, 1, MPI_COMM_SELF == MPI_COMM_NULL
                                                         ? MPI_COMM_NULL
                                                         : MPI_COMM_WORLD);
    MPI_Recv(data, 100, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(raw);
    MPI_Finalize();
    return 0;
}
