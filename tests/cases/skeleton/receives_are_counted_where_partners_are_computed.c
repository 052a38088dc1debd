/* SPDX-License-Identifier: Apache-2.0
 *
 * Each rank sends to the one that is nearest to it, and receives from all that it is nearest to.
 * The partner is computed, as no model may guess a rank, nor a decision that chooses one; and so is
 * how many messages come, or a rank would wait for a message that nobody sends to it.
 *
 * args: 100
 * args: 300
 * ranks: 4
 * generate: --assume=cuts
 * scout: 200
 * cut: argument length in MPI_Isend(...)
 * kept: if (other != rank && nearest(n, size, other) == rank)
 * kept: distance += fabs(points[rank * n + i] - points[own * n + i]);
 * gone: length += points[rank * n + i % n] > 0.5;
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static double *points;

static int nearest(int n, int size, int own) {
    double least = 1e9;
    int found = -1;
    for (int rank = 0; rank < size; rank++) {
        double distance = 0;
        if (rank == own)
            continue;
        for (int i = 0; i < n; i++)
            distance += fabs(points[rank * n + i] - points[own * n + i]);
        if (distance < least) {
            least = distance;
            found = rank;
        }
    }
    return found;
}

static void fill(int count, unsigned state) {
    for (int i = 0; i < count; i++) {
        state = state * 1103515245u + 12345u;
        points[i] = (state >> 8) / 16777216.0;
    }
}

int main(int argc, char **argv) {
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    points = malloc(n * size * sizeof *points);
    double *out = malloc(n * sizeof *out), *in = malloc(n * sizeof *in);
    for (int step = 0; step < 5; step++) {
        int length = 0, senders = 0;
        fill(n * size, step);
        int partner = nearest(n, size, rank);
        for (int other = 0; other < size; other++)
            if (other != rank && nearest(n, size, other) == rank)
                senders++;
        for (int i = 0; i < 100 * n; i++)
            length += points[rank * n + i % n] > 0.5;
        length /= 100;
        MPI_Request request;
        MPI_Isend(out, length, MPI_DOUBLE, partner, step, MPI_COMM_WORLD, &request);
        for (int i = 0; i < senders; i++)
            MPI_Recv(in, n, MPI_DOUBLE, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
