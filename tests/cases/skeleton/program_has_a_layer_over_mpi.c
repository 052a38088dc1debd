/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer that defines functions of MPI, calls MPI's with PMPI_, and takes part in what steers: it
 * counts, has the program's communicators, makes two messages out of one; one function is taken by
 * pointer; the other unit has functions that SimGrid does not need.
 *
 * with: layer_over_mpi.c
 * kept: PMPI_Send(&n, 1, MPI_INT, to, tag, comm)
 * kept: PMPI_Barrier(MPI_COMM_WORLD)
 * gone: x[i] = 0.5 * i
 * made: PMPI_Recv(BSIM_SCRATCH, n, type, from, tag, comm, status)
 */
#include <mpi.h>
#include <stdio.h>

static int sent;
static MPI_Comm world;

int layer_asked(void);

int MPI_Init(int *argc, char ***argv) {
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS)
        result = PMPI_Comm_dup(MPI_COMM_WORLD, &world);
    return result;
}

int MPI_Finalize(void) {
    int all;
    PMPI_Allreduce(&sent, &all, 1, MPI_INT, MPI_SUM, world);
    for (int k = 0; k < all; k++)
        PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Comm_free(&world);
    return PMPI_Finalize();
}

__attribute__((weak)) int MPI_Send(const void *x, int n, MPI_Datatype type, int to, int tag,
                                   MPI_Comm comm) {
    sent++;
    PMPI_Send(&n, 1, MPI_INT, to, tag, comm);
    return PMPI_Send(x, n, type, to, tag, comm);
}

int MPI_Recv(void *x, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status) {
    PMPI_Recv(&n, 1, MPI_INT, from, tag, comm, MPI_STATUS_IGNORE);
    return PMPI_Recv(x, n, type, from, tag, comm, status);
}

/* In another unit: MPI_Comm_rank, MPI_Type_size, MPI_Wtime. */

int main(int argc, char **argv) {
    int rank, size, bytes;
    double x[64];
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double start = MPI_Wtime();
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    MPI_Type_size(MPI_DOUBLE, &bytes);
    if (rank == 0)
        for (int to = 1; to < size; to++)
            (to % 2 ? send : PMPI_Ssend)(x, to % 2 ? bytes + to : 1, MPI_DOUBLE, to, 0,
                                         MPI_COMM_WORLD);
    else if (rank % 2)
        MPI_Recv(x, 64, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        PMPI_Recv(x, 64, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < layer_asked(); k++)
        MPI_Bcast(x, k + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", MPI_Wtime() >= start);
    MPI_Finalize();
    return 0;
}
