/* SPDX-License-Identifier: Apache-2.0
 *
 * The seed comes from a clock that is read before MPI_Init and tells how much is broadcast: that
 * clock stands, or each simulation would be another program; but who waits for it does not wait
 * forever, and it may be read when the simulation is over.
 *
 * gone: x[i] = x[i] * 0.5 + 1
 * kept: srand(
 */
#include <mpi.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t last;

static void at_the_end(void) {
    last = time(NULL);
}

int main(int argc, char **argv) {
    double x[1000] = {0};
    struct timeval first, now;
    atexit(at_the_end);
    gettimeofday(&first, NULL);
    srand((unsigned)(first.tv_sec + first.tv_usec + time(NULL)));
    int count = rand() % 1000;
    do
        gettimeofday(&now, NULL);
    while (now.tv_sec == first.tv_sec);
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 1000; i++)
        x[i] = x[i] * 0.5 + 1;
    MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
