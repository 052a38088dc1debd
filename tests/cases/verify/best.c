/* SPDX-License-Identifier: Apache-2.0
 *
 * In each generation the rank that has the best individual of all sends it to rank 0. All compute
 * theirs in a hot loop; the one is told by comparing it with the best of all. ARGUMENTS: how many
 * individuals a rank has, and how many generations there are.
 */
#include <mpi.h>
#include <stdlib.h>

#define GENES 16

static unsigned mix(unsigned x) {
    x = (x ^ 61) ^ (x >> 16);
    x *= 9;
    x ^= x >> 4;
    x *= 0x27d4eb2d;
    return x ^ (x >> 15);
}

static double best_of(double *genes, int count, unsigned seed) {
    double best = 0;
    for (int i = 0; i < count; i++) {
        double fitness = 0;
        for (int k = 0; k < GENES; k++) {
            double gene = mix(seed * 977 + (unsigned)(i * GENES + k)) * 1e-9;
            genes[k] = gene > genes[k] ? gene : genes[k];
            fitness += gene;
        }
        best = fitness > best ? fitness : best;
    }
    return best;
}

int main(int argc, char **argv) {
    double genes[GENES] = {0}, received[GENES];
    int rank, count = argc > 1 ? atoi(argv[1]) : 50, generations = argc > 2 ? atoi(argv[2]) : 20;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int generation = 0; generation < generations; generation++) {
        double best, mine = best_of(genes, count, (unsigned)(generation * 131 + rank));
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (mine == best)
            MPI_Isend(genes, GENES, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request);
        if (rank == 0)
            MPI_Recv(received, GENES, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
