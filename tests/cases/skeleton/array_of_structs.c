/* SPDX-License-Identifier: Apache-2.0
 *
 * Neighbours lie in an array of records; each has a count, and a weight that is computed.
 *
 * kept: .peer
 * gone: 1.0 / d
 */
#include <mpi.h>

struct neighbour {
    double weight;
    int peer, count;
};

static struct neighbour neighbours[3];

static int connect(int rank, int size) {
    int n = 0;
    for (int d = 1; d < 4 && d < size; d *= 2)
        if ((rank ^ d) < size) {
            neighbours[n].peer = rank ^ d;
            neighbours[n].count = 10 * d;
            neighbours[n].weight = 1.0 / d;
            n++;
        }
    return n;
}

int main(int argc, char **argv) {
    double x[100] = {0};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = connect(rank, size);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 100; i++)
            x[i] += neighbours[k].weight;
        MPI_Sendrecv_replace(x, neighbours[k].count, MPI_DOUBLE, neighbours[k].peer, k,
                             neighbours[k].peer, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
