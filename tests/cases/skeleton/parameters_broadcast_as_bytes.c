/* SPDX-License-Identifier: Apache-2.0
 *
 * Only rank 0 reads the arguments; a record of parameters is broadcast as bytes.
 *
 * kept: parameters.steps = atoi(argv[1])
 * kept: MPI_Bcast(&parameters, sizeof parameters, MPI_BYTE
 * gone: u[i] *=
 * args: 3 40
 * args: 5 7
 */
#include <mpi.h>
#include <stdlib.h>

struct parameters {
    double factor;
    int steps, n;
};

int main(int argc, char **argv) {
    struct parameters parameters = {0.5, 2, 10};
    double u[100] = {1};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && argc > 2) {
        parameters.steps = atoi(argv[1]);
        parameters.n = atoi(argv[2]);
    }
    MPI_Bcast(&parameters, sizeof parameters, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int step = 0; step < parameters.steps; step++) {
        for (int i = 0; i < parameters.n; i++)
            u[i] *= parameters.factor;
        MPI_Allreduce(MPI_IN_PLACE, u, parameters.n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
