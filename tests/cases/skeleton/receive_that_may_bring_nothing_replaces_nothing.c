/* SPDX-License-Identifier: Apache-2.0
 *
 * What was there stays where the message may be empty, is not received on all ways, fills a part of
 * the number only, or brings it from a place that was written through a pointer; and a broadcast
 * leaves the root's number.
 *
 * kept: empty = first(a, 1)
 * kept: maybe = first(a, 2)
 * kept: wide = first(a, 3)
 * kept: root = first(a, 4)
 * kept: *through = first(a, 5)
 * kept: late = first(a, 6)
 * kept: later = first(a, 7)
 * kept: sum = first(a, 1)
 * gone: b[i] += 0.5
 */
#include <mpi.h>

#define N 1000

static int first(const double *a, int add) {
    int sum = add;
    for (int i = 0; i < 3; i++)
        sum += a[0] > i;
    return sum;
}

static void barriers(int number) {
    for (int i = 0; i < number; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, size, empty, maybe, root, pointed, *through = &pointed, late, later, sum, one = 1;
    long wide;
    double a[N] = {0}, b[N] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    empty = first(a, 1);
    MPI_Send(&rank, rank < 0, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Recv(&empty, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    barriers(empty);

    maybe = first(a, 2);
    MPI_Send(&one, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    if (rank != 1)
        MPI_Recv(&maybe, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Recv(&one, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &maybe, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    barriers(maybe);

    wide = first(a, 3);
    MPI_Send(&one, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
    MPI_Recv(&wide, 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    barriers(wide % 7);

    root = first(a, 4);
    MPI_Bcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD);
    barriers(root);

    pointed = 1;
    *through = first(a, 5);
    MPI_Send(&pointed, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    MPI_Recv(&one, 1, MPI_INT, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    barriers(one);

    late = first(a, 6);
    MPI_Irecv(&later, 1, MPI_INT, left, 4, MPI_COMM_WORLD, &request);
    MPI_Send(&late, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    barriers(later);

    later = first(a, 7);
    MPI_Send_init(&later, 1, MPI_INT, right, 5, MPI_COMM_WORLD, &request);
    later = first(a, 7) + 1;
    MPI_Start(&request);
    MPI_Recv(&one, 1, MPI_INT, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    barriers(one);

    sum = first(a, 1);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    barriers(sum);
    for (int i = 0; i < N; i++)
        b[i] += 0.5 * rank;
    MPI_Reduce(b, NULL, 0, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
