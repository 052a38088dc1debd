/* SPDX-License-Identifier: Apache-2.0
 *
 * Ten barriers, then a loop of which SMPI measures the first iterations and adds the time of the
 * others: simulated time has to pass in it.
 */
#include <mpi.h>
#include <stdio.h>

#define ITERATIONS 200
#define MEASURED 5
#define WORK 100000

int main(int argc, char **argv) {
    volatile double sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    double before_s = MPI_Wtime();
    int i;
    SMPI_SAMPLE_LOCAL(i = 0, i < ITERATIONS, i++, MEASURED, -1) {
        for (int k = 0; k < WORK; k++)
            sum += k;
    }
    double elapsed_s = MPI_Wtime() - before_s;
    if (rank == 0)
        puts(elapsed_s > 1e-3 ? "takes simulated time" : "takes no simulated time");
    MPI_Finalize();
    return 0;
}
