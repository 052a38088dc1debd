/* SPDX-License-Identifier: Apache-2.0
 *
 * An argument that begins or ends with a macro is replaced, and what computes it goes, if the macro
 * is all its own. A macro that spells more than the argument keeps it.
 *
 * gone: sum += x[i] * step
 * made: largest((first(0), 0), step)
 * made: largest((second(0), 0), 1)
 * kept: double pair(int
 * kept: largest(PAIR(step))
 * kept: double tail(int
 * args: 6
 */
#include <mpi.h>
#include <stdlib.h>

#define N 500
#define FACTOR 0.5
#define SHIFT 2.5 + 1
#define PAIR(step) pair(step), step
#define TAIL tail(step))

static double x[N];

static double largest(double value, int tag) {
    double all;
    MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Bcast(&all, 1 + tag % 2, MPI_CHAR, 0, MPI_COMM_WORLD);
    return all;
}

static void tell(double value) {
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static double first(int step) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * step;
    return sum;
}

static double second(int step) {
    return first(step) * first(step + 1);
}

static double pair(int step) {
    return step * 3.0;
}

static double tail(int step) {
    return step * 5.0;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        largest(FACTOR * first(step), step);
        largest(second(step) - SHIFT, 1);
        largest(PAIR(step));
        tell(TAIL;
    }
    MPI_Finalize();
    return 0;
}
