/* SPDX-License-Identifier: Apache-2.0
 *
 * Of a record that is sent as bytes only the members decide that are read where it is received; not
 * so where a call receives it in another way, or where a datatype says what is where, which may be
 * another one on each rank. A message may go from one member of a record to another.
 *
 * kept: out.more = 1 + rank % 2
 * kept: pair.second = 7 + argc
 * kept: shift.values[3] = 4
 * kept: real = 6.5 + rank
 * kept: odd.weight = 0.5 * rank
 * gone: out.weight = work(x, 40)
 * gone: sum += x[i] * in.weight
 */
#include <mpi.h>
#include <stdio.h>

struct record {
    int size, more;
    double weight;
};

struct pair {
    int first, second;
};

struct shift {
    int values[4];
};

static double work(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

int main(int argc, char **argv) {
    int rank, size, got, length = 1, offset;
    struct record out, in, odd;
    struct pair pair;
    struct shift shift;
    MPI_Datatype type;
    double real;
    unsigned long long bits;
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
    offset = rank % 2;
    MPI_Type_indexed(1, &length, &offset, MPI_INT, &type);
    MPI_Type_commit(&type);
    pair.first = 5 + argc;
    pair.second = 7 + argc;
    MPI_Irecv(&got, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &request);
    MPI_Send(&pair, 1, type, right, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(x, got, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    shift.values[0] = shift.values[1] = shift.values[2] = 1;
    shift.values[3] = 4;
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(&shift, sizeof(int) * 3, MPI_BYTE, left, 4, MPI_COMM_WORLD, &request);
        MPI_Send(&shift.values[1], sizeof(int) * 3, MPI_BYTE, right, 4, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Send(x, shift.values[0], MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    real = 6.5 + rank;
    MPI_Irecv(&bits, sizeof bits, MPI_BYTE, left, 5, MPI_COMM_WORLD, &request);
    MPI_Send(&real, sizeof real, MPI_BYTE, right, 5, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(x, (int)(bits >> 48 & 15), MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    odd.size = 1;
    odd.more = 2;
    odd.weight = 0.5 * rank;
    MPI_Irecv(bytes + 0 * rank, sizeof bytes, MPI_BYTE, left, 3, MPI_COMM_WORLD, &request);
    MPI_Send(&odd, sizeof odd, MPI_BYTE, right, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(x, bytes[0], MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    printf("%g %g\n", sum, x[1]);
    MPI_Finalize();
    return 0;
}
