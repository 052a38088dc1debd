/* SPDX-License-Identifier: Apache-2.0
 *
 * Another unit declares the record again, under another name of a member; it sets what is needed.
 *
 * with: redeclared.c
 * kept: c->length = 11
 * gone: c->weight = 0.5
 */
#include <mpi.h>

struct config {
    int count;
    double weight;
    int steps;
};

void configure(struct config *config);

int main(int argc, char **argv) {
    double x[64];
    struct config config = {0, 0, 0};
    MPI_Init(&argc, &argv);
    configure(&config);
    for (int i = 0; i < 64; i++)
        x[i] = config.weight * i;
    for (int i = 0; i < config.steps; i++)
        MPI_Bcast(x, config.count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
