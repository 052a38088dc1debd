/* All kinds of messages that a trace tells apart. */
#include <mpi.h>
#include <stdlib.h>

#define N 20000

static double work(const double *a, int n) {
    double sum = 0;
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < n; i++)
            sum += a[i] * a[(i * 7) % n];
    return sum;
}

int main(int argc, char **argv) {
    static double a[N], b[N], c[N];
    int rank, size, steps = argc > 1 ? atoi(argv[1]) : 3, at = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Comm half;
    MPI_Request requests[4], kept[2];
    MPI_Status status;
    double sum = 0, all = 0, slot = 0;
    MPI_Win window;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Send_init(a, 100, MPI_DOUBLE, right, 5, MPI_COMM_WORLD, &kept[0]);
    MPI_Recv_init(b, 100, MPI_DOUBLE, left, 5, MPI_COMM_WORLD, &kept[1]);
    MPI_Win_create(&slot, sizeof slot, sizeof slot, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int step = 0; step < steps; step++) {
        sum += work(a, 1000 * (rank + 1));
        MPI_Irecv(b, N, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(c, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(a, N, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(a, 10, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        MPI_Startall(2, kept);
        MPI_Waitall(2, kept, MPI_STATUSES_IGNORE);
        MPI_Sendrecv(a, 7, MPI_DOUBLE, right, 3, b, 9, MPI_DOUBLE, left, 3, MPI_COMM_WORLD,
                     &status);
        if (rank == 0) {
            for (int i = 0; i < size; i++) { /* of rank 1 two */
                MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
                MPI_Recv(b, N, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                         &status);
            }
        } else {
            MPI_Send(a, rank, MPI_DOUBLE, 0, 10 + rank, MPI_COMM_WORLD);
            if (rank == 1)
                MPI_Ssend(a, 3, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD);
        }
        int me, members;
        MPI_Comm_rank(half, &me);
        MPI_Comm_size(half, &members);
        if (me > 0)
            MPI_Isend(a, 5, MPI_DOUBLE, 0, 6, half, &requests[0]);
        for (int i = 1; i < members && me == 0; i++) {
            MPI_Irecv(b, 5, MPI_DOUBLE, MPI_ANY_SOURCE, 6, half, &requests[0]);
            MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        }
        if (me > 0)
            MPI_Waitany(1, requests, &at, MPI_STATUS_IGNORE);
        MPI_Bcast(c, 50, MPI_DOUBLE, 0, half);
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, size - 1, MPI_COMM_WORLD);
        MPI_Win_fence(0, window);
        MPI_Put(&sum, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
    }
    MPI_Request_free(&kept[0]);
    MPI_Request_free(&kept[1]);
    MPI_Win_free(&window);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 1e300;
}
