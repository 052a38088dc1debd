/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables with designated initialisers: one with roots stays, one with numbers goes.
 *
 * kept: [2] = 1
 * gone: 2.718
 */
#include <mpi.h>

struct options {
    double factor;
    int rounds, root;
};

static const int roots[4] = {[2] = 1, [3] = 1};
static const double weights[4] = {[1] = 2.718};

int main(int argc, char **argv) {
    struct options options = {.rounds = 4, .root = 0, .factor = 0.5};
    double x[8] = {0};
    MPI_Init(&argc, &argv);
    for (int r = 0; r < options.rounds; r++) {
        for (int i = 0; i < 8; i++)
            x[i] += weights[r] * options.factor;
        MPI_Bcast(x, 8, MPI_DOUBLE, roots[r] + options.root, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
