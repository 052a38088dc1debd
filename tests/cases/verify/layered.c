/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer of the program's own begins and ends MPI, and counts what is sent through a pointer.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static int sent;

int MPI_Init(int *argc, char ***argv) {
    return PMPI_Init(argc, argv);
}

int MPI_Finalize(void) {
    PMPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return PMPI_Finalize();
}

int MPI_Send(const void *x, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    sent++;
    return PMPI_Send(x, n, type, to, tag, comm);
}

static int (*const send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
static int (*const receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) = MPI_Recv;

int main(int argc, char **argv) {
    static double x[100];
    int rank, count = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < count; i++)
            x[i % 100] += sqrt(i + k);
        if (rank % 2 == 0)
            send(x, 100, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
        else
            receive(x, 100, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
