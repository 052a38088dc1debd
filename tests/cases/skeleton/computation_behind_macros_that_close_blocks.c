/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops begin and end with macros, and computation follows that begins with the empty statement
 * behind one of them.
 *
 * gone: y[i] = y[i] * 0.5 + sum;
 * kept: END_LOOP
 * args: 3
 * args: 40
 */
#include <mpi.h>
#include <stdlib.h>

#define FOR_ALL(i, n)                                                                             \
    {                                                                                             \
        int loop_end = (n);                                                                       \
        for (int i = 0; i < loop_end; i++)
#define END_LOOP }

int main(int argc, char **argv) {
    double x[200] = {0}, y[200] = {0}, sum = 0;
    int steps = argc > 1 ? atoi(argv[1]) : 1, n = 0;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        FOR_ALL(i, 3) {
            n += i;
        } END_LOOP;
        for (int i = 0; i < 200; i++)
            y[i] = y[i] * 0.5 + sum;
        MPI_Bcast(x, n % 100, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        FOR_ALL(i, 200) {
            sum += x[i] + y[i];
        } END_LOOP;
        for (int i = 0; i < 200; i++)
            y[i] = y[i] + 0.25 * sum;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
