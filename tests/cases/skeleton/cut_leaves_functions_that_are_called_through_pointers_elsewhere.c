/* SPDX-License-Identifier: Apache-2.0
 *
 * A function that removed code calls through a pointer gives no values, since it would record more
 * of them than the skeleton asks for: the value is given where it is called. One that only kept
 * calls through a pointer reach gives what it returns.
 *
 * scout: 5
 * generate: --assume=cuts
 * cut: int length = shared(step)
 * cut: return own / 60
 * gone: x[i] = fabs(sin(x[i] + i + step))
 * args: 5
 * args: 9
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define N 3000

static double x[N], out[200], sum;

static void move(int step) {
    for (int i = 0; i < N; i++)
        x[i] = fabs(sin(x[i] + i + step));
}

static int shared(int step) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += x[i] > 0.5 + 0.01 * step;
    return count / 60 + 1;
}

static int loaded(int step) {
    int own = step;
    for (int i = 0; i < N; i++)
        own += x[i] > 0.25;
    return own / 60;
}

static int (*measures[2])(int) = {shared, shared};
static int (*load)(int) = loaded;

static void exchange(int length) {
    MPI_Sendrecv_replace(out, length, MPI_DOUBLE, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < steps; step++) {
        move(step);
        int length = shared(step);
        exchange(length);
        exchange(load(step));
        sum += measures[step % 2](step + 1);
    }
    MPI_Finalize();
    return sum < 0;
}
