/* SPDX-License-Identifier: Apache-2.0
 *
 * Random numbers are seeded by clocks of libc, and tell who broadcasts: these clocks are simulated,
 * or each simulation would be another program. It would wait forever for the machine's to be close
 * to MPI's.
 *
 * gone: x[i] = x[i] * 0.5 + 1;
 * kept: srand(
 */
#include <mpi.h>
#include <stdlib.h>
#include <sys/times.h>
#include <time.h>

int main(int argc, char **argv) {
    double x[100] = {0};
    int root, size;
    struct timespec now;
    struct tms used;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 8; step++) {
        for (int i = 0; i < 100; i++)
            x[i] = x[i] * 0.5 + 1;
        timespec_get(&now, TIME_UTC);
        srand((unsigned)(time(NULL) + clock() + now.tv_nsec + times(&used)) + (unsigned)step);
        while (difftime(time(NULL), (time_t)MPI_Wtime()) > 1000)
            MPI_Barrier(MPI_COMM_WORLD);
        root = rand() % size;
        MPI_Bcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(x, 100, MPI_DOUBLE, root, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
