/* SPDX-License-Identifier: Apache-2.0
 *
 * Parameters that one rank reads and broadcasts as bytes of a record: what is needed of one member
 * comes from that member, not from the sums that are in another one. Where the rank that sends has
 * another record, or another broadcast may be the one that arrives, all of it is needed.
 *
 * args: 3
 * args: 5
 * gone: all.work += x[i];
 * kept: p->sum += x[i];
 * kept: one.sum += x[i];
 */
#include <mpi.h>
#include <stdlib.h>

static struct {
    double work;
    int steps;
} all;

struct part {
    long long sum;
    int steps;
};

static void meet(int steps) {
    for (int step = 0; step < steps; step++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    long long x[100];
    int rank, n = argc > 1 ? atoi(argv[1]) : 3;
    struct part parts[2] = {{0, 0}, {0, 0}}, one = {0, 0}, other = {0, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    all.steps = n;
    for (int i = 0; i < 100; i++)
        x[i] = i * n;
    for (int i = 0; i < 100; i++)
        all.work += x[i];
    MPI_Bcast(&all, sizeof all, MPI_BYTE, 0, MPI_COMM_WORLD);
    meet(all.steps);

    struct part *p = &parts[rank == 0 ? 0 : 1];
    p->steps = rank == 0 ? n : 0;
    for (int i = 0; i < 3; i++)
        p->sum += x[i];
    MPI_Bcast(p, sizeof *p, MPI_CHAR, 0, MPI_COMM_WORLD);
    meet(p->steps);

    for (int i = 0; i < 3; i++)
        one.sum += x[i];
    if (rank == 0)
        MPI_Bcast(&one, sizeof one / 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(&other, sizeof other / 4, MPI_INT, 0, MPI_COMM_WORLD);
    meet((int)((rank == 0 ? one.sum : other.sum) % 4));
    MPI_Finalize();
    return 0;
}
