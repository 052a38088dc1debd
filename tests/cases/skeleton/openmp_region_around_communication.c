/* SPDX-License-Identifier: Apache-2.0
 *
 * A parallel region around everything, messages by single, trip counts by omp for; a pragma on a
 * loop that stays for what it counts.
 *
 * flags: -fopenmp
 * note: communicates inside a parallel region
 * note: MPI_
 * note: ^
 * kept: #pragma omp parallel num_threads(1) default(shared)
 * kept: #pragma omp single
 * engine: not compared, since ranks would have copies of its variables
 * kept: sent += 2
 * gone: field[i] = sin
 */
#include <math.h>
#include <mpi.h>

static double field[64];
static int sent;

static void compute(void) {
#pragma omp for
    for (int i = 0; i < 64; i++)
        field[i] = sin(0.1 * i);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel num_threads(1) default(shared)
    {
        for (int step = 0; step < 3; step++) {
            compute();
#pragma omp single
            {
                MPI_Sendrecv_replace(field, 4 + sent, MPI_DOUBLE, (rank + 1) % size, 0,
                                     (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                                     MPI_STATUS_IGNORE);
                sent += 2;
            }
        }
    }
    MPI_Finalize();
    return 0;
}
