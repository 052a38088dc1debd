/* SPDX-License-Identifier: Apache-2.0
 *
 * What a variable had before and something more is a sum up to now, also by way of another variable
 * and in a record. Another function of what it had before is none, nor is what is only added to
 * something else.
 *
 * generate: --assume=cuts
 * hints: cut cut_tells_sums_from_what_only_rises.c:57
 * hints: cut cut_tells_sums_from_what_only_rises.c:58
 * hints: cut cut_tells_sums_from_what_only_rises.c:60
 * hints: cut cut_tells_sums_from_what_only_rises.c:61
 * hints: cut cut_tells_sums_from_what_only_rises.c:62
 * hints: cut cut_tells_sums_from_what_only_rises.c:63
 * scout: 40
 * gone: sum += x[i]
 * cut: time = time + step
 * cut: double next = moment + step
 * cut: clock->t = step + clock->t - 0.001
 * cut: size = sqrt(size + step)
 * cut: least = fmin(least, least + step)
 * cut: other = size + step
 * sum: time = time + step
 * sum: double next = moment + step
 * sum: clock->t = step + clock->t - 0.001
 * args: 40
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

struct clock {
    double t;
};

static double step_of(double *x, int count) {
    double sum = 0;
    for (int k = 0; k < 100; k++)
        for (int i = 0; i < count; i++) {
            x[i] = 0.5 * x[i] + 0.1;
            sum += x[i];
        }
    return 0.01 + 0.001 * sum / count;
}

int main(int argc, char **argv) {
    double time = 0, moment = 0, size = 1, least = 3, other = 0;
    struct clock here = {0}, *clock = &here;
    int steps = 0;
    MPI_Init(&argc, &argv);
    int count = atoi(argv[1]);
    double *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = i % 7;
    while (time < 1 && moment < 1 && clock->t < 1 && least < 5 && other < 10 && size > 0.1) {
        double step = step_of(x, count);
        MPI_Barrier(MPI_COMM_WORLD);
        time = time + step;
        double next = moment + step;
        moment = next;
        clock->t = step + clock->t - 0.001;
        size = sqrt(size + step);
        least = fmin(least, least + step);
        other = size + step;
        steps++;
    }
    MPI_Allreduce(MPI_IN_PLACE, &steps, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    free(x);
    MPI_Finalize();
    return 0;
}
