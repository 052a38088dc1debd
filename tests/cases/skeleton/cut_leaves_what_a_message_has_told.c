/* SPDX-License-Identifier: Apache-2.0
 *
 * A server hands out numbers until the workers say that they have enough, which they find out by
 * computing with them. Given is what they find out, and for how long; what the server does goes by what they say, and
 * is not told a second time by models of its own: they would differ, and somebody would wait.
 *
 * args: 0.001
 * args: 0.01
 * ranks: 4
 * generate: --assume=cuts
 * scout: 0.003
 * cut: done = fabs(4.0 * all[0] / all[1] - 3.141592653589793) < limit || all[1] > 1000000
 * made: done = !BSIM_TRIPS(
 * kept: if (request)
 * kept: request > 0
 * kept: if (rank == 0 || request)
 * gone: numbers[i] = rand();
 * gone: inside[0] += x * x + y * y < 1;
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#define CHUNK 2000

static int numbers[CHUNK];

static void serve(void) {
    int request;
    do {
        MPI_Status status;
        MPI_Recv(&request, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        if (request) {
            for (int i = 0; i < CHUNK; i++)
                numbers[i] = rand();
            MPI_Send(numbers, CHUNK, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
        }
    } while (request > 0);
}

static void work(MPI_Comm workers, int server, int rank, double limit) {
    int done = 0, request = 1;
    long inside[2] = {0, 0}, all[2];
    MPI_Send(&request, 1, MPI_INT, server, 1, MPI_COMM_WORLD);
    while (!done) {
        MPI_Recv(numbers, CHUNK, MPI_INT, server, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < CHUNK; i += 2) {
            double x = numbers[i] * 2.0 / RAND_MAX - 1, y = numbers[i + 1] * 2.0 / RAND_MAX - 1;
            inside[0] += x * x + y * y < 1;
        }
        inside[1] += CHUNK / 2;
        MPI_Allreduce(inside, all, 2, MPI_LONG, MPI_SUM, workers);
        done = fabs(4.0 * all[0] / all[1] - 3.141592653589793) < limit || all[1] > 1000000;
        request = done ? 0 : 1;
        if (rank == 0 || request)
            MPI_Send(&request, 1, MPI_INT, server, 1, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Comm workers;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank == size - 1, rank, &workers);
    if (rank == size - 1)
        serve();
    else
        work(workers, size - 1, rank, atof(argv[1]));
    MPI_Finalize();
    return 0;
}
