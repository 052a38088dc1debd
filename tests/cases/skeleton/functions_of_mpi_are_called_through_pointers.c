/* SPDX-License-Identifier: Apache-2.0
 *
 * Sends, receives and collectives through pointers: a table, a record, a parameter, a conditional
 * expression, `void *`, a name in parentheses. Counts that are received so steer what comes next.
 *
 * kept: counts[k] = rank + k + 1
 * kept: by_table[k % 2](x, sums, k + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
 * kept: transport->receive(counts, 4, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
 * gone: x[i] = 0.5 * i
 * gone: sum += sums[i]
 */
#include <mpi.h>
#include <stdio.h>

typedef int reduction(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
typedef int sending(const void *, int, MPI_Datatype, int, int, MPI_Comm);

struct transport {
    sending *send;
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
};

static const struct transport plain = {MPI_Send, MPI_Recv};

static int to_root(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return MPI_Reduce(in, out, n, type, op, 0, comm);
}

static void exchange(sending *send, const double *x, int n, int rank, int size) {
    double y[64];
    MPI_Request request;
    MPI_Irecv(y, 64, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &request);
    send(x, n, MPI_DOUBLE, (rank + 1) % size, 3, MPI_COMM_WORLD);
    (MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

static sending *sending_of(int k) {
    return k % 2 ? MPI_Bsend : PMPI_Rsend;
}

int main(int argc, char **argv) {
    int rank, size, counts[4];
    double x[64], sums[64], sum = 0;
    char room[8192];
    void *room_again, *untyped = MPI_Bcast;
    int left;
    int (*which)(MPI_Comm, int *) = MPI_Comm_rank;
    reduction *by_table[2] = {MPI_Allreduce, to_root};
    const struct transport *transport = &plain;
    MPI_Init(&argc, &argv);
    which(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    for (int k = 0; k < 4; k++)
        counts[k] = rank + k + 1;
    for (int k = 0; k < 3; k++)
        by_table[k % 2](x, sums, k + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank + 1 < size)
        (rank % 2 ? MPI_Send : MPI_Ssend)(counts, 4, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);
    if (rank > 0)
        transport->receive(counts, 4, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; k++)
        exchange(k < 2 ? MPI_Send : sending_of(k), x, counts[k], rank, size);
    ((int (*)(void *, int, MPI_Datatype, int, MPI_Comm))untyped)(counts, 4, MPI_INT, size - 1,
                                                                 MPI_COMM_WORLD);
    (*&MPI_Barrier)(MPI_COMM_WORLD);
    for (int k = 0; k < counts[3]; k++)
        (MPI_Scan)(x, sums, k + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++)
        sum += sums[i];
    MPI_Buffer_detach(&room_again, &left);
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
