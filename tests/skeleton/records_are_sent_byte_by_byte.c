/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a record that is sent as bytes, or by a datatype that is made once, only the members decide
 * that are read where it is received; not so where another call receives it elsewhere.
 *
 * kept: out.more = 1 + rank % 2
 * kept: task.size = 2 + rank
 * kept: odd.weight = 0.5 * rank
 * gone: out.weight = work(x, 40)
 * gone: task.weight = work(x, 60)
 * gone: sum += x[i] * in.weight
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

struct record {
    int size, more;
    double weight;
};

static double work(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

int main(int argc, char **argv) {
    int rank, size, lengths[2] = {2, 1};
    MPI_Aint places[2] = {0, offsetof(struct record, weight)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;
    struct record out, in, task, got, odd;
    double x[64], sum = 0;
    char bytes[sizeof(struct record)];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int i = 0; i < 64; i++)
        x[i] = 0.5 * i;
    out.size = 9;
    out.more = 1 + rank % 2;
    out.weight = work(x, 40);
    MPI_Sendrecv(&out, sizeof out, MPI_BYTE, right, 1, &in, sizeof in, MPI_BYTE, left, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < in.more; i++)
        MPI_Barrier(MPI_COMM_SELF);
    for (int i = 0; i < 64; i++)
        sum += x[i] * in.weight;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    task.more = 8;
    task.size = 2 + rank;
    task.weight = work(x, 60);
    MPI_Irecv(&got, 1, type, left, 2, MPI_COMM_WORLD, &request);
    MPI_Send(&task, 1, type, right, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(x, got.size, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    odd.size = 1;
    odd.more = 2;
    odd.weight = 0.5 * rank;
    MPI_Irecv(bytes + 0 * rank, sizeof bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &request);
    MPI_Send(&odd, sizeof odd, MPI_BYTE, right, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(x, bytes[0], MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    printf("%g %g\n", sum, x[1]);
    MPI_Finalize();
    return 0;
}
