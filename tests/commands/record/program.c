/* Calls of all kinds; `program MODE N`: mode calls, abort, kill, rare (calls), leave, fail. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, n;
static double a[64], b[64];

/* By the function that MPI has for Fortran. */
void mpi_barrier_(MPI_Fint *communicator, MPI_Fint *error);

static void exchange(void) {
    MPI_Request q[4];
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Irecv(a, 64, MPI_DOUBLE, next, 5, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(b, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &q[1]);
    MPI_Isend(a, 10, MPI_DOUBLE, last, 5, MPI_COMM_WORLD, &q[2]);
    MPI_Isend(b, 20, MPI_DOUBLE, next, 6, MPI_COMM_WORLD, &q[3]);
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
}

/* As many polls as it takes, which differs from run to run. */
static void poll(void) {
    MPI_Request q;
    MPI_Status status;
    int next = (rank + 1) % size, last = (rank + size - 1) % size, flag = 0;
    MPI_Irecv(a, 64, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &q);
    usleep((unsigned)getpid() % 7 * 1000);
    MPI_Send(b, 1, MPI_DOUBLE, last, 7, MPI_COMM_WORLD);
    while (!flag)
        MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
    MPI_Send(b, 3, MPI_DOUBLE, last, 8, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
    MPI_Recv(a, 64, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
}

static void persistent(void) {
    MPI_Request q[2];
    MPI_Recv_init(a, 64, MPI_DOUBLE, (rank + 1) % size, 9, MPI_COMM_WORLD, &q[0]);
    MPI_Send_init(b, 4, MPI_DOUBLE, (rank + size - 1) % size, 9, MPI_COMM_WORLD, &q[1]);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, q);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&q[0]);
    MPI_Request_free(&q[1]);
}

static void communicators(void) {
    MPI_Comm grid, row, half;
    MPI_Datatype column;
    int dimensions[] = {0, 0}, periods[] = {1, 0}, remain[] = {0, 1}, peer, other;
    MPI_Dims_create(size, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periods, 0, &grid);
    MPI_Cart_sub(grid, remain, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    MPI_Allreduce(a, b, 3, MPI_DOUBLE, MPI_SUM, half);
    MPI_Allgather(a, 2, MPI_DOUBLE, b, 2, MPI_DOUBLE, row);
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Cart_shift(grid, 1, 1, &peer, &other);
    MPI_Sendrecv(a, 1, column, other, 3, b, 5, MPI_DOUBLE, peer, 3, grid, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Comm_free(&half);
}

static void memory_and_files(void) {
    MPI_Win window;
    MPI_Request q;
    MPI_File file;
    MPI_Win_create(b, sizeof b, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(a, 2, MPI_DOUBLE, (rank + 1) % size, 0, 2, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_File_open(MPI_COMM_WORLD, "written", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_iwrite_at(file, 512 * rank, a, 64, MPI_DOUBLE, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void send_to_self(void) {
    for (int i = 0; i < n; i++)
        MPI_Sendrecv(a, i % 9, MPI_DOUBLE, 0, 1, b, 9, MPI_DOUBLE, 0, 1, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

static __attribute__((noinline)) void scan(void) {
    MPI_Scan(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

/* With the same frames in memory; their callers differ. */
static void from_two_places(void) {
    for (volatile int i = 0; i < 4; i++) {
        scan();
        scan();
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "calls";
    n = argc > 2 ? atoi(argv[2]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    send_to_self();
    if (strcmp(mode, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(mode, "rare") == 0) {
        usleep(1050000);
        send_to_self();
    }
    if ((strcmp(mode, "kill") == 0 || strcmp(mode, "rare") == 0) && rank == 1)
        kill(getpid(), SIGKILL);
    if (strcmp(mode, "leave") == 0)
        _exit(0);
    for (int i = 0; i < 3; i++)
        exchange();
    poll();
    persistent();
    communicators();
    memory_and_files();
    from_two_places();
    MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), error;
    mpi_barrier_(&world, &error);
    MPI_Finalize();
    return strcmp(mode, "fail") == 0;
}
