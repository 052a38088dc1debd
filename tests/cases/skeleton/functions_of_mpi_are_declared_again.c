/* SPDX-License-Identifier: Apache-2.0
 *
 * Old programs declare functions of MPI again, without parameters, in a file or in a block, and
 * call them by pointers of such types. Each is still that of MPI.
 *
 * flags: -std=gnu89
 * kept: ring(comm, n)
 * gone: sum +=
 */
#include <mpi.h>

int MPI_Recv();
extern int MPI_Barrier(), MPI_Bcast();
double MPI_Wtime();

static double work[1000];

static double compute(n) int n;
{
    int i;
    double sum = 0;
    for (i = 0; i < n; i++)
        sum += work[i];
    return sum;
}

static int (*chosen(often))() int often;
{
    extern int MPI_Barrier();
    return often ? MPI_Barrier : 0;
}

static void ring(comm, n) MPI_Comm comm;
{
    int MPI_Comm_rank(), rank, size, value;
    int (*send)() = MPI_Send;
    extern int MPI_Comm_size();
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank % 2 == 0) {
        int MPI_Send();
        MPI_Send(&n, 1, MPI_INT, (rank + 1) % size, 0, comm);
    } else {
        send(&n, 1, MPI_INT, (rank + 1) % size, 0, comm);
    }
    MPI_Recv(&value, 1, MPI_INT, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    chosen(value)(comm);
}

int main(argc, argv) char **argv;
{
    int i, n = 4;
    double begin, sum = 0, all;
    MPI_Init(&argc, &argv);
    begin = MPI_Wtime();
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (i = 0; i < n; i++) {
        sum += compute(1000);
        ring(MPI_COMM_WORLD, i + 1);
    }
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return begin < 0;
}
